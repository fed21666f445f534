// An error as a sentence with the places it speaks of: the node it names, its stage and microbatch.
#pragma once

#include "base/error.h"
#include "graph/model_graph.h"
#include "session/selection.h"

#include <QString>
#include <vector>

namespace pipescope::runview {

struct Place
{
    QString text;
    session::Selected selected;
    int input = -1; ///< the argument's place in the table of inputs, where it is one

    friend bool operator==(const Place &, const Place &) = default;
};

struct Problem
{
    QString sentence;
    QString source; ///< "model.py:12: y = self.fc(x)" of the node; "" without
    std::vector<Place> places;
    QString details; ///< a traceback or the like

    friend bool operator==(const Problem &, const Problem &) = default;
};

/// `graph` may be nullptr: then no node can be linked. The microbatch is one of `run`.
[[nodiscard]] Problem problemOf(const Error &error, const graph::ModelGraph *graph, session::RunId run = {});

} // namespace pipescope::runview
