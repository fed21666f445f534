// A plan: everything the user decided about a run. It is the document that is saved, reopened and checked.
#pragma once

#include "base/result.h"
#include "microbatch/chunk_spec.h"
#include "plan/input_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::plan {

struct Plan {
    std::string model;                ///< path, relative to the plan file's folder where possible
    std::string modelSha256;          ///< of the file the plan was made for; "" when unknown
    std::string method = "forward";
    std::vector<std::string> opLibraries;
    std::vector<InputSpec> inputs;
    std::vector<std::pair<std::string, microbatch::ChunkSpec>> inputChunks; ///< by argument name
    std::optional<microbatch::ChunkSpec> outputChunks;
    std::vector<std::string> splits;  ///< partition/split_point.h words, stable names, never SSA names
    int microbatches = 1;
    std::string schedule = "gpipe";   ///< schedule table key, or "@file.csv"
    std::vector<std::string> devices; ///< by rank: "cpu:0", "cpu:1"
    int threadsPerRank = 1;
    int maxInFlight = 0;              ///< 0: the default (stages + 2)
    std::uint64_t seed = 0;
    bool grad = false;
    std::optional<double> rtol;       ///< both or neither; else per dtype as torch.testing
    std::optional<double> atol;

    friend bool operator==(const Plan &, const Plan &) = default;
};

/// The values that make no sense on their own or together: counts below 1, one tolerance without the other, negative or
/// not finite tolerances, duplicate chunk names, no device. Error: InvalidArgument naming the key.
Status validatePlan(const Plan &plan);

} // namespace pipescope::plan
