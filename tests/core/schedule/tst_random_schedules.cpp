// Valid schedules with a few random changes, through the validator and through a plain simulation that knows nothing of
// it: both must come to the same verdict.
#include "schedule/schedule_csv.h"
#include "schedule/validate_schedule.h"
#include "support/schedule_text.h"
#include "support/test_program.h"

#include <QTest>
#include <random>
#include <set>

using namespace pipescope;
using namespace pipescope::schedule;
using tests::scheduleOf;
using tests::shown;

namespace {

// Pairs of stages: the first feeds the second.
using Edges = std::set<std::pair<int, int>>;

Edges chainOf(int stages)
{
    Edges edges;
    for (int stage = 1; stage < stages; ++stage)
        edges.emplace(stage - 1, stage);
    return edges;
}

// Walks all rows in turns, one action each, until nobody can go on.
class Simulation
{
public:
    Simulation(const Schedule &schedule, Edges edges, int maxInFlight)
        : m_schedule(schedule)
        , m_edges(std::move(edges))
        , m_limit(maxInFlight)
    {
        for (const Row &row : schedule.ranks)
            for (const Cell &cell : row)
                m_trains = m_trains || (cell && cell->kind != ActionKind::Forward);
    }

    // Whether each action runs exactly once, on one rank per stage, and nothing is missing at the end.
    bool runsWhole()
    {
        for (const std::vector<Action> &row : rows())
            if (row.empty())
                return false;
        std::vector<std::vector<Action>> left = rows();
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t rank = 0; rank < left.size(); ++rank)
                if (!left[rank].empty() && tryRun(left[rank].front(), rank)) {
                    left[rank].erase(left[rank].begin());
                    moved = true;
                }
        }
        return !m_broken && std::all_of(left.begin(), left.end(), [](const auto &row) { return row.empty(); }) &&
               isWhole();
    }

private:
    using Done = std::tuple<ActionKind, int, int>;

    [[nodiscard]] std::vector<std::vector<Action>> rows() const
    {
        std::vector<std::vector<Action>> result;
        for (const Row &row : m_schedule.ranks) {
            result.emplace_back();
            for (const Cell &cell : row)
                if (cell)
                    result.back().push_back(*cell);
        }
        return result;
    }

    [[nodiscard]] bool did(ActionKind kind, int stage, int microbatch) const
    {
        return m_done.count({kind, stage, microbatch}) > 0;
    }
    [[nodiscard]] bool didBackward(int stage, int microbatch) const
    {
        return did(ActionKind::FullBackward, stage, microbatch) || did(ActionKind::BackwardInput, stage, microbatch);
    }

    bool tryRun(const Action &action, std::size_t rank)
    {
        const int s = action.stage.value;
        const int i = action.microbatch.value;
        const bool forward = action.kind == ActionKind::Forward;
        const bool backward = action.kind == ActionKind::FullBackward || action.kind == ActionKind::BackwardInput;
        for (const auto &[from, to] : m_edges)
            if ((forward && to == s && !did(ActionKind::Forward, from, i)) ||
                (backward && from == s && !didBackward(to, i)))
                return false;
        if (backward && !did(ActionKind::Forward, s, i))
            return false;
        if (action.kind == ActionKind::BackwardWeight && !did(ActionKind::BackwardInput, s, i))
            return false;
        if (forward && s == 0 && m_limit > 0 && m_underWay >= m_limit)
            return false;
        if (forward && s > 0 && m_limit > 0 && isFirst(s) && !did(ActionKind::Forward, 0, i))
            return false;
        const bool wasEnded = hasEnded(i);
        m_broken = m_broken || (backward && didBackward(s, i)) || m_owner.emplace(s, rank).first->second != rank;
        m_broken = m_broken || !m_done.insert({action.kind, s, i}).second;
        if (forward && s == 0)
            ++m_underWay;
        if (!wasEnded && hasEnded(i))
            --m_underWay;
        return true;
    }

    [[nodiscard]] bool isFirst(int stage) const
    {
        return std::none_of(m_edges.begin(), m_edges.end(), [&](const auto &edge) { return edge.second == stage; });
    }
    [[nodiscard]] bool isLast(int stage) const
    {
        return std::none_of(m_edges.begin(), m_edges.end(), [&](const auto &edge) { return edge.first == stage; });
    }

    // Whether nothing of a microbatch is left to wait for.
    [[nodiscard]] bool hasEnded(int microbatch) const
    {
        for (int s = 0; s < m_schedule.stages; ++s) {
            const bool ended = m_trains ? !isFirst(s) || did(ActionKind::FullBackward, s, microbatch) ||
                                              did(ActionKind::BackwardWeight, s, microbatch)
                                        : !isLast(s) || did(ActionKind::Forward, s, microbatch);
            if (!ended)
                return false;
        }
        return true;
    }

    [[nodiscard]] bool isWhole() const
    {
        for (int s = 0; s < m_schedule.stages; ++s)
            for (int i = 0; i < m_schedule.microbatches; ++i) {
                const bool split = did(ActionKind::BackwardInput, s, i);
                const bool back = did(ActionKind::FullBackward, s, i) || split;
                if (!did(ActionKind::Forward, s, i) || back != m_trains ||
                    split != did(ActionKind::BackwardWeight, s, i))
                    return false;
            }
        return m_done.size() == actions();
    }

    [[nodiscard]] std::size_t actions() const
    {
        std::size_t count = 0;
        for (const std::vector<Action> &row : rows())
            count += row.size();
        return count;
    }

    const Schedule &m_schedule;
    Edges m_edges;
    int m_limit;
    bool m_trains = false;
    int m_underWay = 0;
    bool m_broken = false;
    std::set<Done> m_done;
    std::map<int, std::size_t> m_owner;
};

