#include "report/stage_report.h"

#include "partition/split_point.h"

#include <set>
#include <unordered_set>

namespace pipescope::report {

namespace {

/// What tells two tensors apart: tied names share the first one.
const std::string &tensorName(const graph::Parameter &parameter)
{
    return parameter.tiedTo.empty() ? parameter.fqn : parameter.tiedTo;
}

std::int64_t elements(const graph::TensorMeta &tensor)
{
    std::int64_t count = 1;
    for (const std::int64_t size : tensor.sizes)
        count *= size;
    return count;
}

void addParameters(StageReport &report, const graph::ModelGraph &graph, const partition::Stage &stage)
{
    const std::unordered_set<std::string> owned(stage.parameters.begin(), stage.parameters.end());
    std::set<std::string> counted;
    for (const graph::Parameter &parameter : graph.parameters) {
        if (!owned.contains(parameter.fqn) || !counted.insert(tensorName(parameter)).second)
            continue;
        if (parameter.isBuffer) {
            report.bufferBytes += parameter.tensor.bytes;
            continue;
        }
        report.parameters += elements(parameter.tensor);
        report.parameterBytes += parameter.tensor.bytes;
    }
}

std::optional<double> flopsOf(const graph::ModelGraph &graph, const partition::Stage &stage)
{
    double sum = 0;
    for (int position = stage.begin; position < stage.end; ++position) {
        const std::optional<double> &flops = graph.at(position).flops;
        if (!flops)
            return std::nullopt;
        sum += *flops;
    }
    return stage.begin < stage.end ? std::optional(sum) : std::nullopt;
}

} // namespace

std::vector<std::string> splitWords(const graph::ModelGraph &graph, const std::vector<int> &cuts)
{
    if (cuts.empty())
        return {};
    const std::vector<partition::SplitPoint> points = partition::splitPoints(graph);
    std::vector<std::string> words;
    words.reserve(cuts.size());
    for (const int cut : cuts)
        words.push_back(points[static_cast<std::size_t>(cut) - 1].id);
    return words;
}

std::vector<StageReport> stageReports(const graph::ModelGraph &graph, const partition::Partition &partition)
{
    const std::vector<std::string> words = splitWords(graph, partition.cuts);
    std::vector<StageReport> reports;
    for (const partition::Stage &stage : partition.stages) {
        StageReport report;
        report.name = stage.name;
        report.nodes = stage.end - stage.begin;
        if (stage.id.value > 0)
            report.first = words[stage.id.index() - 1];
        addParameters(report, graph, stage);
        report.flops = flopsOf(graph, stage);
        reports.push_back(std::move(report));
    }
    return reports;
}

void addMeasurements(std::vector<StageReport> &stages, const trace::Trace &trace, const trace::Stats &stats)
{
    for (const trace::Event &event : trace.events) {
        if (!event.stage.valid() || event.stage.index() >= stages.size())
            continue;
        StageReport &stage = stages[event.stage.index()];
        if (event.kind == trace::EventKind::Compute)
            stage.rank = event.rank;
        if (event.kind == trace::EventKind::Send)
            stage.sentBytes += event.bytes;
    }
    for (std::size_t i = 0; i < stages.size(); ++i) {
        if (trace.microbatches > 0)
            stages[i].sentBytes /= trace.microbatches;
        if (i < stats.stages.size())
            stages[i].seconds = trace::medianSeconds(stats.stages[i].kinds, schedule::ActionKind::Forward);
    }
}

} // namespace pipescope::report
