// Marks: an operator of ours before every node of a program. Through them a run knows at which node it is, can be
// stopped between any two, tells an observer, and gives each node its own random numbers. A mark costs some tens of
// nanoseconds.
#pragma once

#include "exec/keyed_random.h"
#include "exec/stage_program.h"

#include <string>
#include <torch/csrc/jit/ir/ir.h>
#include <vector>

namespace pipescope::exec {

/// A node as a program knows it.
struct MarkedNode
{
    NodeId node;
    std::string name;
    std::string text; ///< graph::describe
    bool topLevel = true;
    bool random = false; ///< at top level, and draws random numbers, itself or inside

    friend bool operator==(const MarkedNode &, const MarkedNode &) = default;
};

/// The marks of a program; a mark is an index into it.
using MarkTable = std::vector<MarkedNode>;

/// Adds the node to the table.
void addMark(MarkTable &marks, const graph::Node &node);

/// Makes the operator that says that the newest mark of the table begins, where the graph inserts.
torch::jit::Node *insertMark(torch::jit::Graph &graph, const MarkTable &marks);

/// One run of one program on this thread, for as long as the object lives. Runs may be nested.
class MarkedRun
{
public:
    MarkedRun(const MarkTable &marks, const StageCall &call);
    ~MarkedRun();
    MarkedRun(const MarkedRun &) = delete;
    MarkedRun &operator=(const MarkedRun &) = delete;

    /// Called by marks. Throws when the run is to stop.
    void begin(int mark);
    /// The node at top level is done: lets go of its random numbers.
    void end() noexcept { m_random.end(); }

    /// The node begun last; null before the first.
    [[nodiscard]] const MarkedNode *current() const { return m_current; }
    [[nodiscard]] bool stopped() const { return m_stopped; }
    [[nodiscard]] const StageCall &call() const { return m_call; }

private:
    const MarkTable &m_marks;
    const StageCall &m_call;
    const MarkedNode *m_current = nullptr;
    bool m_stopped = false;
    KeyedRandom m_random;
    MarkedRun *m_outer;
};

} // namespace pipescope::exec
