// How one mesh dimension holds a tensor, as torch.distributed.tensor's placement types (2.15) say it.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pipescope::shard {

/// How the ranks' values of a Partial tensor become the whole one. Upstream takes any text here and fails only when it
/// reduces.
enum class ReduceOp { Sum, Avg, Max, Min, Product };

/// "sum", "avg", "max", "min", "product".
[[nodiscard]] std::string_view reduceOpName(ReduceOp op);
/// The op of that name; nullopt where there is none.
[[nodiscard]] std::optional<ReduceOp> reduceOpOf(std::string_view name);

/// Every rank holds the whole.
struct Replicate
{
    friend bool operator==(const Replicate &, const Replicate &) = default;
};

/// The tensor dimension is cut in as many chunks as the mesh dimension has ranks, as torch.chunk cuts: the size is
/// divided and rounded up, later ranks may hold less or nothing.
struct Shard
{
    int dim = 0; ///< negative counts from the back, until a Layout holds it

    friend bool operator==(const Shard &, const Shard &) = default;
};

/// The tensor dimension is cut in `splitFactor` pieces, each piece in as many chunks as the mesh dimension has ranks,
/// and a rank holds its chunk of every piece. Upstream's _StridedShard.
struct StridedShard
{
    int dim = 0;
    std::int64_t splitFactor = 1;

    friend bool operator==(const StridedShard &, const StridedShard &) = default;
};

/// Every rank holds a value of the full size; the whole is what `op` makes of them.
struct Partial
{
    ReduceOp op = ReduceOp::Sum;

    friend bool operator==(const Partial &, const Partial &) = default;
};

/// Every rank holds the p-norm of its part; the whole is the p-norm of these. Upstream's _NormPartial; p is neither 0
/// nor infinite, which are Partial(sum), Partial(max) and Partial(min).
struct NormPartial
{
    double p = 2;

    friend bool operator==(const NormPartial &, const NormPartial &) = default;
};

using Placement = std::variant<Replicate, Shard, StridedShard, Partial, NormPartial>;

/// One per mesh dimension, from the left.
using Placements = std::vector<Placement>;

/// Shard or StridedShard. Upstream's is_shard() is false for the latter.
[[nodiscard]] bool isSharded(const Placement &placement);
/// The tensor dimension that it cuts; nullptr for one that cuts none.
[[nodiscard]] const int *shardDim(const Placement &placement);
/// Partial or NormPartial.
[[nodiscard]] bool isPartial(const Placement &placement);

/// "S(0)", "R", "P(sum)", "_S(0, 2)", "_NormP(2)": upstream's short form.
[[nodiscard]] std::string shortText(const Placement &placement);
/// "Shard(dim=0)", "Replicate()", "Partial(sum)", "_StridedShard(dim=0, sf=2)", "_NormPartial(2)": upstream's repr.
[[nodiscard]] std::string text(const Placement &placement);
/// The short forms one after another: "S(0)RP(sum)".
[[nodiscard]] std::string shortText(std::span<const Placement> placements);

/// Reads one placement as users and PyTorch write it: "R", "S0", "S(0)", "S-1", "P", "P(avg)", "Pmax", "SS(0,2)",
/// "_S(0, 2)", "NormP(2)", "Shard(dim=0)", "Replicate()", "Partial("sum")". Error: InvalidArgument with the column,
/// what was expected and what was found.
Result<Placement> parsePlacement(std::string_view text);
/// Reads several, with commas between them: "S0,R", "[S(0), P(sum)]", "(Shard(dim=0), Replicate())". At most
/// DeviceMesh::MaxDims; none in "[]".
Result<Placements> parsePlacements(std::string_view text);

} // namespace pipescope::shard
