#include "comm/rendezvous.h"

#include "support/test_program.h"

#include <QTest>
#include <atomic>
#include <random>
#include <thread>

using namespace pipescope;
using namespace pipescope::comm;
using namespace std::chrono_literals;

namespace {

struct Brought
{
    int value = 0;
    std::vector<int> gathered;
};

using Meet = Rendezvous<std::string, Brought>;
using Numbers = std::vector<int>;

Status gatherValues(const std::string & /*call*/, std::vector<Brought> &parts, std::size_t place)
{
    for (const Brought &part : parts)
        parts[place].gathered.push_back(part.value);
    return Success{};
}

Meet::Hooks plainHooks()
{
    Meet::Hooks hooks;
    hooks.text = [](const std::string &call) { return call; };
    hooks.work = gatherValues;
    return hooks;
}

Line lineOf(const Numbers &ranks)
{
    Line line;
    for (const int rank : ranks)
        line.push_back(RankId{rank});
    return line;
}

struct World
{
    explicit World(int ranks, Meet::Hooks hooks = plainHooks())
        : waits(ranks, [this](const std::vector<Waiting<AtCall>> &) { meet.close(meet.stallError()); })
        , meet(waits, std::move(hooks))
    {
    }

    WaitRegistry<AtCall> waits;
    Meet meet;
};

/// A rank in its program.
struct Self
{
    World &world;
    RankId rank;

    Result<Meet::Ticket> call(const Numbers &line, const std::string &what, int value) const
    {
        return world.meet.join(rank, lineOf(line), what, {value, {}});
    }
    Numbers await(Result<Meet::Ticket> ticket) const
    {
        if (!ticket)
            return {};
        const auto part = world.meet.wait(*std::move(ticket));
        return part ? part->gathered : Numbers{};
    }
    Numbers gather(const Numbers &line, const std::string &what, int value) const
    {
        return await(call(line, what, value));
    }
};

using Program = std::function<void(const Self &)>;

void runRanks(World &world, const std::vector<Program> &programs)
{
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < programs.size(); ++i) {
        threads.emplace_back([&world, &programs, i] {
            const Self self{world, RankId{static_cast<int>(i)}};
            programs[i](self);
            world.meet.leave(self.rank);
        });
    }
    for (std::thread &thread : threads)
        thread.join();
}

std::string messageOf(const World &world)
{
    const auto error = world.meet.error();
    return error ? error->message : "no error";
}

constexpr const char *Advice = "; ranks that share collectives must call the same ones in the same order";

// --- random programs ---

struct Step
{
    Numbers line;
    std::string call;
};

using Steps = std::vector<Step>;

enum class Outcome { Right, Disagreement, Stall };

// All ranks call in one global order, then one of them may be led astray.
std::vector<Steps> randomPrograms(std::mt19937 &random)
{
    const auto pick = [&random](int from, int to) { return std::uniform_int_distribution(from, to)(random); };
    std::vector<Steps> ranks(static_cast<std::size_t>(pick(2, 5)));
    for (int exchanges = pick(1, 12); exchanges > 0; --exchanges) {
        Numbers line;
        for (int rank = 0; rank < static_cast<int>(ranks.size()); ++rank) {
            if (pick(0, 2) > 0)
                line.push_back(rank);
        }
        const std::string call = pick(0, 1) == 0 ? "sum" : "gather";
        for (const int rank : line)
            ranks[static_cast<std::size_t>(rank)].push_back({line, call});
    }
    Steps &one = ranks[static_cast<std::size_t>(pick(0, static_cast<int>(ranks.size()) - 1))];
    if (one.empty())
        return ranks;
    const auto at = static_cast<std::size_t>(pick(0, static_cast<int>(one.size()) - 1));
    switch (pick(0, 5)) {
    case 0:
        one[at].call = "barrier";
        break;
    case 1:
        one.resize(at);
        break;
    case 2:
        std::swap(one[at], one.front());
        break;
    default:
        break;
    }
    return ranks;
}

