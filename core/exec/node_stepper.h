// Running a graph node by node, every value in hand: for profiling, for finding the first node that differs, and (later) for
// breakpoints. One small Code per top-level node.
#pragma once

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

struct StepCall {
    MicrobatchId microbatch;
    std::uint64_t seed = 0;
    std::stop_token stop;
    /// Called after each top-level node with its position, seconds, and the values that exist (its outputs included).
    std::function<void(int position, double seconds, const Environment &)> after;
    /// Drop values after their last use (memory stays as in a plain run); otherwise everything is kept.
    bool dropUnused = true;
};

class NodeStepper
{
public:
    static Result<NodeStepper> build(const import::ImportedModel &model);
    NodeStepper(NodeStepper &&) noexcept;
    NodeStepper &operator=(NodeStepper &&) noexcept;
    ~NodeStepper();

    /// Runs the whole method; returns its outputs in the order of graph.outputs. Errors as StageProgram::run.
    Result<std::vector<c10::IValue>> run(const std::vector<c10::IValue> &arguments, const StepCall &call) const;
    /// Runs the one node at `position`, reading and writing `values`.
    Status runNode(int position, Environment &values, const StepCall &call) const;
    /// The environment a run begins with: arguments and held values.
    [[nodiscard]] Environment begin(const std::vector<c10::IValue> &arguments) const;

private:
    struct State;
    explicit NodeStepper(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace pipescope::exec
