#include "report/check_report.h"

#include "graph/check_references.h"
#include "trace/check_trace.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace pipescope::report {

namespace {

Error wrong(const std::string &what)
{
    return {ErrorCode::InvalidFile, fmt::format("a report does not hold together: {}", what), {}, {}};
}

bool isAsManyOrNone(std::size_t size, int count)
{
    return size == 0 || size == static_cast<std::size_t>(count);
}

/// Elements of a tensor of these sizes; nullopt where they are no sizes.
std::optional<std::int64_t> elementsOf(const std::vector<std::int64_t> &sizes)
{
    if (std::any_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size < 0; }))
        return std::nullopt;
    if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end())
        return 0;
    std::int64_t count = 1;
    for (const std::int64_t size : sizes) {
        if (count > std::numeric_limits<std::int64_t>::max() / size)
            return std::nullopt;
        count *= size;
    }
    return count;
}

bool isFinite(const std::optional<double> &number)
{
    return !number || std::isfinite(*number);
}

/// "" where nothing is wrong.
std::string faultOf(const LeafStatistics &leaf)
{
    if (elementsOf(leaf.sizes) != leaf.count)
        return fmt::format("{} elements are not what its sizes make", leaf.count);
    if (leaf.bytes < 0)
        return "it has less than no bytes";
    // Subtracted one by one: a sum could leave the range.
    std::int64_t rest = leaf.count;
    for (const std::int64_t part : {leaf.nans, leaf.infinities}) {
        if (part < 0 || part > rest)
            return "it counts more than its elements";
        rest -= part;
    }
    if (leaf.zeros < 0 || leaf.zeros > rest)
        return "it counts more than its elements";
    for (const std::int64_t bin : leaf.histogram) {
        if (bin < 0 || bin > rest)
            return "its histogram counts more than its elements";
        rest -= bin;
    }
    if (!isFinite(leaf.smallest) || !isFinite(leaf.largest) || !isFinite(leaf.mean) || !isFinite(leaf.deviation))
        return "a moment of it is not finite";
    if (leaf.smallest.value_or(0) > leaf.largest.value_or(leaf.smallest.value_or(0)))
        return "its smallest element is larger than its largest";
    if (!leaf.histogram.empty() && !(leaf.smallest && leaf.largest))
        return "its histogram has no ends";
    return "";
}

/// "" where nothing is wrong. Without stages nothing is known of what there is.
std::string faultOf(const Equivalence &equivalence, const trace::Trace &trace)
{
    if (trace.stages == 0)
        return "";
    if (!isAsManyOrNone(equivalence.byMicrobatch.size(), trace.microbatches))
        return fmt::format("differences of {} microbatches, of {}", equivalence.byMicrobatch.size(),
                           trace.microbatches);
    const auto isThere = [&trace](const std::optional<Divergence> &first) {
        return !first || (first->stage.value < trace.stages && first->microbatch.value < trace.microbatches);
    };
    if (!isThere(equivalence.first))
        return "it differs first in a stage or microbatch that there is not";
    for (const OutputEquivalence &output : equivalence.byOutput) {
        if (!isThere(output.first) || output.worst.value >= trace.microbatches)
            return fmt::format("{} differs in a stage or microbatch that there is not", output.name);
    }
    return "";
}

} // namespace

Status checkReport(const Inspection &inspection)
{
    const graph::ModelGraph &graph = inspection.graph;
    if (Status whole = graph::checkReferences(graph); !whole)
        return whole;
    const auto isThere = [&graph](ValueId id) { return id.valid() && id.index() < graph.values.size(); };
    const auto areThere = [&](const std::vector<ValueId> &ids) { return std::all_of(ids.begin(), ids.end(), isThere); };
    const std::vector<partition::SplitPoint> &points = inspection.splitPoints;
    if (!isAsManyOrNone(points.size(), std::max(0, graph.size() - 1)))
        return wrong(fmt::format("{} split points for {} nodes", points.size(), graph.size()));
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (points[i].cut.position != static_cast<int>(i) + 1)
            return wrong(fmt::format("split point {} has another's place", i));
        if (!areThere(points[i].cut.crossing))
            return wrong(fmt::format("at split point {} crosses a value that there is not", i));
    }
    if (!isAsManyOrNone(inspection.moduleCosts.size(), static_cast<int>(graph.modules.size())))
        return wrong(fmt::format("costs of {} modules, of {}", inspection.moduleCosts.size(), graph.modules.size()));
    for (const ModuleCost &cost : inspection.moduleCosts) {
        if (!areThere(cost.outputs))
            return wrong("a module makes a value that there is not");
    }
    return Success{};
}

Status checkReport(const RunReport &run)
{
    const auto &[number, parts, events, samples] = run.traced;
    if (number < 0 || parts < 0 || events < 0 || samples < 0)
        return wrong(fmt::format("of run {} there are {} parts, {} events and {} memory samples", number, parts, events,
                                 samples));
    if (run.equivalence && run.equivalence->moreOutputs < 0)
        return wrong("it has left out less than no outputs");
    return Success{};
}

Status checkReport(const TracedRun &run)
{
    if (Status whole = checkReport(static_cast<const RunReport &>(run)); !whole)
        return whole;
    if (Status whole = trace::checkTrace(run.trace); !whole)
        return whole;
    if (!isAsManyOrNone(run.stats.ranks.size(), run.trace.ranks))
        return wrong(fmt::format("statistics of {} ranks for a trace of {}", run.stats.ranks.size(), run.trace.ranks));
    if (!isAsManyOrNone(run.stats.stages.size(), run.trace.stages))
        return wrong(
            fmt::format("statistics of {} stages for a trace of {}", run.stats.stages.size(), run.trace.stages));
    if (run.trace.stages > 0 && !isAsManyOrNone(run.stages.size(), run.trace.stages))
        return wrong(fmt::format("{} stages for a trace of {}", run.stages.size(), run.trace.stages));
    if (run.equivalence) {
        if (const std::string fault = faultOf(*run.equivalence, run.trace); !fault.empty())
            return wrong(fault);
    }
    return Success{};
}

Status checkReport(const StatisticsReport &statistics)
{
    if (statistics.moreLeaves < 0)
        return wrong("it has left out less than no tensors");
    for (const LeafStatistics &leaf : statistics.leaves) {
        if (const std::string fault = faultOf(leaf); !fault.empty())
            return wrong(fmt::format("tensor '{}{}': {}", statistics.name, leaf.path, fault));
    }
    return Success{};
}

} // namespace pipescope::report
