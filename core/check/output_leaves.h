// The leaves of the whole batch's outputs beside those of the microbatches that stand for them.
#pragma once

#include "base/result.h"
#include "tensor/ivalue_tree.h"

#include <ATen/core/ivalue.h>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::check {

struct OutputLeaf
{
    c10::IValue whole;
    std::vector<c10::IValue> parts; ///< by microbatch
    std::string path;               ///< in the outputs, "" for the only leaf: "[1]['boxes']"
    tensor::Places places;          ///< likewise
    /// It is in a list that is as long as the microbatches' together: the one part is of the microbatch that has the
    /// item.
    bool isOfOneMicrobatch = false;
};

/// All outputs as one value: the only one, or a tuple; class objects as their fields (tensor/opened_value.h).
[[nodiscard]] c10::IValue asOneValue(const std::vector<c10::IValue> &outputs);

/// In the order of tensor/ivalue_tree.h. Lists of one length are laid beside each other item by item; where the
/// microbatches' are shorter and together as long as the whole batch's, they are one after another. Nothing where the
/// structures differ otherwise. Error: InvalidArgument beyond 64 levels.
Result<std::optional<std::vector<OutputLeaf>>> outputLeaves(const std::vector<c10::IValue> &whole,
                                                            const std::vector<std::vector<c10::IValue>> &microbatches);

} // namespace pipescope::check
