// The rows of the split gutter: the boxes shown, in program order, and the gaps between them where a split may go.
#pragma once

#include "graphview/box_facts.h"
#include "partition/split_point.h"

#include <QString>
#include <vector>

namespace pipescope::graphview {

/// One innermost box that runs nodes: a closed module or a node; `begin` is the position of its gap above.
struct SplitRow
{
    int begin = 0;
    int end = 0;
    int depth = 0; ///< open modules around it
    QString title;
    QString detail;

    friend bool operator==(const SplitRow &, const SplitRow &) = default;
};

[[nodiscard]] std::vector<SplitRow> splitRows(const BoxTree &tree);

/// One row for each position, where there is no picture to go by.
[[nodiscard]] std::vector<SplitRow> splitRows(const graph::ModelGraph &graph);

/// What a split would mean, a few lines: its place, what crosses and how much, or why it cannot be.
[[nodiscard]] QString splitText(const graph::ModelGraph &graph, const partition::SplitPoint &point);

} // namespace pipescope::graphview
