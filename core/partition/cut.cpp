#include "partition/cut.h"

#include "base/error.h"
#include "partition/seed_bans.h"
#include "partition/shared_memory.h"
#include "partition/value_span.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace pipescope::partition {

namespace {

using graph::Crossing;
using graph::ModelGraph;
using graph::Node;
using graph::Value;
using graph::ValueKind;

using Reason = std::function<std::string(const Cut &)>;

std::string_view kindName(ValueKind kind)
{
    switch (kind) {
    case ValueKind::Input:
        return "argument";
    case ValueKind::Parameter:
        return "parameter";
    case ValueKind::Buffer:
        return "buffer";
    case ValueKind::Attribute:
        return "attribute";
    case ValueKind::Constant:
        return "constant";
    case ValueKind::Result:
    case ValueKind::Inner:
        break;
    }
    return "value";
}

// The model itself is an attribute without a name.
std::string quoted(const std::string &name)
{
    return name.empty() ? "the model" : fmt::format("'{}'", name);
}

// The uses of one attribute that the model assigns.
struct StateUse
{
    NodeId node;
    int position = 0;
    bool assigns = false;
};

class CutFinder
{
public:
    explicit CutFinder(const ModelGraph &graph)
        : m_graph(graph)
        , m_spans(valueSpans(graph))
        , m_memory(memoryBans(graph))
    {
    }

    std::vector<Cut> run()
    {
        fillCrossings();
        m_nextOpen.resize(m_cuts.size() + 1);
        std::iota(m_nextOpen.begin(), m_nextOpen.end(), 0);
        refuseTypes();
        refuseSharedState();
        refuseWrites(); // after shared state: what is left has a crossing value to name
        refuseContainers();
        refuseSharedAttributes();
        refuseSeeds();
        refuseDifferentiated();
        return std::move(m_cuts);
    }

private:
    void fillCrossings()
    {
        std::vector<ValueId> active; // ascending
        std::vector<std::vector<ValueId>> endingAt(static_cast<std::size_t>(m_graph.size()));
        for (int position = 0; position + 1 < m_graph.size(); ++position) {
            for (const ValueId ending : endingAt[static_cast<std::size_t>(position)])
                active.erase(std::lower_bound(active.begin(), active.end(), ending));
            for (const ValueId output : m_graph.at(position).outputs) {
                const int lastUse = m_spans[output.index()].lastUse;
                if (lastUse <= position)
                    continue;
                active.insert(std::lower_bound(active.begin(), active.end(), output), output);
                endingAt[static_cast<std::size_t>(lastUse)].push_back(output);
            }
            m_cuts.push_back({position + 1, true, {}, active});
        }
    }

    // Makes the positions in [first, last] illegal that are not so already. Refused ones are skipped over in nearly
    // constant time, so that overlapping bans stay linear altogether.
    void refuse(int first, int last, const Reason &reason)
    {
        for (int index = openFrom(std::max(first, 1) - 1); index < last && index < static_cast<int>(m_cuts.size());
             index = openFrom(index)) {
            Cut &cut = m_cuts[static_cast<std::size_t>(index)];
            cut.legal = false;
            cut.reason = reason(cut);
            m_nextOpen[static_cast<std::size_t>(index)] = index + 1;
        }
    }

    int openFrom(int index)
    {
        index = std::min(index, static_cast<int>(m_cuts.size()));
        int open = index;
        while (next(open) != open)
            open = next(open);
        while (next(index) != index) {
            const int following = next(index);
            next(index) = open;
            index = following;
        }
        return open;
    }

    int &next(int index) { return m_nextOpen[static_cast<std::size_t>(index)]; }

    void refuseTypes()
    {
        for (const Value &value : m_graph.values) {
            const ValueSpan &span = m_spans[value.id.index()];
            if (value.crossing != Crossing::Refused || span.lastUse < 0)
                continue;
            if (value.kind == ValueKind::Result)
                refuse(span.made + 1, span.lastUse, [&value](const Cut &) {
                    return fmt::format("'{}' crosses here, and a value of type {} cannot be sent to another stage",
                                       value.name, value.type);
                });
            if (value.kind == ValueKind::Input)
                refuse(1, span.lastUse, [&value](const Cut &) {
                    return fmt::format("the argument '{}' is used after the cut, and a value of type {} cannot be sent "
                                       "to another stage",
                                       value.name, value.type);
                });
        }
    }

    void refuseWrites()
    {
        for (const WriteBan &ban : m_memory.writes)
            refuse(ban.first, ban.last, [this, &ban](const Cut &cut) { return writeReason(ban, cut); });
    }

    std::string writeReason(const WriteBan &ban, const Cut &cut) const
    {
        const std::vector<int> &memory = ban.containerOnly ? m_memory.containerOf : m_memory.classOf;
        const auto shares = [&](ValueId value) { return memory[value.index()] == ban.memory; };
        const bool itself = std::binary_search(cut.crossing.begin(), cut.crossing.end(), ban.written);
        const auto sharing = std::find_if(cut.crossing.begin(), cut.crossing.end(), shares);
        PIPESCOPE_ASSERT(itself || sharing != cut.crossing.end());
        const std::string written = quoted(ban.attribute.empty() ? m_graph.value(ban.written).name : ban.attribute);
        const std::string subject = itself ? fmt::format("{} crosses here and is", written)
                                           : fmt::format("'{}' crosses here and may share memory with {}, which is",
                                                         m_graph.value(*sharing).name, written);
        return fmt::format(
            "{} written in place by {} after the cut; the stage before would see that or not, depending on "
            "the device",
            subject, graph::describe(m_graph.node(ban.writer)));
    }

