// Inputs that the model itself tells of: from the parameters of the operators that take an argument. Names and types of
// arguments tell too little, so that an argument nothing is known of is left to the user.
#pragma once

#include "graph/model_graph.h"
#include "plan/input_spec.h"

#include <string>
#include <vector>

namespace pipescope::plan {

struct InputProposal
{
    /// What of it the parameter tells.
    enum class Basis {
        Index,         ///< the range, which is the parameter's rows
        LastDimension, ///< the last size, or the last ones
        Channels,      ///< the second size, where the operator has no groups
    };

    InputSpec input; ///< named; a TensorSpec
    Basis basis = Basis::Index;
    std::string parameter; ///< FQN

    friend bool operator==(const InputProposal &, const InputProposal &) = default;
};

/// What of the sizes is no more than a guess: "8 rows", "8 x 16", "8 rows and sides of 224".
[[nodiscard]] std::string guessedSizes(const InputProposal &proposal);

/// For each argument that the model tells of, in order: indices have the rows of the smallest embedding that takes them
/// as range; a linear layer gives the last dimension, a convolution the channels, a layer norm the last dimensions. A
/// traced convolution does where its module's class says whether it is transposed. Between the argument and the
/// operator there may be others that keep its shape, and for indices its values. What no parameter tells is a guess: a
/// few rows, pictures of 224 x 224 where there are three colours, a second of sound where there is one channel, else
/// small.
[[nodiscard]] std::vector<InputProposal> proposeInputs(const graph::ModelGraph &graph);

} // namespace pipescope::plan
