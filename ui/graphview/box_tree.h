// What the graph view shows of a model: its modules as boxes, closed or open with their children inside, down to nodes,
// and the wires between the boxes. Says nothing of where a box stands: graph_layout does.
//
// A wire never leaves its group (an open box). A value that goes from inside one open module into another leaves the
// first through an out-port, runs in the group that holds both, and enters the second through an in-port:
//
//   group +--------------+        +-- in x ------+
//         |  a --- out x |  ----  |      \--- b  |
//         +--------------+        +--------------+
#pragma once

#include "graph/model_graph.h"

#include <set>
#include <string>
#include <vector>

namespace pipescope::graphview {

enum class BoxKind {
    Module,   ///< a call of a module; the model itself has index -1
    Node,     ///< a node without others inside
    Block,    ///< an if or a loop, with its nodes
    Argument, ///< of the method
    Result,   ///< what the method returns
};

/// Names a box for as long as the graph is the same, whichever boxes are open: the index in ModelGraph's calls, nodes,
/// arguments or outputs.
struct BoxKey
{
    BoxKind kind = BoxKind::Module;
    int index = -1;

    friend auto operator<=>(const BoxKey &, const BoxKey &) = default;
};

/// Modules and blocks that show their children.
using OpenBoxes = std::set<BoxKey>;

struct Box
{
    BoxKey key;
    int parent = -1; ///< index of a box; -1 for the model
    int group = -1;  ///< index in BoxTree::groups while open; -1 otherwise
    bool canOpen = false;
    std::string title;  ///< "blocks.6", inside that "attn", "add"
    std::string detail; ///< "Attention · 14 ops"; may be empty
    int begin = 0;      ///< the part of the graph's order that it stands for, empty for arguments and results
    int end = 0;
    NodeId node;   ///< its node, or the first of the nodes inside; invalid for arguments and results
    ValueId value; ///< of an argument or result

    friend bool operator==(const Box &, const Box &) = default;
};

enum class EndKind { Child, InPort, OutPort };

/// Where a wire begins or ends: a child (position in Group::children) or a port (position in inPorts or outPorts).
struct WireEnd
{
    EndKind kind = EndKind::Child;
    int index = 0;

    friend auto operator<=>(const WireEnd &, const WireEnd &) = default;
};

struct Wire
{
    WireEnd from;
    WireEnd to;
    std::vector<ValueId> values; ///< all that go this way, ascending

    friend bool operator==(const Wire &, const Wire &) = default;
};

/// What stands inside an open box.
struct Group
{
    int box = 0;
    std::vector<int> children;     ///< indices of boxes, in program order
    std::vector<ValueId> inPorts;  ///< values from outside that something inside uses
    std::vector<ValueId> outPorts; ///< values made inside that are used outside
    std::vector<Wire> wires;       ///< each (from, to) once

    friend bool operator==(const Group &, const Group &) = default;
};

struct BoxTree
{
    std::vector<Box> boxes;     ///< parents before their children; boxes[0] is the model, always open
    std::vector<Group> groups;  ///< parents before their children; groups[0] is the model's
    std::vector<int> boxOfNode; ///< by NodeId: the innermost box shown that holds the node

    friend bool operator==(const BoxTree &, const BoxTree &) = default;
};

/// Whether modules are boxes around what they run, or left out: every operator by itself.
enum class Nesting { Modules, Flat };

/// Calls inside an if or loop make no boxes of their own: their nodes stand in the block. Parameters, buffers,
/// attributes and constants have neither box nor wire. Linear in the graph and in the wires.
[[nodiscard]] BoxTree buildBoxTree(const graph::ModelGraph &graph, const OpenBoxes &open,
                                   Nesting nesting = Nesting::Modules);

/// The keys of everything that can be opened.
[[nodiscard]] OpenBoxes everythingOpen(const graph::ModelGraph &graph);

/// The module or block itself, as far as it can be opened, and everything that can be opened inside of it. Linear in
/// the calls and in what it runs.
[[nodiscard]] OpenBoxes everythingInside(const graph::ModelGraph &graph, const BoxKey &key);

/// The keys to open so that a node has a box of its own.
[[nodiscard]] OpenBoxes aroundNode(const graph::ModelGraph &graph, NodeId node);

} // namespace pipescope::graphview
