#include "report/stage_report.h"

#include "graph/held_tensors.h"
#include "partition/split_point.h"

#include <set>
#include <string_view>
#include <unordered_map>

namespace pipescope::report {

namespace {

/// The model's held tensors, by each of their names and by the first value of each constant.
class HeldTensors
{
public:
    explicit HeldTensors(const graph::ModelGraph &graph)
        : m_held(graph::heldTensors(graph))
    {
        for (std::size_t i = 0; i < m_held.size(); ++i) {
            if (m_held[i].kind == graph::HeldKind::Constant)
                m_constants.emplace(m_held[i].values.front(), i);
            else
                for (const std::string &name : m_held[i].names)
                    m_named.emplace(name, i);
        }
    }

    /// Each tensor once.
    void addTo(StageReport &report, const partition::Stage &stage) const
    {
        std::set<std::size_t> held;
        for (const std::string &name : stage.parameters)
            if (const auto named = m_named.find(name); named != m_named.end())
                held.insert(named->second);
        for (const ValueId value : stage.constants)
            if (const auto constant = m_constants.find(value); constant != m_constants.end())
                held.insert(constant->second);
        for (const std::size_t index : held)
            add(report, m_held[index]);
    }

private:
    static void add(StageReport &report, const graph::HeldTensor &held)
    {
        switch (held.kind) {
        case graph::HeldKind::Parameter:
            report.parameters += elements(held.tensor);
            report.parameterBytes += held.tensor.bytes;
            break;
        case graph::HeldKind::Buffer:
            report.bufferBytes += held.tensor.bytes;
            break;
        case graph::HeldKind::Constant:
            report.constantBytes += held.tensor.bytes;
            break;
        }
    }

    std::vector<graph::HeldTensor> m_held;
    std::unordered_map<std::string_view, std::size_t> m_named;
    std::unordered_map<ValueId, std::size_t> m_constants;
};

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
    const HeldTensors held(graph);
    std::vector<StageReport> reports;
    for (const partition::Stage &stage : partition.stages) {
        StageReport report;
        report.name = stage.name;
        report.nodes = stage.end - stage.begin;
        if (stage.id.value > 0)
            report.first = words[stage.id.index() - 1];
        held.addTo(report, stage);
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
