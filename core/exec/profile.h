// What sample runs tell: shapes, bytes, FLOPs and time per node, written into the graph.
#pragma once

#include "base/progress.h"
#include "base/result.h"
#include "import/imported_model.h"

#include <stop_token>
#include <vector>

namespace pipescope::exec {

struct ProfileOptions
{
    int repeats = 3;   ///< timed runs after one warm-up, the median is kept; 0 leaves times unset
    int threads = 1;   ///< intra-op threads while timing
    bool grad = false; ///< record autograd, so that requiresGrad per value is known
    std::uint64_t seed = 0;
    MicrobatchId microbatch; ///< that the arguments are; none: the whole batch
};

/// Fills Value::tensor and bytes of everything at top level, requiresGrad with `grad`, and Node::seconds and flops of
/// every node of model.graph from runs on `arguments`. Shapes come from a run node by node, times from undisturbed runs
/// of the whole program. State the model writes is put back afterwards; arguments it writes in place are run on copies.
/// Error: ModelFailed naming the node, or Cancelled; the graph may then be filled in part.
Status profile(import::ImportedModel &model, const std::vector<c10::IValue> &arguments, const ProfileOptions &options,
               std::stop_token stop = {}, const Progress &progress = {});

} // namespace pipescope::exec
