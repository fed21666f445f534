// Writes nodes, values and calls of an outline into a ModelGraph, in program order, as far as the limits allow.
#pragma once

#include "outline/outline.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pipescope::outline {

/// Whose code a node is, and which line of it.
struct Place
{
    std::string_view fqn;
    std::string_view className; ///< without its modules, "Linear"
    int call = 0;
    std::string_view file;
    int line = 0;
    std::string_view text;
};

class GraphWriter
{
public:
    GraphWriter(graph::ModelGraph &graph, const OutlineLimits &limits);

    /// A limit was reached: nothing more is written, and what is asked for is none (an invalid id).
    [[nodiscard]] bool isFull() const { return m_isFull; }
    void setFull() { m_isFull = true; }

    /// An operand that is not known is invalid.
    NodeId addNode(const std::string &op, const Place &place, const std::vector<ValueId> &operands);
    /// What the node makes; one more at each call.
    ValueId addOutput(NodeId node);
    /// What an open loop hands to its nodes.
    ValueId addHandedIn(NodeId loop, std::string_view name);
    ValueId addArgument(std::string_view name, std::string_view type, std::string_view defaultText);
    /// The value that a parameter is read as; the same for all names of one tensor.
    ValueId parameter(int index);
    void assigns(NodeId node, std::string attribute);
    void addMarker(std::string name);

    /// Nodes between these two are inside the branch or loop.
    void openBlock(NodeId node);
    void closeBlock();
    /// Nodes between these two are what a call of the module runs; says which call of it this is.
    int beginCall(const std::string &fqn);
    void endCall();

    /// Once all is written: gives branches and loops the values that their nodes use from outside.
    void finish();

private:
    [[nodiscard]] int position() const { return m_graph.size(); }
    [[nodiscard]] bool isInside(NodeId node, NodeId around) const;
    ValueId addValue(graph::ValueKind kind, std::string name);
    bool count(std::size_t nameBytes);

    graph::ModelGraph &m_graph;
    OutlineLimits m_limits;
    bool m_isFull = false;
    std::size_t m_nameBytes = 0;
    std::size_t m_operands = 0;
    std::vector<NodeId> m_blocks;                          // open
    std::vector<std::size_t> m_open;                       // calls begun and not ended
    std::unordered_map<std::string, int> m_ordinals;       // of names of nodes
    std::unordered_map<std::string, int> m_callsOf;        // by FQN
    std::unordered_map<std::string_view, int> m_parameter; // by FQN
};

} // namespace pipescope::outline
