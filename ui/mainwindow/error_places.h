// What an error speaks of: stages, nodes, modules and source lines named in its text, found in the model that is open.
#pragma once

#include "base/error.h"
#include "graph/model_graph.h"
#include "session/selection.h"

#include <QString>
#include <vector>

namespace pipescope::mainwindow {

struct ErrorPlace
{
    QString text;               ///< "stage 2", "layers.4.fc1/aten::linear", "model.py:12"
    session::Selected selected; ///< a stage, a node or a module

    friend bool operator==(const ErrorPlace &, const ErrorPlace &) = default;
};

/// Each place once, `where` first, then in the order of the message and of the beginning of the details; at most
/// `most`.
[[nodiscard]] std::vector<ErrorPlace> placesOf(const Error &error, const graph::ModelGraph &graph, int stages,
                                               std::size_t most = 3);

} // namespace pipescope::mainwindow
