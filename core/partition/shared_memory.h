// Which values may share memory, and where in-place writes forbid a cut for that reason. Private to partition/; cut.cpp
// turns the answers into reasons.
#pragma once

#include "graph/model_graph.h"
#include "partition/call_containers.h"

#include <string>
#include <vector>

namespace pipescope::partition {

/// At each position in [first, last] a value crosses that the writer, at or after the position, changes.
struct WriteBan
{
    int first = 0;
    int last = 0;
    NodeId writer;
    bool containerOnly = false; ///< it changes a list or dict, not the items
    ValueId written;            ///< the operand written; what crosses may be another value with the same memory
    std::string attribute;      ///< of `written`, where that is an object and only this attribute of it is written
    int memory = 0;             ///< what is written, as MemoryBans::classOf has it, or containerOf
};

/// `state`, or one attribute of it, outlives the call, is written in place, and is used on both sides of each position
/// in [first, last].
struct StateBan
{
    int first = 0;
    int last = 0;
    ValueId state;
    std::string attribute; ///< FQN; "" where it is `state` itself
    NodeId writer;
    NodeId firstUser;
    NodeId lastUser;
};

struct MemoryBans
{
    std::vector<WriteBan> writes;
    std::vector<StateBan> states;
    /// By ValueId: equal numbers mean that memory may be shared at the end of the method.
    std::vector<int> classOf;
    /// The same for being one list or dict; a number of its own for each value that is neither.
    std::vector<int> containerOf;
    /// Those that `writes` and `states` leave out.
    std::vector<CallContainer> callContainers;
};

/// Time is nearly linear in the size of the graph.
[[nodiscard]] MemoryBans memoryBans(const graph::ModelGraph &graph);

} // namespace pipescope::partition
