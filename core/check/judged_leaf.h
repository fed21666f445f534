// Whether a leaf of the joined outputs is the whole batch's, but for rounding.
#pragma once

#include "check/joined_outputs.h"
#include "check/part_norms.h"

#include <optional>
#include <vector>

namespace pipescope::check {

/// The figures are those of the part that is worst: all of the leaf, a column, ...
struct JudgedLeaf
{
    JoinedLeaf joined;
    Part part;
    double relL2 = 0;      ///< ||joined - whole|| / ||whole||; infinite where it cannot be put together
    double noiseFloor = 0; ///< the same of what noise does to it
    double share = 0;      ///< of what is allowed; above 1 it does not hold
    bool isLoud = false;   ///< some part holds only by noise that is large beside its numbers
    [[nodiscard]] bool holds() const { return joined.why.empty() && share <= 1; }

    /// "column 4"; "" where it is all of the leaf.
    [[nodiscard]] std::string partText() const;
};

/// A leaf of the whole batch's outputs in runs that differ by noise alone (noise_floor.h); there may be none.
struct NoisyLeaf
{
    std::vector<c10::IValue> moved;
    std::optional<c10::IValue> movedFar; ///< NoisePattern::EvenUpFar, where noise is large
};

/// No part may differ, by relative L2, by more than rounding accounts for (roundingAllowance) or by more than four
/// times its own noise, a little more where there are many parts of few numbers; a part of few numbers is taken to be
/// as noisy as the parts of its dimension usually are, at least. Large noise that does not grow with how far numbers
/// move is none of rounding, but of a step they stand on, or of a model that never gives the same twice: it allows
/// nothing. The user's tolerance takes the place of rounding: within it everything holds. May throw what LibTorch
/// throws.
[[nodiscard]] JudgedLeaf judge(JoinedLeaf leaf, const NoisyLeaf &noisy, const CheckOptions &options);

/// Whether `b` says more against the leaf than `a` does.
[[nodiscard]] bool isWorse(const JudgedLeaf &b, const JudgedLeaf &a);

} // namespace pipescope::check
