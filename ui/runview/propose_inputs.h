// Inputs that the model itself tells of: from the parameters of the operators that take an argument. Names and types of
// arguments tell too little, so that an argument nothing is known of is left to the user.
#pragma once

#include "graph/model_graph.h"
#include "plan/input_spec.h"

#include <QString>
#include <vector>

namespace pipescope::runview {

struct Proposal
{
    plan::InputSpec input;
    QString reason; ///< a line: "index into transformer.wte.weight, which has 50 257 rows"

    friend bool operator==(const Proposal &, const Proposal &) = default;
};

/// For each argument that the model tells of, in order: an embedding's indices have its rows as range; a linear layer
/// gives the last dimension, a convolution the channels, a layer norm the last dimensions. What no parameter tells
/// (rows, lengths, heights and widths) is small and said to be a guess.
[[nodiscard]] std::vector<Proposal> proposeInputs(const graph::ModelGraph &graph);

} // namespace pipescope::runview