const std::vector<std::vector<std::string>> Bases{
    {"0F0 0F1 0F2 0F3", "1F0 1F1 1F2 1F3", "2F0 2F1 2F2 2F3"},
    {"0F0 0F1 0F2 2F0 2F1 2F2", "1F0 1F1 1F2 3F0 3F1 3F2"},
    {"0F0 0F1 0F2 0B0 0B1 0B2", "1F0 1F1 1F2 1B0 1B1 1B2"},
    {"0F0 0F1 0F2 0B0 0F3 0B1 0B2 0B3", "1F0 1F1 1B0 1F2 1B1 1F3 1B2 1B3", "2F0 2B0 2F1 2B1 2F2 2B2 2F3 2B3"},
    {"0F0 . 0F1 0I0 0W0 0I1 0W1", ". 1F0 1I0 1F1 1I1 1W0 1W1"},
    {"0F0 0F1 0F2 3F0 3I0 3W0 3F1 3I1 3W1 0I0 0W0 3F2 3I2 3W2 0I1 0W1 0I2 0W2",
     "1F0 2F0 1F1 2F1 2I0 2W0 1F2 1I0 1W0 2F2 2I1 2W1 1I1 2I2 1I2 1W1 2W2 1W2"},
};

class Random
{
public:
    explicit Random(unsigned seed)
        : m_engine(seed)
    {
    }
    std::size_t below(std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(m_engine); }

private:
    std::mt19937 m_engine;
};

Row &anyRow(Schedule &schedule, Random &random)
{
    return schedule.ranks[random.below(schedule.ranks.size())];
}