    void refuseContainers()
    {
        for (const ContainerBan &ban : containerBans(m_graph, m_memory.callContainers))
            refuse(ban.first, ban.last, [this, &ban](const Cut &) { return reasonOf(ban, m_graph); });
    }

    // An object that is taken whole says less than the attributes that are used of it.
    std::string stateName(const StateBan &ban) const
    {
        const Value &state = m_graph.value(ban.state);
        if (!ban.attribute.empty())
            return fmt::format("attribute '{}'", ban.attribute);
        for (const NodeId id : {ban.writer, ban.firstUser, ban.lastUser}) {
            const Node &node = m_graph.node(id);
            for (const std::vector<std::string> *fqns : {&node.stateRead, &node.stateWritten})
                if (!fqns->empty() && state.crossing == Crossing::Refused)
                    return fmt::format("attribute '{}'", fqns->front());
        }
        return state.name.empty() ? "state of the model" : fmt::format("{} '{}'", kindName(state.kind), state.name);
    }

    void refuseSharedState()
    {
        for (const StateBan &ban : m_memory.states)
            refuse(ban.first, ban.last, [this, &ban](const Cut &) {
                return fmt::format("the {} is written in place by {} and used on both sides of the cut, by {} and "
                                   "by {}; state belongs to one stage",
                                   stateName(ban), graph::describe(m_graph.node(ban.writer)),
                                   graph::describe(m_graph.node(ban.firstUser)),
                                   graph::describe(m_graph.node(ban.lastUser)));
            });
    }

    void refuseSharedAttributes()
    {
        for (const auto &entry : stateUses()) {
            const std::vector<StateUse> &uses = entry.second;
            const auto writer = std::find_if(uses.begin(), uses.end(), [](const StateUse &use) { return use.assigns; });
            if (writer != uses.end())
                refuse(uses.front().position + 1, uses.back().position,
                       [&](const Cut &) { return attributeReason(entry.first, uses.front(), uses.back(), *writer); });
        }
    }

    // Gradients go back to whatever the node's operands share memory with, through everything between.
    void refuseDifferentiated()
    {
        std::unordered_map<int, int> firstUse; // by class of memory
        for (int position = 0; position < m_graph.size(); ++position) {
            const Node &node = m_graph.at(position);
            int first = position;
            for (const ValueId used : node.uses) {
                if (!m_graph.value(used).holdsTensors)
                    continue;
                const auto [entry, added] = firstUse.emplace(m_memory.classOf[used.index()], position);
                if (node.differentiates)
                    first = std::min(first, entry->second);
            }
            if (node.differentiates)
                refuse(first + 1, position, [&node](const Cut &) {
                    return fmt::format("{} takes gradients through the operators before it, on both sides of the cut; "
                                       "the graph of autograd belongs to one stage",
                                       graph::describe(node));
                });
        }
    }

    void refuseSeeds()
    {
        for (const SeedBan &ban : seedBans(m_graph))
            refuse(ban.first, ban.last, [this, &ban](const Cut &) { return reasonOf(ban, m_graph); });
    }

    std::string attributeReason(const std::string &fqn, const StateUse &first, const StateUse &last,
                                const StateUse &writer) const
    {
        const auto did = [this](const StateUse &use) {
            return fmt::format("{} by {}", use.assigns ? "assigned" : "read", graph::describe(m_graph.node(use.node)));
        };
        const std::string between = first.assigns || last.assigns ? "" : fmt::format(", and {}", did(writer));
        return fmt::format("the attribute '{}' is {} before the cut and {} after it{}; state belongs to one stage", fqn,
                           did(first), did(last), between);
    }

    // By attribute, in program order; a node that reads and assigns counts as assigning.
    std::map<std::string, std::vector<StateUse>> stateUses() const
    {
        std::map<std::string, std::vector<StateUse>> uses;
        std::vector<NodeId> open;
        for (int position = 0; position < m_graph.size(); ++position) {
            open.assign(1, m_graph.at(position).id);
            while (!open.empty()) {
                const Node &node = m_graph.node(open.back());
                open.pop_back();
                open.insert(open.end(), node.children.rbegin(), node.children.rend());
                for (const std::string &fqn : node.stateRead)
                    uses[fqn].push_back({node.id, position, false});
                for (const std::string &fqn : node.stateWritten)
                    uses[fqn].push_back({node.id, position, true});
            }
        }
        return uses;
    }

    const ModelGraph &m_graph;
    std::vector<ValueSpan> m_spans;
    MemoryBans m_memory;
    std::vector<Cut> m_cuts;
    std::vector<int> m_nextOpen; // by index of a cut: itself while legal, else a later one
};

} // namespace

std::vector<Cut> allCuts(const ModelGraph &graph)
{
    return CutFinder(graph).run();
}

std::optional<std::int64_t> crossingBytes(const ModelGraph &graph, const Cut &cut)
{
    std::int64_t total = 0;
    for (const ValueId id : cut.crossing) {
        const Value &value = graph.value(id);
        if (value.bytes)
            total += *value.bytes;
        else if (value.tensor)
            total += value.tensor->bytes;
        else if (value.holdsTensors)
            return std::nullopt;
    }
    return total;
}

} // namespace pipescope::partition
