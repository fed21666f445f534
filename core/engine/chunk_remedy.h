// Other ways to cut a batch, tried on the unsplit model. Private to engine/.
#pragma once

#include "engine/pipeline_setup.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::engine {

struct FailedMicrobatch
{
    std::size_t microbatch = 0;
    Error error;
};

/// The unsplit model on one microbatch after another, until it fails.
struct UnsplitRun
{
    std::vector<std::vector<c10::IValue>> outputs;
    std::optional<FailedMicrobatch> failed;
};

/// Error: the model cannot be run at all.
Result<UnsplitRun> runUnsplit(const PipelineSetup &setup, const tensor::ChunkedArguments &chunks,
                              const JobContext &context);

/// The chunk specs with which every microbatch works, and all together give the result of the whole batch, as on the
/// command line: "--chunk h=1". Lists of samples are tried between their items, inputs along the dimension that is as
/// long as the batch, then whole: one, and all of those whose rows are not the batch's. "" where nothing of it works,
/// or a few seconds are over.
[[nodiscard]] std::string chunksThatWork(const PipelineSetup &setup, const JobContext &context);

} // namespace pipescope::engine
