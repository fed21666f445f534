#include "partition/partition.h"

#include "partition/cut.h"
#include "partition/held_uses.h"
#include "partition/value_span.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <tuple>

namespace pipescope::partition {

namespace {

using graph::ModelGraph;
using graph::ValueKind;

Status checkCuts(const ModelGraph &graph, const std::vector<int> &cuts)
{
    if (cuts.empty())
        return Success{};
    const std::vector<Cut> all = allCuts(graph);
    int previous = 0;
    for (const int position : cuts) {
        if (position <= 0 || position >= graph.size())
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("there is no place {} to cut at; the model's places are 1 to {}", position,
                                     graph.size() - 1),
                         fmt::format("cut {}", position),
                         {}};
        if (position <= previous)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("cut {} follows cut {}; cuts have to ascend", position, previous),
                         fmt::format("cut {}", position),
                         {}};
        const Cut &cut = all[static_cast<std::size_t>(position) - 1];
        if (!cut.legal)
            return Error{
                ErrorCode::IllegalCut,
                fmt::format("the model cannot be split before {}: {}", describe(graph.at(position)), cut.reason),
                graph.at(position).name,
                {}};
        previous = position;
    }
    return Success{};
}

// Collects what each stage takes, gives and holds.
class StageFiller
{
public:
    StageFiller(const ModelGraph &graph, Partition &partition)
        : m_graph(graph)
        , m_partition(partition)
        , m_spans(valueSpans(graph))
        , m_sets(partition.stages.size())
    {
    }

    void run()
    {
        for (int position = 0; position < m_graph.size(); ++position) {
            for (const ValueId input : m_graph.at(position).uses)
                use(input, m_partition.stageOf[static_cast<std::size_t>(position)]);
        }
        for (const ValueId output : m_graph.outputs) {
            if (m_graph.value(output).kind == ValueKind::Result)
                m_sets[makerOf(output).index()].outputs.insert(output);
        }
        for (std::size_t i = 0; i < m_sets.size(); ++i) {
            Stage &stage = m_partition.stages[i];
            stage.inputs.assign(m_sets[i].inputs.begin(), m_sets[i].inputs.end());
            stage.outputs.assign(m_sets[i].outputs.begin(), m_sets[i].outputs.end());
            stage.held.assign(m_sets[i].held.begin(), m_sets[i].held.end());
        }
        std::sort(m_partition.transfers.begin(), m_partition.transfers.end(), [](const Transfer &a, const Transfer &b) {
            return std::tie(a.from, a.to, a.value) < std::tie(b.from, b.to, b.value);
        });
    }

private:
    struct Sets
    {
        std::set<ValueId> inputs;
        std::set<ValueId> outputs;
        std::set<ValueId> held;
    };

    StageId makerOf(ValueId result) const
    {
        return m_partition.stageOf[static_cast<std::size_t>(m_spans[result.index()].made)];
    }

    void use(ValueId value, StageId stage)
    {
        Sets &sets = m_sets[stage.index()];
        switch (m_graph.value(value).kind) {
        case ValueKind::Parameter:
        case ValueKind::Buffer:
        case ValueKind::Attribute:
            sets.held.insert(value);
            break;
        case ValueKind::Input:
            if (sets.inputs.insert(value).second)
                m_partition.transfers.push_back({value, StageId{}, stage});
            break;
        case ValueKind::Result:
            if (makerOf(value) != stage && sets.inputs.insert(value).second) {
                m_partition.transfers.push_back({value, makerOf(value), stage});
                m_sets[makerOf(value).index()].outputs.insert(value);
            }
            break;
        case ValueKind::Constant:
        case ValueKind::Inner:
            break;
        }
    }

    const ModelGraph &m_graph;
    Partition &m_partition;
    std::vector<ValueSpan> m_spans;
    std::vector<Sets> m_sets;
};

// What each stage owns, and which parameters are copied into several.
void shareOut(const ModelGraph &graph, Partition &partition)
{
    for (auto &[tensor, stages] : heldUses(graph, partition.stageOf)) {
        for (const StageId id : stages) {
            Stage &stage = partition.stages[id.index()];
            if (tensor.kind == graph::HeldKind::Constant)
                stage.constants.push_back(tensor.values.front());
            else
                stage.parameters.insert(stage.parameters.end(), tensor.names.begin(), tensor.names.end());
        }
        if (tensor.kind == graph::HeldKind::Parameter && stages.size() > 1)
            partition.ties.push_back({tensor.names.front(), std::move(stages)});
    }
    for (Stage &stage : partition.stages)
        std::sort(stage.parameters.begin(), stage.parameters.end());
}

} // namespace

Result<Partition> makePartition(const ModelGraph &graph, const std::vector<int> &cuts)
{
    if (auto ok = checkCuts(graph, cuts); !ok)
        return ok.error();
    Partition partition;
    partition.cuts = cuts;
    int begin = 0;
    for (std::size_t i = 0; i <= cuts.size(); ++i) {
        const StageId id{static_cast<int>(i)};
        const int end = i < cuts.size() ? cuts[i] : graph.size();
        partition.stageOf.insert(partition.stageOf.end(), static_cast<std::size_t>(end - begin), id);
        partition.stages.push_back({id, fmt::format("stage{}", i), begin, end, {}, {}, {}, {}, {}});
        begin = end;
    }
    StageFiller(graph, partition).run();
    shareOut(graph, partition);
    return partition;
}

} // namespace pipescope::partition
