#include "report/run_needs.h"

#include "graph/held_tensors.h"
#include "partition/live_bytes.h"
#include "plan/stage_feeds.h"
#include "report/stage_report.h"
#include "schedule/in_flight.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace pipescope::report {

std::int64_t weightsOf(const graph::ModelGraph &graph)
{
    std::int64_t bytes = 0;
    for (const graph::HeldTensor &held : graph::heldTensors(graph))
        bytes += held.tensor.bytes;
    return bytes;
}

namespace {

std::optional<std::int64_t> argumentBytes(const graph::ModelGraph &graph)
{
    std::int64_t bytes = 0;
    for (const graph::Argument &argument : graph.arguments) {
        const auto &of = graph.value(argument.value).bytes;
        if (!of)
            return std::nullopt;
        bytes += *of;
    }
    return bytes;
}

/// Bytes of what was profiled as those of one microbatch, the first and largest, and of all.
class Scale
{
public:
    Scale(int microbatches, Profiled profiled)
        : m_microbatches(std::max(microbatches, 1))
        , m_profiled(profiled)
    {
    }

    [[nodiscard]] std::int64_t one(std::int64_t bytes) const
    {
        return m_profiled == Profiled::Microbatch ? bytes : (bytes + m_microbatches - 1) / m_microbatches;
    }
    [[nodiscard]] std::int64_t whole(std::int64_t bytes) const
    {
        return m_profiled == Profiled::WholeBatch ? bytes : bytes * m_microbatches;
    }
    [[nodiscard]] std::int64_t microbatches() const { return m_microbatches; }

private:
    std::int64_t m_microbatches;
    Profiled m_profiled;
};

/// What is known of a run once its shapes are.
struct Estimate
{
    std::int64_t inputs = 0;
    partition::LiveBytes live;
    Scale scale;
    bool grad = false;
    int nodes = 0;

    /// Of one microbatch that has ended: what it returned, with autograd all that it was made of.
    [[nodiscard]] std::int64_t kept() const { return scale.one(grad ? live.all() : live.returned()); }
    [[nodiscard]] std::int64_t keptOfOthers() const { return (scale.microbatches() - 1) * kept(); }
    [[nodiscard]] std::int64_t unsplitPeak() const { return grad ? live.all() : live.peak(0, nodes); }
};

/// What the ranks work with: each has the largest of its stages, as many as there are microbatches.
std::int64_t workingBytes(const Estimate &known, const partition::Partition &partition,
                          const schedule::Schedule &forwards, int inFlight)
{
    std::vector<std::int64_t> byRank(forwards.ranks.size());
    const std::vector<RankId> rankOf = schedule::rankOfStage(forwards);
    for (const partition::Stage &stage : partition.stages) {
        std::int64_t &most = byRank[rankOf[stage.id.index()].index()];
        most = std::max(most, known.scale.one(known.live.peak(stage.begin, stage.end)));
    }
    std::sort(byRank.begin(), byRank.end(), std::greater<>());
    byRank.resize(std::min(byRank.size(), static_cast<std::size_t>(inFlight)));
    return std::accumulate(byRank.begin(), byRank.end(), std::int64_t(0));
}

/// What waits for a stage, of microbatches under way that no rank works with.
std::int64_t waitingBytes(const Estimate &known, const partition::Partition &partition, int ranks, int inFlight)
{
    std::int64_t most = 0;
    for (const int cut : partition.cuts)
        most = std::max(most, known.scale.one(known.live.across(cut)));
    return std::max(inFlight - ranks, 0) * most;
}

/// The most that either half of the comparison takes: the unsplit model on one microbatch after another, beside the
/// run's outputs; then on the whole batch, beside both.
std::int64_t comparedBytes(const Estimate &known)
{
    const std::int64_t outputs = known.scale.microbatches() * known.kept();
    const std::int64_t reference = known.inputs + outputs + known.keptOfOthers() + known.scale.one(known.unsplitPeak());
    if (known.scale.microbatches() == 1)
        return reference;
    const std::int64_t joined = known.scale.whole(known.live.returned());
    return std::max(reference, known.inputs + 2 * outputs + known.scale.whole(known.unsplitPeak()) + joined);
}

std::optional<std::int64_t> inputsOf(const graph::ModelGraph &graph, const RunWay &way)
{
    if (way.inputBytes)
        return way.inputBytes;
    const auto bytes = way.profiled ? argumentBytes(graph) : std::nullopt;
    return bytes ? std::optional(Scale(way.microbatches, *way.profiled).whole(*bytes)) : std::nullopt;
}

std::optional<Estimate> estimateOf(const graph::ModelGraph &graph, const RunWay &way)
{
    const auto inputs = inputsOf(graph, way);
    if (!inputs || !way.profiled)
        return std::nullopt;
    auto live = partition::LiveBytes::of(graph);
    if (!live)
        return std::nullopt;
    return Estimate{*inputs, *std::move(live), Scale(way.microbatches, *way.profiled), way.grad, graph.size()};
}

/// As a run of the same measured them, which knows what operators take as well.
void takeMeasured(const graph::ModelGraph &graph, const RunWay &way, RunNeeds &needs)
{
    const auto inputs = inputsOf(graph, way);
    if (way.peakBytes.empty() || !inputs)
        return;
    needs.activations = std::accumulate(way.peakBytes.begin(), way.peakBytes.end(), *inputs);
    needs.isMeasured = true;
}

} // namespace

std::optional<bool> RunNeeds::fits() const
{
    if (!machine.memory)
        return std::nullopt;
    if (known() > machine.memory->bytes)
        return false;
    return isComplete() ? std::optional(true) : std::nullopt;
}

RunNeeds runNeeds(const graph::ModelGraph &graph, const partition::Partition &partition,
                  const std::optional<schedule::Schedule> &forwards, const RunWay &way, const Machine &machine)
{
    RunNeeds needs;
    needs.machine = machine;
    needs.weights = weightsOf(graph);
    needs.threadsPerRank = way.threadsPerRank;
    if (!way.check)
        needs.comparison = 0;
    for (const StageReport &stage : stageReports(graph, partition))
        needs.stageWeights.push_back(stage.parameterBytes + stage.bufferBytes + stage.constantBytes);
    if (!forwards || forwards->stages != static_cast<int>(partition.stages.size()))
        return needs;
    needs.ranks = static_cast<int>(forwards->ranks.size());
    const auto limit = schedule::inFlightLimit(*forwards, plan::feedsOf(partition), way.maxInFlight);
    if (!limit) // such a run is refused
        return needs;
    needs.inFlight = schedule::mostInFlight(*limit, way.microbatches);
    takeMeasured(graph, way, needs);
    const std::optional<Estimate> known = estimateOf(graph, way);
    if (!known)
        return needs;
    const std::int64_t estimated = known->inputs + workingBytes(*known, partition, *forwards, needs.inFlight) +
                                   waitingBytes(*known, partition, needs.ranks, needs.inFlight) + known->keptOfOthers();
    if (!needs.activations)
        needs.activations = estimated;
    if (way.check)
        needs.comparison = std::max<std::int64_t>(comparedBytes(*known) - *needs.activations, 0);
    return needs;
}

} // namespace pipescope::report
