#include "graph/check_references.h"

#include <algorithm>
#include <fmt/format.h>

namespace pipescope::graph {

namespace {

class Checker
{
public:
    explicit Checker(const ModelGraph &graph)
        : m_graph(graph)
    {
    }

    Status run()
    {
        checkValues();
        checkNodes();
        checkOrder();
        for (const Argument &argument : m_graph.arguments)
            require(has(argument.value), "an argument is a value that there is not");
        requireAll(m_graph.outputs, "an output");
        for (const Parameter &parameter : m_graph.parameters)
            require(!parameter.value.valid() || has(parameter.value), "a parameter is a value that there is not");
        for (const ModuleCall &call : m_graph.calls)
            require(0 <= call.begin && call.begin <= call.end && call.end <= m_graph.size() && hasOrNone(call.inside),
                    "a module call lies outside the order");
        for (const Marker &marker : m_graph.markers)
            require(0 <= marker.position && marker.position <= m_graph.size() && hasOrNone(marker.inside),
                    "a marker lies outside the order");
        if (m_problem.empty())
            return Success{};
        return Error{ErrorCode::InvalidFile, "a graph does not hold together: " + m_problem, {}, {}};
    }

private:
    void require(bool holds, const std::string &problem)
    {
        if (!holds && m_problem.empty())
            m_problem = problem;
    }

    [[nodiscard]] bool has(ValueId id) const { return id.valid() && id.index() < m_graph.values.size(); }
    [[nodiscard]] bool has(NodeId id) const { return id.valid() && id.index() < m_graph.nodes.size(); }
    [[nodiscard]] bool hasOrNone(NodeId id) const { return !id.valid() || has(id); }

    void requireAll(const std::vector<ValueId> &ids, std::string_view what)
    {
        require(std::all_of(ids.begin(), ids.end(), [this](ValueId id) { return has(id); }),
                fmt::format("{} is a value that there is not", what));
    }

    void checkValues()
    {
        for (std::size_t i = 0; i < m_graph.values.size(); ++i) {
            const Value &value = m_graph.values[i];
            require(value.id == ValueId{static_cast<int>(i)}, fmt::format("value {} has another's place", i));
            require(hasOrNone(value.producer), fmt::format("value {} comes from a node that there is not", i));
        }
    }

    void checkNodes()
    {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            const Node &node = m_graph.nodes[i];
            require(node.id == NodeId{static_cast<int>(i)}, fmt::format("node {} has another's place", i));
            // A node is made before those inside it, so that parents cannot go round in a circle.
            require(!node.parent.valid() || node.parent < node.id,
                    fmt::format("node {} is inside one that comes after it", i));
            for (const std::vector<ValueId> *ids : {&node.uses, &node.outputs, &node.writes, &node.containerWrites})
                requireAll(*ids, fmt::format("an operand or result of node {}", i));
            checkUses(node);
            for (const Alias &alias : node.aliases)
                require(has(alias.output) && has(alias.input),
                        fmt::format("an alias of node {} is a value that there is not", i));
            for (const NodeId child : node.children)
                require(has(child) && m_graph.node(child).parent == node.id,
                        fmt::format("node {} has a child that is not inside it", i));
        }
    }

    void checkUses(const Node &node)
    {
        std::vector<ValueId> uses = node.uses;
        std::sort(uses.begin(), uses.end());
        require(std::adjacent_find(uses.begin(), uses.end()) == uses.end(),
                fmt::format("node {} says twice that it uses a value", node.id.value));
        require(std::all_of(node.operands.begin(), node.operands.end(),
                            [&](ValueId operand) {
                                return !operand.valid() || std::binary_search(uses.begin(), uses.end(), operand);
                            }),
                fmt::format("an operand of node {} is not among the values it uses", node.id.value));
    }

    void checkOrder()
    {
        std::vector<bool> seen(m_graph.nodes.size());
        for (const NodeId id : m_graph.order) {
            if (!has(id))
                return require(false, "the order has a node that there is not");
            require(!seen[id.index()] && !m_graph.node(id).parent.valid(),
                    fmt::format("node {} is in the order twice, or inside another", id.value));
            seen[id.index()] = true;
        }
    }

    const ModelGraph &m_graph;
    std::string m_problem;
};

} // namespace

Status checkReferences(const ModelGraph &graph)
{
    return Checker(graph).run();
}

} // namespace pipescope::graph
