// What is said of parameters whose one tensor is used in several stages: why the stages hold more than the model.
#pragma once

#include "graph/model_graph.h"
#include "partition/partition.h"

#include <QString>

namespace pipescope::stageview {

struct TiesText
{
    QString line;    ///< short: "tied: wte.weight in stages 0 and 3"; "" without ties
    QString details; ///< plain text: a line for each of them, and how much more the stages hold in all
};

[[nodiscard]] TiesText tiesText(const graph::ModelGraph &graph, const partition::Partition &partition);

} // namespace pipescope::stageview