// By walking from exchange to exchange on one thread.
Outcome outcomeOf(const std::vector<Steps> &ranks)
{
    std::vector<std::size_t> at(ranks.size());
    const auto stepOf = [&](int rank) -> const Step * {
        const auto index = static_cast<std::size_t>(rank);
        return at[index] < ranks[index].size() ? &ranks[index][at[index]] : nullptr;
    };
    for (bool moved = true; moved;) {
        moved = false;
        for (int rank = 0; rank < static_cast<int>(ranks.size()); ++rank) {
            const Step *const step = stepOf(rank);
            if (step == nullptr)
                continue;
            const auto isHere = [&](int other) { return stepOf(other) && stepOf(other)->line == step->line; };
            if (!std::all_of(step->line.begin(), step->line.end(), isHere))
                continue;
            for (const int other : step->line) {
                if (stepOf(other)->call != step->call)
                    return Outcome::Disagreement;
            }
            for (const int other : Numbers(step->line))
                ++at[static_cast<std::size_t>(other)];
            moved = true;
        }
    }
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        if (at[rank] < ranks[rank].size())
            return Outcome::Stall;
    }
    return Outcome::Right;
}

} // namespace

class TestRendezvous : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyRankGetsWhatAllBroughtInTheOrderOfTheLine()
    {
        for (int ranks = 1; ranks <= 6; ++ranks) {
            World world(ranks);
            Numbers line;
            Numbers expected;
            for (int rank = ranks - 1; rank >= 0; --rank) {
                line.push_back(rank);
                expected.push_back(10 * rank);
            }
            std::vector<Numbers> got(static_cast<std::size_t>(ranks));
            runRanks(world, std::vector<Program>(got.size(), [&](const Self &self) {
                         got[self.rank.index()] = self.gather(line, "gather", 10 * self.rank.value);
                     }));
            for (const Numbers &numbers : got)
                QCOMPARE(numbers, expected);
            QCOMPARE(messageOf(world), std::string("no error"));
        }
    }

    void linesMeetAtTheSameTime()
    {
        World world(4);
        std::vector<Numbers> rows(4);
        std::vector<Numbers> columns(4);
        runRanks(world, std::vector<Program>(4, [&](const Self &self) {
                     const int rank = self.rank.value;
                     const int row = rank / 2 * 2;
                     const int column = rank % 2;
                     rows[self.rank.index()] = self.gather({row, row + 1}, "gather", rank);
                     columns[self.rank.index()] = self.gather({column, column + 2}, "gather", 10 + rank);
                 }));
        QCOMPARE(rows, (std::vector<Numbers>{{0, 1}, {0, 1}, {2, 3}, {2, 3}}));
        QCOMPARE(columns, (std::vector<Numbers>{{10, 12}, {11, 13}, {10, 12}, {11, 13}}));
    }

    void callsMayBeAwaitedInAnyOrder()
    {
        World world(2);
        std::vector<Numbers> ofFirst(2);
        std::vector<Numbers> ofSecond(2);
        runRanks(world, std::vector<Program>(2, [&](const Self &self) {
                     auto a = self.call({0, 1}, "gather", self.rank.value);
                     auto b = self.call({0, 1}, "gather", 10 + self.rank.value);
                     if (self.rank.value == 0)
                         ofFirst[0] = self.await(std::move(a));
                     ofSecond[self.rank.index()] = self.await(std::move(b));
                     if (self.rank.value == 1)
                         ofFirst[1] = self.await(std::move(a));
                 }));
        QCOMPARE(ofFirst, (std::vector<Numbers>{{0, 1}, {0, 1}}));
        QCOMPARE(ofSecond, (std::vector<Numbers>{{10, 11}, {10, 11}}));
    }

    void aResultThatIsAwaitedLateHoldsUpNobody()
    {
        World world(2);
        Numbers early;
        Numbers late;
        runRanks(world, {[&](const Self &self) {
                             early = self.gather({0, 1}, "gather", 1);
                             self.gather({0, 1}, "gather", 2);
                         },
                         [&](const Self &self) {
                             auto pending = self.call({0, 1}, "gather", 3);
                             self.gather({0, 1}, "gather", 4); // rank 0 comes here only with the first result
                             late = self.await(std::move(pending));
                         }});
        QCOMPARE(early, (Numbers{1, 3}));
        QCOMPARE(late, (Numbers{1, 3}));
        QCOMPARE(messageOf(world), std::string("no error"));
    }

    void aResultThatIsDroppedIsNoFault()
    {
        World world(3);
        Numbers got;
        runRanks(world, {[&](const Self &self) {
                             got = self.gather({0, 1, 2}, "gather", 1);
                         },
                         [](const Self &self) {
                             const auto dropped = self.call({0, 1, 2}, "gather", 2);
                         }, // and ends
                         [](const Self &self) {
                             const auto dropped = self.call({0, 1, 2}, "gather", 3);
                             self.gather({2}, "gather", 4);
                         }});
        QCOMPARE(got, (Numbers{1, 2, 3}));
        QCOMPARE(messageOf(world), std::string("no error"));
    }

    void ranksThatCallDifferentThingsAllEndInTheSameError()
    {
        World world(3);
        std::vector<std::string> seen(3);
        runRanks(world, std::vector<Program>(3, [&](const Self &self) {
                     self.gather({0, 1, 2}, "gather", 0);
                     auto ticket = self.call({0, 1, 2}, self.rank.value == 1 ? "barrier" : "sum", 0);
                     const auto part = ticket ? world.meet.wait(*std::move(ticket)) : Result<Brought>(ticket.error());
                     if (!part)
                         seen[self.rank.index()] = part.error().message;
                 }));
        const std::string expected =
            std::string("rank 1 called barrier as its collective 2, where ranks 0 and 2 called sum") + Advice;
        QCOMPARE(seen, std::vector<std::string>(3, expected));
        QCOMPARE(world.meet.error()->code, ErrorCode::InvalidArgument);
        QCOMPARE(world.meet.error()->where, std::string("rank 1"));
        QCOMPARE(world.meet.error()->details, std::string("rank 0: collective 2: sum\nrank 1: collective 2: barrier\n"
                                                          "rank 2: collective 2: sum\n"));
    }

    void ofTwoTheSecondIsNamed()
    {
        World world(2);
        runRanks(world, {[](const Self &self) {
                             self.gather({1, 0}, "a", 0);
                         },
                         [](const Self &self) {
                             self.gather({1, 0}, "b", 0);
                         }});
        QCOMPARE(messageOf(world), std::string("rank 0 called a as its collective 1, where rank 1 called b") + Advice);
    }

    void ofManyDifferentCallsAllAreListed()
    {
        World world(4);
        const std::vector<std::string> calls{"a", "b", "b", "c"};
        runRanks(world, std::vector<Program>(4, [&](const Self &self) {
                     self.gather({0, 1, 2, 3}, calls[self.rank.index()], 0);
                 }));
        QCOMPARE(messageOf(world),
                 std::string("rank 0 called a as its collective 1, where ranks 1 and 2 called b, rank 3 called c") +
                     Advice);
    }

    void theLastOfAChainOfWaitingRanksIsNamed()
    {
        World world(3);
        runRanks(world, {[](const Self &self) {
                             self.gather({0, 1}, "sum", 0);
                             self.gather({0, 2}, "gather", 0);
                         },
                         [](const Self &self) {
                             self.gather({0, 1}, "sum", 0);
                         },
                         [](const Self &self) {
                             self.gather({2}, "barrier", 0);
                             self.gather({1, 2}, "sum", 0);
                         }});
        // Rank 1 has ended, so rank 2 waits for it in vain, and rank 0 for rank 2.
        QCOMPARE(messageOf(world), std::string("rank 2 waits in its collective 2, sum on ranks [1, 2], for rank 1, "
                                               "which has ended after 1 collective") +
                                       Advice);
        QCOMPARE(world.meet.error()->code, ErrorCode::Deadlock);
        QCOMPARE(world.meet.error()->details, std::string("rank 0 waits in its collective 2, gather on ranks [0, 2]\n"
                                                          "rank 1 has ended after 1 collective\n"
                                                          "rank 2 waits in its collective 2, sum on ranks [1, 2]\n"));
    }

    void aCircleIsNamedFromTheRankThatWaitsEarliest()
    {
        World world(3);
        runRanks(world, {[](const Self &self) {
                             self.gather({0, 1}, "a", 0);
                         },
                         [](const Self &self) {
                             self.gather({1, 2}, "b", 0);
                         },
                         [](const Self &self) {
                             self.gather({0, 2}, "c", 0);
                         }});
        QCOMPARE(messageOf(world), std::string("rank 0 waits in its collective 1, a on ranks [0, 1], for rank 1, which "
                                               "waits in its collective 1, b on ranks [1, 2]") +
                                       Advice);
    }

    void aLineInAnotherOrderIsAnotherLine()
    {
        World world(2);
        runRanks(world, {[](const Self &self) {
                             self.gather({0, 1}, "sum", 0);
                         },
                         [](const Self &self) {
                             self.gather({1, 0}, "sum", 0);
                         }});
        QCOMPARE(messageOf(world), std::string("rank 0 waits in its collective 1, sum on ranks [0, 1], for rank 1, "
                                               "which waits in its collective 1, sum on ranks [1, 0]") +
                                       Advice);
    }

    void aRankThatEndsTooEarlyIsNamed()
    {
        World world(2);
        runRanks(world, {[](const Self &self) {
                             self.gather({0, 1}, "sum", 0);
                             self.gather({0, 1}, "sum", 0);
                             self.gather({0, 1}, "sum", 0);
                         },
                         [](const Self &self) {
                             self.gather({0, 1}, "sum", 0);
                             self.gather({0, 1}, "sum", 0);
                         }});
        QCOMPARE(messageOf(world), std::string("rank 0 waits in its collective 3, sum on ranks [0, 1], for rank 1, "
                                               "which has ended after 2 collectives") +
                                       Advice);
    }

    void aWrongLineIsToldToItsRankOnly_data()
    {
        QTest::addColumn<QList<int>>("ranks");
        QTest::addColumn<QString>("message");
        QTest::newRow("empty") << QList<int>{} << "a collective needs at least one rank; its list of ranks is empty";
        QTest::newRow("too high") << QList<int>{0, 2} << "there is no rank 2; ranks are 0 to 1";
        QTest::newRow("negative") << QList<int>{-1, 0} << "there is no rank -1; ranks are 0 to 1";
        QTest::newRow("twice") << QList<int>{1, 0, 1} << "rank 1 stands twice in [1, 0, 1]; name each rank once";
        QTest::newRow("without itself") << QList<int>{1}
                                        << "rank 0 calls a collective on ranks [1] and is none of them";
    }
    void aWrongLineIsToldToItsRankOnly()
    {
        QFETCH(const QList<int>, ranks);
        QFETCH(const QString, message);
        World world(2);
        const auto ticket = Self{world, RankId{0}}.call(Numbers(ranks.begin(), ranks.end()), "sum", 0);
        QVERIFY(!ticket);
        QCOMPARE(QString::fromStdString(ticket.error().message), message);
        QCOMPARE(messageOf(world), std::string("no error"));
    }

    void closingLetsEverybodyGoAndTheFirstErrorCounts()
    {
        std::atomic<int> told = 0;
        Meet::Hooks hooks = plainHooks();
        hooks.failed = [&told](const Error &) { ++told; };
        World other(2, std::move(hooks));
        std::vector<std::string> seen(2);
        runRanks(other, {[&](const Self &self) {
                             auto ticket = self.call({0, 1}, "sum", 0);
                             const auto part = other.meet.wait(*std::move(ticket));
                             seen[0] = part ? "" : part.error().message;
                         },
                         [&](const Self &self) {
                             while (other.waits.waiting().empty())
                                 std::this_thread::yield();
                             other.meet.close({ErrorCode::ModelFailed, "mine", {}, {}});
                             other.meet.close({ErrorCode::Cancelled, "later", {}, {}});
                             const auto ticket = self.call({0, 1}, "sum", 0);
                             seen[1] = ticket ? "" : ticket.error().message;
                         }});
        QCOMPARE(seen, (std::vector<std::string>{"mine", "mine"}));
        QCOMPARE(told.load(), 1);
    }

    void workThatFailsEndsAll()
    {
        Meet::Hooks hooks = plainHooks();
        hooks.work = [](const std::string &, std::vector<Brought> &, std::size_t place) -> Status {
            if (place == 1)
                return Error{ErrorCode::OutOfResources, "no memory", {}, {}};
            return Success{};
        };
        World world(3, std::move(hooks));
        runRanks(world, std::vector<Program>(3, [&](const Self &self) {
                     auto ticket = self.call({0, 1, 2}, "sum", 0);
                     self.await(std::move(ticket));
                 }));
        QCOMPARE(messageOf(world), std::string("no memory"));
    }

    void eachRankIsToldOfOnceAnExchangeIsDone()
    {
        std::atomic<int> ticks = 0;
        std::vector<std::string> told;
        std::mutex mutex;
        Meet::Hooks hooks = plainHooks();
        hooks.clock = [&ticks] { return std::chrono::steady_clock::time_point(std::chrono::nanoseconds(++ticks)); };
        hooks.attended = [&](const Attendance<std::string, Brought> &attendance) {
            const std::lock_guard lock(mutex);
            const bool inTime = attendance.begin < attendance.end && attendance.end.time_since_epoch() == 3ns;
            told.push_back(ranksText({attendance.rank}) + " in " + lineText(attendance.line) + " " + attendance.call +
                           " " + std::to_string(attendance.number) + " brought " +
                           std::to_string(attendance.part.value) + ", last " + std::to_string(attendance.last.value) +
                           (inTime ? "" : ", at a wrong time"));
        };
        World world(2, std::move(hooks));
        runRanks(world, {[](const Self &self) {
                             while (self.world.waits.waiting().empty())
                                 std::this_thread::yield();
                             self.gather({1, 0}, "sum", 5);
                         },
                         [](const Self &self) {
                             self.gather({1, 0}, "sum", 7);
                         }});
        QCOMPARE(told, (std::vector<std::string>{"rank 1 in [1, 0] sum 1 brought 7, last 0",
                                                 "rank 0 in [1, 0] sum 1 brought 5, last 0"}));
    }

    void randomProgramsEndRightOrInTheRightError()
    {
        std::map<Outcome, int> counts;
        for (unsigned seed = 1; seed <= 600; ++seed) {
            std::mt19937 random(seed);
            const std::vector<Steps> programs = randomPrograms(random);
            World world(static_cast<int>(programs.size()));
            std::atomic<int> wrong = 0;
            runRanks(world, std::vector<Program>(programs.size(), [&](const Self &self) {
                         for (const Step &step : programs[self.rank.index()]) {
                             auto ticket = self.call(step.line, step.call, self.rank.value);
                             if (!ticket)
                                 return;
                             const auto part = world.meet.wait(*std::move(ticket));
                             if (!part)
                                 return;
                             wrong += part->gathered == step.line ? 0 : 1;
                         }
                     }));
            const Outcome expected = outcomeOf(programs);
            ++counts[expected];
            const auto error = world.meet.error();
            const Outcome outcome = !error                               ? Outcome::Right
                                    : error->code == ErrorCode::Deadlock ? Outcome::Stall
                                                                         : Outcome::Disagreement;
            QVERIFY2(outcome == expected && wrong == 0,
                     qPrintable(QString("seed %1: %2").arg(seed).arg(QString::fromStdString(messageOf(world)))));
        }
        QVERIFY2(counts[Outcome::Right] > 200 && counts[Outcome::Stall] > 50 && counts[Outcome::Disagreement] > 40,
                 qPrintable(QString("%1 right, %2 stalls, %3 disagreements")
                                .arg(counts[Outcome::Right])
                                .arg(counts[Outcome::Stall])
                                .arg(counts[Outcome::Disagreement])));
    }
};

PIPESCOPE_TEST(TestRendezvous)
#include "tst_rendezvous.moc"
