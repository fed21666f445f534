// The rows of the split gutter: the boxes shown, in program order, and the gaps between them where a split may go.
#pragma once

#include "graphview/box_facts.h"

#include <QString>
#include <vector>

namespace pipescope::graphview {

/// One innermost box that runs nodes: a closed module or a node; `begin` is the position of its gap above.
struct SplitRow
{
    int begin = 0;
    int end = 0;
    int depth = 0; ///< open modules around it
    QString title; ///< its name; where others have the same, with the nearest modules' names in front
    QString kind;  ///< class of a module, operator of a node
    BoxKey key;    ///< its box
    QString shape; ///< of what it makes, "[8,128,256]"; with the element type where that is not float32; "" if unknown

    friend bool operator==(const SplitRow &, const SplitRow &) = default;
};

[[nodiscard]] std::vector<SplitRow> splitRows(const graph::ModelGraph &graph, const BoxTree &tree);

/// One row for each position, where there is no picture to go by.
[[nodiscard]] std::vector<SplitRow> splitRows(const graph::ModelGraph &graph);

/// "[8,128,256]", "int64[8,128]".
[[nodiscard]] QString shapeText(const graph::TensorMeta &meta);

/// Of the first tensor made at the end of order[begin, end); "" before profiling.
[[nodiscard]] QString shapeMadeBy(const graph::ModelGraph &graph, int begin, int end);

} // namespace pipescope::graphview
