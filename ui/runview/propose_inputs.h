// plan/propose_inputs.h with its reasons in words.
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

/// For each argument that the model tells of, in order. What no parameter tells is said to be a guess.
[[nodiscard]] std::vector<Proposal> proposeInputs(const graph::ModelGraph &graph);

} // namespace pipescope::runview
