// What needs what: written out by hand, against rules for pairs of actions that are tried one by one, and against the
// times of published schedules.
#include "schedule/needs.h"

#include "schedule/schedule_table.h"
#include "schedule/validate/order_walk.h"
#include "support/schedule_text.h"
#include "support/test_program.h"

#include <QTest>
#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace pipescope;
using namespace pipescope::schedule;
using tests::scheduleOf;
using tests::shown;

namespace {

ActionKey keyOf(const std::string &text)
{
    return schedule::keyOf(**parseAction(text));
}

template <class Range>
QString textOf(const Range &keys)
{
    QStringList texts;
    for (const ActionKey &key : keys)
        texts << shown(toText(key));
    return texts.join(' ');
}

QString needsOf(const std::string &action, const Feeds &feeds)
{
    return textOf(needs(keyOf(action), feeds));
}

QString neededByOf(const std::string &action, const Feeds &feeds)
{
    return textOf(neededBy(keyOf(action), feeds));
}

// 0 -> 1 -> 3, 0 -> 3; nothing feeds 2, which feeds 3.
Feeds skipping()
{
    return {4, {{{0}, {1}}, {{0}, {3}}, {{1}, {3}}, {{2}, {3}}}};
}

constexpr std::array Kinds{ActionKind::Forward,        ActionKind::BackwardInput, ActionKind::BackwardWeight,
                           ActionKind::Unshard,        ActionKind::Reshard,       ActionKind::SendF,
                           ActionKind::RecvF,          ActionKind::SendB,         ActionKind::RecvB,
                           ActionKind::WaitSendF,      ActionKind::WaitSendB,     ActionKind::FullBackward,
                           ActionKind::WaitReduceGrad, ActionKind::ReduceGrad};

// Whether `later` waits for `earlier`, of the same microbatch; `feeds[a][b]`: stage a feeds stage b.
bool waitsFor(const ActionKey &later, const ActionKey &earlier, const std::vector<std::vector<bool>> &feeds)
{
    using enum ActionKind;
    const bool same = later.stage == earlier.stage;
    const bool isFed = feeds[earlier.stage.index()][later.stage.index()];
    const bool isFedBack = feeds[later.stage.index()][earlier.stage.index()];
    const bool gradient = earlier.kind == BackwardInput || earlier.kind == FullBackward;
    switch (later.kind) {
    case Forward:
        return isFed && earlier.kind == Forward;
    case BackwardInput:
    case FullBackward:
        return (same && earlier.kind == Forward) || (isFedBack && gradient);
    case BackwardWeight:
        return same && gradient;
    case SendF:
        return same && earlier.kind == Forward;
    case SendB:
        return same && gradient;
    case RecvF:
        return isFed && earlier.kind == SendF;
    case RecvB:
        return isFedBack && earlier.kind == SendB;
    case WaitSendF:
        return (same && earlier.kind == SendF) || (isFedBack && earlier.kind == RecvF);
    case WaitSendB:
        return (same && earlier.kind == SendB) || (isFed && earlier.kind == RecvB);
    case WaitReduceGrad:
        return same && earlier.kind == ReduceGrad;
    default:
        return false;
    }
}

using KeySet = std::set<ActionKey>;

template <class Range>
KeySet setOf(const Range &keys)
{
    return {keys.begin(), keys.end()};
}

// The results of all actions of one microbatch that `asked` says yes to, tried one by one.
template <class Asked>
KeySet resultsThat(int stages, MicrobatchId microbatch, const Asked &asked)
{
    KeySet found;
    for (const ActionKind kind : Kinds)
        for (int stage = 0; stage < stages; ++stage)
            if (const ActionKey key{kind, StageId{stage}, microbatch}; asked(key))
                found.insert(resultOf(key));
    return found;
}

// When all has ended if each rank does its row in order and nothing but computing takes time; -1: it never ends.
int makespan(const Schedule &schedule, const Feeds &feeds)
{
    const std::map<ActionKind, int> cost{{ActionKind::Forward, 1},
                                         {ActionKind::BackwardInput, 1},
                                         {ActionKind::BackwardWeight, 1},
                                         {ActionKind::FullBackward, 2}};
    std::map<ActionKey, int> done;
    std::vector<std::size_t> next(schedule.ranks.size());
    std::vector<int> free(schedule.ranks.size());
    const auto tryNext = [&](std::size_t rank) {
        const Cell &cell = schedule.ranks[rank][next[rank]];
        int time = free[rank];
        for (const ActionKey &need : cell ? needs(*cell, feeds) : std::vector<ActionKey>()) {
            if (!done.contains(need))
                return false;
            time = std::max(time, done[need]);
        }
        if (cell)
            for (const Action &part : partsOf(*cell))
                done[resultOf(schedule::keyOf(part))] = time += cost.at(part.kind);
        free[rank] = time;
        ++next[rank];
        return true;
    };
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t rank = 0; rank < next.size(); ++rank)
            while (next[rank] < schedule.ranks[rank].size() && tryNext(rank))
                moved = true;
    }
    for (std::size_t rank = 0; rank < next.size(); ++rank)
        if (next[rank] < schedule.ranks[rank].size())
            return -1;
    return *std::max_element(free.begin(), free.end());
}

} // namespace

