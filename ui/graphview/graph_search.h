// Finding nodes and modules by a regular expression over names, operators and shapes.
#pragma once

#include "graphview/box_tree.h"

#include <QRegularExpression>

namespace pipescope::graphview {

/// The modules and nodes that match, a module before the nodes inside it, in program order. A node matches by its name
/// (which holds its module's), its operator, or a measured shape it makes.
[[nodiscard]] std::vector<BoxKey> searchGraph(const graph::ModelGraph &graph, const QRegularExpression &pattern);

} // namespace pipescope::graphview
