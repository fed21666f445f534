// A model laid out as the canvas shows it, without a canvas.
#pragma once

#include "graphview/graph_layout.h"

namespace pipescope::tests {

inline graphview::GraphScene sceneOf(const graph::ModelGraph &graph, const graphview::OpenBoxes &open = {})
{
    graphview::LayoutCache cache;
    return *graphview::layOutGraph(graphview::buildBoxTree(graph, open), graphview::estimatedWidth, cache);
}

} // namespace pipescope::tests
