// A plan: everything the user decided about a run. It is the document that is saved, reopened and checked.
#pragma once

#include "base/result.h"
#include "microbatch/chunk_spec.h"
#include "plan/input_spec.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pipescope::plan {

inline constexpr int MostThreadsPerRank = 4096;
inline constexpr int MostDevices = 1024;

struct Plan
{
    std::string model;       ///< path, as the current folder sees it; plan files keep it relative to themselves
    std::string modelSha256; ///< of the file the plan was made for; "" when unknown
    std::string method = "forward";
    std::vector<std::string> opLibraries;
    std::vector<InputSpec> inputs;
    /// Numbers, bools, texts and None, by argument name: the graph is the one of these, and a run with others is
    /// refused.
    std::vector<InputSpec> specialised;
    std::vector<std::pair<std::string, microbatch::ChunkSpec>> inputChunks; ///< by argument name
    std::optional<microbatch::ChunkSpec> outputChunks;
    std::vector<std::string> splits; ///< partition/split_point.h words, stable names, never SSA names
    int microbatches = 1;
    std::string schedule = "gpipe";   ///< schedule table key, or "@file.csv"
    std::vector<std::string> devices; ///< by rank: "cpu:0", "cpu:1"; none: a CPU device for each stage
    int threadsPerRank = 1;
    int maxInFlight = 0; ///< 0: the default (stages + 2)
    std::uint64_t seed = 0;
    bool grad = false;
    std::optional<double> rtol; ///< both or neither; without them every bit counts
    std::optional<double> atol;

    friend bool operator==(const Plan &, const Plan &) = default;
};

/// "row", or "item" where a list is cut between its items: what the sizes of microbatches are counted in.
[[nodiscard]] std::string_view microbatchUnit(const Plan &plan);

/// Checks every value on its own and those that belong together: a model, a method and a schedule are named;
/// counts are in range (1 to 1 000 000 microbatches, 1 to 4096 threads, 0 to 1 000 000 in flight, up to 1024 devices);
/// both tolerances or none, finite and not negative; no input and no chunk spec for one name twice; names are
/// identifiers; what is specialised for has a name and is plain; hashes are lower-case hexadecimal; all text is UTF-8.
/// Error: InvalidArgument, beginning with the key as plans spell it, which is also in `where`.
Status validatePlan(const Plan &plan);

} // namespace pipescope::plan
