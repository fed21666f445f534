// Where the stages begin: the user's words, or a balance over measured costs. Private to engine/.
#pragma once

#include "engine/pipeline_setup.h"

#include <optional>

namespace pipescope::engine {

/// How many stages to balance into, where the request asks for that, or its plan in the place of split points.
Result<std::optional<int>> stagesToBalance(const report::RunRequest &request, const graph::ModelGraph &graph);

/// Fills the setup's partition and writes the cuts into its plan as stable names. Balancing measures the first
/// microbatch where the batch was cut; else it weighs parameters, and says so.
Status placeStages(PipelineSetup &setup, std::optional<int> balanceInto, const JobContext &context, Warnings &warnings);

} // namespace pipescope::engine
