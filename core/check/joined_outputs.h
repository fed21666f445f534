// The microbatches' outputs put together and compared with the whole batch's, leaf by leaf.
#pragma once

#include "check/equivalence.h"
#include "microbatch/chunk_spec.h"
#include "tensor/ivalue_tree.h"

namespace pipescope::check {

/// How one leaf of the outputs compares.
struct JoinedLeaf
{
    std::string why; ///< why it cannot be put together, as a sentence's beginning; "" when it can
    bool bitwise = true;
    bool close = true;      ///< within the user's tolerance; without one, bitwise equal
    double maxAbsError = 0; ///< infinity where it cannot be put together
    double maxRelError = 0;
    std::string path;                     ///< of the leaf in the outputs, "" for the only one: "[1]['boxes']"
    std::optional<tensor::Places> places; ///< likewise; none where the outputs have another structure
    std::string unknown;                  ///< why nobody can compare it, in which case the rest says nothing; else ""

    /// Numbers that may differ by rounding and do differ, as dense tensors: the whole batch's, and what is put together
    /// from the microbatches'; several where each of them should be the whole batch's.
    at::Tensor whole;
    std::vector<at::Tensor> joined;
    int rows = -1; ///< the dimension along which they are joined; -1: along none
};

/// One for each leaf of the whole batch's outputs, in the order of tensor/ivalue_tree.h and one output after another.
/// Without a spec a leaf is joined along the dimension in which the microbatches' add up to the whole batch's; where
/// every microbatch has the whole batch's shape (a 0-dim tensor's too), all of them must be equal to it. Lists of the
/// microbatches that together are as long as the whole batch's are joined one after another, and their items compared
/// as they are; the spec `list` asks for it. Class objects
/// are compared by their fields, as tensor/opened_value.h has them. A spec that does not fit the outputs is
/// InvalidArgument.
Result<std::vector<JoinedLeaf>> compareJoined(const std::vector<c10::IValue> &whole,
                                              const std::vector<std::vector<c10::IValue>> &microbatches,
                                              const std::optional<microbatch::ChunkSpec> &spec,
                                              const CheckOptions &options);

} // namespace pipescope::check