class TestNeeds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatEachActionOfAChainWaitsFor_data()
    {
        QTest::addColumn<QString>("action");
        QTest::addColumn<QString>("needs");
        const auto row = [](const char *action, const char *needs) { QTest::newRow(action) << action << needs; };
        row("0F5", "");
        row("1F5", "0F5");
        row("0B5", "0F5 1I5");
        row("1B5", "1F5 2I5");
        row("2B5", "2F5"); // the last stage begins the backward
        row("1I5", "1F5 2I5");
        row("2I5", "2F5");
        row("1W5", "1I5");
        row("0SEND_F5", "0F5");
        row("1RECV_F5", "0SEND_F5");
        row("0WAIT_SEND_F5", "0SEND_F5 1RECV_F5");
        row("1SEND_B5", "1I5");
        row("0RECV_B5", "1SEND_B5");
        row("1WAIT_SEND_B5", "1SEND_B5 0RECV_B5");
        row("0RECV_F5", "");
        row("2RECV_B5", "");
        row("1WAIT_REDUCE_GRAD", "1REDUCE_GRAD");
        row("1REDUCE_GRAD", "");
        row("1UNSHARD", "");
        row("1RESHARD", "");
    }
    void whatEachActionOfAChainWaitsFor()
    {
        QFETCH(QString, action);
        QFETCH(QString, needs);
        QCOMPARE(needsOf(action.toStdString(), Feeds::chain(3)), needs);
    }

    void whatWaitsForEachActionOfAChain_data()
    {
        QTest::addColumn<QString>("action");
        QTest::addColumn<QString>("neededBy");
        const auto row = [](const char *action, const char *by) { QTest::newRow(action) << action << by; };
        row("0F5", "0I5 0SEND_F5 1F5");
        row("2F5", "2I5 2SEND_F5");
        row("1I5", "1W5 1SEND_B5 0I5");
        row("1B5", "1W5 1SEND_B5 0I5");
        row("0B5", "0W5 0SEND_B5");
        row("1W5", "");
        row("0SEND_F5", "0WAIT_SEND_F5 1RECV_F5");
        row("1RECV_F5", "0WAIT_SEND_F5");
        row("1SEND_B5", "1WAIT_SEND_B5 0RECV_B5");
        row("0RECV_B5", "1WAIT_SEND_B5");
        row("0REDUCE_GRAD", "0WAIT_REDUCE_GRAD");
    }
    void whatWaitsForEachActionOfAChain()
    {
        QFETCH(QString, action);
        QFETCH(QString, neededBy);
        QCOMPARE(neededByOf(action.toStdString(), Feeds::chain(3)), neededBy);
    }

    void skipsAreWaitedForForwardsAndBackwards()
    {
        const Feeds feeds = skipping();
        QCOMPARE(needsOf("3F1", feeds), QString("0F1 1F1 2F1"));
        QCOMPARE(needsOf("1F1", feeds), QString("0F1"));
        QCOMPARE(needsOf("2F1", feeds), QString());
        QCOMPARE(needsOf("0B1", feeds), QString("0F1 1I1 3I1"));
        QCOMPARE(needsOf("2I1", feeds), QString("2F1 3I1"));
        QCOMPARE(needsOf("3B1", feeds), QString("3F1"));
        QCOMPARE(neededByOf("0F1", feeds), QString("0I1 0SEND_F1 1F1 3F1"));
        QCOMPARE(neededByOf("3B1", feeds), QString("3W1 3SEND_B1 0I1 1I1 2I1"));
    }

    void aFullBackwardGoesByTheNameOfAnInputBackward()
    {
        QCOMPARE(shown(toText(resultOf(keyOf("2B3")))), QString("2I3"));
        for (const char *same : {"2F3", "2I3", "2W3", "2SEND_F3", "2REDUCE_GRAD"})
            QCOMPARE(shown(toText(resultOf(keyOf(same)))), QString(same));
    }

    void aCompoundNeedsWhatItsPartsDoNotGiveThemselves()
    {
        const auto ofCompound = [](const char *text) { return textOf(needs(**parseAction(text), Feeds::chain(4))); };
        QCOMPARE(ofCompound("(1F7;2B3)OVERLAP_F_B"), QString("0F7 2F3 3I3"));
        QCOMPARE(ofCompound("(1F7;2F7)OVERLAP_F_B"), QString("0F7"));
        QCOMPARE(ofCompound("(2F7;1F7)OVERLAP_F_B"), QString("1F7 0F7"));
        QCOMPARE(ofCompound("(2B3;1B3;1W3)OVERLAP_F_B"), QString("2F3 3I3 1F3"));
        QCOMPARE(ofCompound("(3F1;3B1)OVERLAP_F_B"), QString("2F1"));
        QCOMPARE(ofCompound("1F0"), QString("0F0"));
    }

    void theAwaitedKindsAreThoseThatActionsNeed()
    {
        const Feeds feeds = skipping();
        std::set<ActionKind> needed;
        for (const ActionKind kind : Kinds)
            for (int stage = 0; stage < 4; ++stage)
                for (const ActionKey &need : needs(ActionKey{kind, StageId{stage}, MicrobatchId{0}}, feeds))
                    needed.insert(need.kind);
        const auto awaited = awaitedKinds();
        QCOMPARE(awaited.size(), needed.size());
        QVERIFY(std::set<ActionKind>(awaited.begin(), awaited.end()) == needed);
    }

    // Rank 1 has nothing but the action; nobody does what it needs.
    void aWalkWaitsForAllKindsThatActionsNeed()
    {
        const Feeds chain = Feeds::chain(3);
        for (const ActionKind kind : Kinds) {
            Schedule schedule{"test", 3, 1, std::vector<Row>(3)};
            const Action action{StageId{1}, kind, hasMicrobatch(kind) ? MicrobatchId{0} : MicrobatchId{}, {}};
            schedule.ranks[1].push_back(action);
            OrderWalk walk(schedule, chain, chain, 0);
            walk.run();
            QVERIFY2(walk.isStuck(RankId{1}) != needs(schedule::keyOf(action), chain).empty(),
                     qPrintable(shown(toText(action))));
        }
    }

    void randomFeedsAgreeWithTryingEveryPair()
    {
        for (unsigned seed = 0; seed < 200; ++seed) {
            std::mt19937 random(seed);
            const int stages = 1 + static_cast<int>(random() % 7);
            const unsigned density = 1 + random() % 4;
            std::vector<std::vector<bool>> matrix(static_cast<std::size_t>(stages),
                                                  std::vector<bool>(static_cast<std::size_t>(stages)));
            std::vector<Feeds::Edge> edges;
            for (int from = 0; from < stages; ++from)
                for (int to = from + 1; to < stages; ++to)
                    if (random() % 4 < density) {
                        matrix[static_cast<std::size_t>(from)][static_cast<std::size_t>(to)] = true;
                        edges.push_back({StageId{from}, StageId{to}});
                    }
            std::shuffle(edges.begin(), edges.end(), random);
            const Feeds feeds(stages, edges);
            const MicrobatchId microbatch{static_cast<int>(random() % 5)};
            for (const ActionKind kind : Kinds)
                for (int stage = 0; stage < stages; ++stage) {
                    const ActionKey key{kind, StageId{stage}, microbatch};
                    const KeySet before = resultsThat(
                        stages, microbatch, [&](const ActionKey &other) { return waitsFor(key, other, matrix); });
                    const KeySet after = resultsThat(
                        stages, microbatch, [&](const ActionKey &other) { return waitsFor(other, key, matrix); });
                    const Keys needed = needs(key, feeds);
                    const Keys by = neededBy(key, feeds);
                    QVERIFY2(setOf(needed) == before && setOf(by) == after && needed.size() == before.size() &&
                                 by.size() == after.size(),
                             qPrintable(QString("seed %1, %2: needs %3, is needed by %4")
                                            .arg(seed)
                                            .arg(shown(toText(key)), textOf(needed), textOf(by))));
                }
        }
    }

    // Orders as torch 2.15 generates them, with F = I = W = 1, B = 2 and transfers free. For P ranks, M microbatches, L
    // stages a rank: 3 (M L + P - 1), and for ZBV one slot more than the work itself, 3 M L.
    void publishedSchedulesTakeAsLongAsTheyShould_data()
    {
        QTest::addColumn<QStringList>("rows");
        QTest::addColumn<int>("makespan");
        const auto row = [](const char *name, int makespan, const QStringList &rows) {
            QTest::newRow(name) << rows << makespan;
        };
        row("GPipe", 15, {"0F0 0F1 0F2 0F3 0B0 0B1 0B2 0B3", "1F0 1F1 1F2 1F3 1B0 1B1 1B2 1B3"});
        row("1F1B", 18,
            {"0F0 0F1 0F2 0B0 0F3 0B1 0B2 0B3", "1F0 1F1 1B0 1F2 1B1 1F3 1B2 1B3", "2F0 2B0 2F1 2B1 2F2 2B2 2F3 2B3"});
        row("LoopedBFS", 15, {"0F0 0F1 2F0 2F1 2B1 2B0 0B1 0B0", "1F0 1F1 3F0 3F1 3B1 3B0 1B1 1B0"});
        row("interleaved 1F1B", 27,
            {"0F0 0F1 2F0 2F1 0F2 2B0 0F3 2B1 2F2 0B0 2F3 0B1 2B2 2B3 0B2 0B3",
             "1F0 1F1 3F0 3B0 3F1 3B1 1F2 1B0 1F3 1B1 3F2 3B2 3F3 3B3 1B2 1B3"});
        row("ZBV", 19,
            {"0F0 0F1 0F2 3F0 3I0 3W0 3F1 3I1 3W1 0I0 0W0 3F2 3I2 3W2 0I1 0W1 0I2 0W2",
             "1F0 2F0 1F1 2F1 2I0 2W0 1F2 1I0 1W0 2F2 2I1 2W1 1I1 2I2 1I2 1W1 2W2 1W2"});
    }
    void publishedSchedulesTakeAsLongAsTheyShould()
    {
        QFETCH(QStringList, rows);
        QFETCH(int, makespan);
        std::vector<std::string> texts;
        for (const QString &row : rows)
            texts.push_back(row.toStdString());
        const Schedule schedule = scheduleOf(texts);
        QCOMPARE(::makespan(schedule, Feeds::chain(schedule.stages)), makespan);
    }

    // Huang et al.: 3 (M + P - 1) for F = 1, B = 2; forward alone M + P - 1.
    void theTablesSchedulesTakeAsLongAsTheirDiagramsShow()
    {
        for (int ranks = 1; ranks <= 4; ++ranks)
            for (int microbatches = 1; microbatches <= 6; ++microbatches) {
                const Feeds chain = Feeds::chain(ranks);
                const int slots = microbatches + ranks - 1;
                QCOMPARE(makespan(*buildSchedule("gpipe", {ranks, ranks, microbatches}), chain), 3 * slots);
                QCOMPARE(makespan(*buildSchedule("forward", {ranks, ranks, microbatches}), chain), slots);
            }
    }

    // Stage 1 feeds only stage 3, so it need not be done before stage 2.
    void stagesThatDoNotFeedEachOtherRunAtOnce()
    {
        const Feeds feeds(4, {{{0}, {1}}, {{0}, {2}}, {{1}, {3}}, {{2}, {3}}});
        const Schedule schedule = scheduleOf({"0F0 0B0", "1F0 1B0", "2F0 2B0", "3F0 3B0"});
        QCOMPARE(makespan(schedule, feeds), 9);
        QCOMPARE(makespan(schedule, Feeds::chain(4)), 12);
    }
};

PIPESCOPE_TEST(TestNeeds)
#include "tst_needs.moc"
