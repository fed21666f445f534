// A stage made runnable: its part of the lowered graph as one un-optimised Code, and one call to run it for one
// microbatch.
#pragma once

#include "exec/held_values.h"
#include "import/imported_model.h"
#include "partition/partition.h"

#include <ATen/core/ivalue.h>
#include <cstdint>
#include <memory>
#include <stop_token>
#include <vector>

namespace pipescope::exec {

/// Who is told when a node begins; runs on the stage's thread, between nodes. Must not throw.
class NodeObserver
{
public:
    virtual ~NodeObserver() = default;
    virtual void nodeBegins(NodeId node) = 0;
};

struct StageCall
{
    MicrobatchId microbatch;
    std::uint64_t seed = 0; ///< random nodes draw from (seed, node, microbatch): never from the order of running
    std::stop_token stop;   ///< asked between any two nodes, inside loops too
    NodeObserver *observer = nullptr; ///< not owned
    /// Not one microbatch of several, as errors say; without a number it is the whole batch too. Random numbers are
    /// those of `microbatch`.
    bool wholeBatch = false;
};

/// Immutable after building, so one program may be run by several threads at once unless the model keeps state.
class StageProgram
{
public:
    StageProgram(StageProgram &&) noexcept;
    StageProgram &operator=(StageProgram &&) noexcept;
    ~StageProgram();
    StageProgram(const StageProgram &) = delete;
    StageProgram &operator=(const StageProgram &) = delete;

    /// Computes with the tensors of `held`, and shares memory with them; constants that are not in it are the model's.
    /// Error: InvalidArgument where one that the stage holds is missing, with its name.
    static Result<StageProgram> build(const import::ImportedModel &model, const partition::Stage &stage,
                                      const HeldValues &held);
    /// The whole graph as one stage: the reference the split model is compared with.
    static Result<StageProgram> buildWhole(const import::ImportedModel &model, const HeldValues &held);

    /// What run() takes and gives, in order: arguments and received values; results for later stages and the caller.
    [[nodiscard]] const std::vector<ValueId> &inputs() const;
    [[nodiscard]] const std::vector<ValueId> &outputs() const;
    [[nodiscard]] StageId stage() const;

    /// Runs the stage on the calling thread with that thread's grad mode. Held values are fed by the program itself.
    /// What a model that keeps state returns is copied, so that later runs do not change it.
    /// Errors: ModelFailed with message "stage 1, microbatch 3, layers.4.fc1/aten::linear (model.py:12): <what torch
    /// says>", where = the node's name, details = TorchScript's traceback; Cancelled.
    Result<std::vector<c10::IValue>> run(std::vector<c10::IValue> inputs, const StageCall &call) const;

private:
    struct State;
    explicit StageProgram(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace pipescope::exec
