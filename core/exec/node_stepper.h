// Running a graph node by node, every value in hand: for profiling, for finding the first node that differs, and
// (later) for breakpoints. One small Code per top-level node.
#pragma once

#include "base/result.h"
#include "exec/stage_program.h"
#include "import/imported_model.h"

#include <ATen/core/ivalue.h>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

namespace pipescope::exec {

/// Values that exist at a moment, by ValueId.
using Environment = std::vector<std::optional<c10::IValue>>;

struct StepCall
{
    MicrobatchId microbatch;
    std::uint64_t seed = 0;
    std::stop_token stop;
    /// Called after each top-level node with its position, seconds, and the values that exist (its outputs included). A
    /// `with` block runs whole with its first node; the others take no time and their outputs are there already.
    std::function<void(int position, double seconds, const Environment &)> after;
    /// Drop arguments and results when a node takes them for the last time, before it runs (memory stays as in a plain
    /// run); otherwise everything is kept. A kept value that is written in place shows what was written.
    bool dropUnused = true;
    NodeObserver *observer = nullptr; ///< told when a node begins, nested ones too; not owned
};

class NodeStepper
{
public:
    static Result<NodeStepper> build(const import::ImportedModel &model);
    NodeStepper(NodeStepper &&) noexcept;
    NodeStepper &operator=(NodeStepper &&) noexcept;
    ~NodeStepper();
    NodeStepper(const NodeStepper &) = delete;
    NodeStepper &operator=(const NodeStepper &) = delete;

    /// Runs the whole method; returns its outputs in the order of graph.outputs. Errors as StageProgram::run.
    Result<std::vector<c10::IValue>> run(const std::vector<c10::IValue> &arguments, const StepCall &call) const;
    /// Runs the one node at `position`, reading and writing `values`, which must hold what it takes.
    Status runNode(int position, Environment &values, const StepCall &call) const;
    /// The environment a run begins with: arguments, held values, and constants the method returns.
    [[nodiscard]] Environment begin(const std::vector<c10::IValue> &arguments) const;

private:
    struct State;
    explicit NodeStepper(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace pipescope::exec
