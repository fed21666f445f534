// Everything that is decided before the first run: the model, its inputs cut into microbatches, the stages, the
// schedule. Private to engine/.
#pragma once

#include "engine/open_model.h"
#include "engine/run_job.h"
#include "partition/partition.h"
#include "schedule/schedule.h"
#include "tensor/chunks.h"

#include <ATen/core/ivalue.h>
#include <string>
#include <vector>

namespace pipescope::engine {

struct PipelineSetup
{
    plan::Plan plan; ///< with everything decided
    import::ImportedModel model;
    std::vector<c10::IValue> arguments; ///< before cutting, by position
    tensor::ChunkedArguments chunks;
    std::string unlikeRows; ///< a hint for when the model fails on a microbatch; "" where there is none
    partition::Partition partition;
    schedule::Schedule schedule; ///< the forwards of the plan's (schedule/forwards_of.h)

    /// Arguments by microbatch; copies where the method writes them in place.
    [[nodiscard]] std::vector<std::vector<c10::IValue>> freshMicrobatches() const;
};

/// The whole way, as run() needs it.
Result<PipelineSetup> setUpRun(const report::RunRequest &request, const JobContext &context, Warnings &warnings);

/// Model and partition only, as split() needs it; inputs are made where they are given and the stages are to be
/// balanced.
Result<PipelineSetup> setUpSplit(const report::RunRequest &request, const JobContext &context, Warnings &warnings);

} // namespace pipescope::engine