void change(Schedule &schedule, Random &random)
{
    Row &row = anyRow(schedule, random);
    Row &other = anyRow(schedule, random);
    if (row.empty() || other.empty())
        return;
    const std::size_t at = random.below(row.size());
    const std::size_t to = random.below(other.size());
    switch (random.below(6)) {
    case 0: // drop
        row.erase(row.begin() + static_cast<std::ptrdiff_t>(at));
        break;
    case 1: { // twice
        const Cell copy = row[at];
        other.insert(other.begin() + static_cast<std::ptrdiff_t>(to), copy);
        break;
    }
    case 2: // swap anywhere
        std::swap(row[at], other[to]);
        break;
    case 3: // swap on one rank, which often is still right
        std::swap(row[at], row[random.below(row.size())]);
        break;
    case 4: // another microbatch
        if (row[at])
            row[at]->microbatch =
                MicrobatchId{static_cast<int>(random.below(static_cast<std::size_t>(schedule.microbatches)))};
        break;
    default: // another kind
        if (row[at])
            row[at]->kind = std::array{ActionKind::Forward, ActionKind::FullBackward, ActionKind::BackwardInput,
                                       ActionKind::BackwardWeight}[random.below(4)];
        break;
    }
}

Schedule changedBase(unsigned seed, Random &random)
{
    Schedule schedule = scheduleOf(Bases[seed % Bases.size()]);
    for (std::size_t changes = random.below(4); changes > 0; --changes)
        change(schedule, random);
    return schedule;
}

QString difference(unsigned seed, int limit, const Schedule &schedule, const Status &valid)
{
    return QString("seed %1, limit %2: the simulation %3, the validator says: %4\n%5")
        .arg(seed)
        .arg(limit)
        .arg(valid ? "does not run" : "runs", valid ? "fine" : shown(valid.error().message), shown(toCsv(schedule)));
}

// The changes must leave some of each kind, or the comparison says little.
struct Verdicts
{
    int accepted = 0;
    int deadlocked = 0;

    void add(const Status &valid)
    {
        accepted += valid ? 1 : 0;
        deadlocked += !valid && valid.error().code == ErrorCode::Deadlock ? 1 : 0;
    }
    [[nodiscard]] bool haveAllKinds(int mostAccepted, int mostDeadlocked) const
    {
        return accepted > mostAccepted && deadlocked > mostDeadlocked;
    }
    [[nodiscard]] QString text() const { return QString("%1 accepted, %2 deadlocked").arg(accepted).arg(deadlocked); }
};

} // namespace

class TestRandomSchedules : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theValidatorAgreesWithASimulation()
    {
        Verdicts verdicts;
        for (unsigned seed = 0; seed < 3000; ++seed) {
            Random random(seed);
            const Schedule schedule = changedBase(seed, random);
            const int limit = static_cast<int>(random.below(4));
            const Status valid = validateSchedule(schedule, {.needsBackward = false, .maxInFlight = limit});
            const bool runs = Simulation(schedule, chainOf(schedule.stages), limit).runsWhole();
            QVERIFY2(static_cast<bool>(valid) == runs, qPrintable(difference(seed, limit, schedule, valid)));
            verdicts.add(valid);
        }
        QVERIFY2(verdicts.haveAllKinds(500, 150), qPrintable(verdicts.text()));
    }

    void theValidatorAgreesOnStagesThatSkipStages()
    {
        Verdicts verdicts;
        for (unsigned seed = 0; seed < 1500; ++seed) {
            Random random(seed);
            const Schedule schedule = changedBase(seed, random);
            const int limit = static_cast<int>(random.below(4));
            Edges edges;
            std::vector<Feeds::Edge> given;
            for (int from = 0; from < schedule.stages; ++from)
                for (int to = from + 1; to < schedule.stages; ++to)
                    if (random.below(3) > 0) {
                        edges.emplace(from, to);
                        given.push_back({StageId{from}, StageId{to}});
                    }
            const Status valid = validateSchedule(
                schedule, {.needsBackward = false, .maxInFlight = limit, .feeds = Feeds(schedule.stages, given)});
            const bool runs = Simulation(schedule, edges, limit).runsWhole();
            QVERIFY2(static_cast<bool>(valid) == runs, qPrintable(difference(seed, limit, schedule, valid)));
            verdicts.add(valid);
        }
        QVERIFY2(verdicts.haveAllKinds(250, 60), qPrintable(verdicts.text()));
    }
};

PIPESCOPE_TEST(TestRandomSchedules)
#include "tst_random_schedules.moc"
