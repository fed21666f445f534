// Running a marked Code to its end on this thread, and saying where it failed.
#pragma once

#include "base/result.h"
#include "exec/node_mark.h"

#include <torch/csrc/jit/runtime/interpreter.h>

namespace pipescope::exec {

/// Runs with optimisation off, forks inline, and this thread's grad mode; `stack` has the inputs and then the outputs.
/// Errors: ModelFailed "<stage>, microbatch 3, <node>: <what torch says>" with the node's name in `where` and the
/// traceback in `details`; Cancelled. Without a stage it is "microbatch 3, ..." or "unsplit model, the whole batch,
/// ...".
Status runMarked(const torch::jit::Code &code, torch::jit::Stack &stack, MarkedRun &run, StageId stage);

} // namespace pipescope::exec
