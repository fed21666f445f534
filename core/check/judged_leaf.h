// Decides whether a leaf of the joined outputs equals the whole batch's leaf, apart from rounding.
#pragma once

#include "check/joined_outputs.h"
#include "check/part_norms.h"

#include <optional>
#include <vector>

namespace pipescope::check {

/// The figures belong to the worst part: the whole leaf, a column, ...
struct JudgedLeaf
{
    JoinedLeaf joined;
    Part part;
    double relL2 = 0;      ///< ||joined - whole|| / ||whole||; infinite where the leaf cannot be joined
    double noiseFloor = 0; ///< the same measure between runs that differ by noise alone
    double share = 0;      ///< the difference over the allowed one; above 1 the leaf does not hold
    bool isLoud = false;   ///< a part holds only because of noise that is large beside its numbers
    [[nodiscard]] bool holds() const { return joined.why.empty() && share <= 1; }

    /// "column 4"; "" for the whole leaf.
    [[nodiscard]] std::string partText() const;
};

/// A leaf of the whole batch's outputs in runs that differ by noise alone (noise_floor.h); there may be none.
struct NoisyLeaf
{
    std::vector<c10::IValue> moved;
    std::optional<c10::IValue> movedFar; ///< NoisePattern::EvenUpFar, where noise is large
};

/// A part holds if its relative L2 difference is within rounding (roundingAllowance) or within four times the noise of
/// the part. The limit is a little higher where a leaf has many parts of few numbers. A part of few numbers counts as
/// at least as noisy as the median part of its dimension. Large noise must grow when numbers move farther. If it does
/// not, it comes from a step function or from a model whose outputs never repeat, and it allows nothing. A user's
/// tolerance replaces the rounding allowance: everything within it holds. May throw LibTorch's exceptions.
[[nodiscard]] JudgedLeaf judge(JoinedLeaf leaf, const NoisyLeaf &noisy, const CheckOptions &options);

/// Whether `b` is stronger evidence of a difference than `a`.
[[nodiscard]] bool isWorse(const JudgedLeaf &b, const JudgedLeaf &a);

} // namespace pipescope::check
