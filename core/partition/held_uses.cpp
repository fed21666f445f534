#include "partition/held_uses.h"

#include "graph/module_names.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace pipescope::partition {

namespace {

using graph::HeldTensor;
using graph::ModelGraph;
using Stages = std::vector<StageId>;

// Of the values and names of the held tensors alone: a graph has many more values.
class Users
{
public:
    Users(const ModelGraph &graph, const std::vector<HeldTensor> &held, const Stages &stageOf)
        : m_modules(graph)
        , m_slot(graph.values.size(), -1)
    {
        for (const HeldTensor &tensor : held)
            for (const ValueId value : tensor.values)
                if (int &slot = m_slot[value.index()]; slot < 0) {
                    slot = static_cast<int>(m_ofValue.size());
                    m_ofValue.emplace_back();
                }
        for (int position = 0; position < graph.size(); ++position) {
            const graph::Node &node = graph.at(position);
            const StageId stage = stageOf[static_cast<std::size_t>(position)];
            for (const ValueId value : node.uses)
                use(value, stage);
            for (const std::vector<std::string> *state : {&node.stateRead, &node.stateWritten})
                for (const std::string &name : *state)
                    add(m_ofState[name], stage);
        }
        for (const ValueId output : graph.outputs)
            use(output, stageOf.empty() ? StageId{0} : stageOf.back());
    }

    [[nodiscard]] Stages of(const HeldTensor &tensor) const
    {
        Stages users;
        const auto take = [&](const Stages &stages) { users.insert(users.end(), stages.begin(), stages.end()); };
        for (const ValueId value : tensor.values)
            take(m_ofValue[static_cast<std::size_t>(m_slot[value.index()])]);
        for (const std::string &name : tensor.names)
            for (std::string_view read = name; !m_ofState.empty() && !read.empty(); read = m_modules.around(read))
                if (const auto state = m_ofState.find(read); state != m_ofState.end())
                    take(state->second);
        std::sort(users.begin(), users.end());
        users.erase(std::unique(users.begin(), users.end()), users.end());
        return users;
    }

private:
    void use(ValueId value, StageId stage)
    {
        if (const int slot = m_slot[value.index()]; slot >= 0)
            add(m_ofValue[static_cast<std::size_t>(slot)], stage);
    }

    // Positions ascend, and so do their stages.
    static void add(Stages &stages, StageId stage)
    {
        if (stages.empty() || stages.back() != stage)
            stages.push_back(stage);
    }

    graph::ModuleNames m_modules;
    std::vector<int> m_slot; // by value: its place in m_ofValue
    std::vector<Stages> m_ofValue;
    std::unordered_map<std::string_view, Stages> m_ofState; // a module that is read is read with all that it holds
};

} // namespace

std::vector<HeldUse> heldUses(const ModelGraph &graph, const std::vector<StageId> &stageOf)
{
    std::vector<HeldTensor> held = graph::heldTensors(graph);
    const Users users(graph, held, stageOf);
    std::vector<HeldUse> uses;
    uses.reserve(held.size());
    for (HeldTensor &tensor : held) {
        Stages stages = users.of(tensor);
        uses.push_back({std::move(tensor), std::move(stages)});
    }
    return uses;
}

UnusedTensors unusedTensors(const ModelGraph &graph)
{
    UnusedTensors unused;
    for (const auto &[tensor, stages] : heldUses(graph, std::vector<StageId>(graph.order.size(), StageId{0}))) {
        if (!stages.empty() || tensor.kind == graph::HeldKind::Constant)
            continue;
        unused.names.insert(unused.names.end(), tensor.names.begin(), tensor.names.end());
        unused.bytes += tensor.tensor.bytes;
        ++unused.tensors;
    }
    std::sort(unused.names.begin(), unused.names.end());
    return unused;
}

} // namespace pipescope::partition
