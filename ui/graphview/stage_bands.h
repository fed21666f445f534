// The ground of each stage on the canvas, with what the stage is.
#pragma once

#include "graphview/graph_painter.h"

namespace pipescope::graphview {

/// Where the boxes of each stage begin and end, from top to bottom, in the scene; empty for a stage without boxes.
struct StageBand
{
    double top = 0;
    double bottom = -1;
};
[[nodiscard]] std::vector<StageBand> stageBands(const GraphScene &scene, const std::vector<StageSpan> &stages);

struct StageTitle
{
    QString title;  ///< "stage 2 · blocks.6–8"
    QString detail; ///< "10.0 ms a batch · 9.5 MiB parameters"
};
/// `stageOf` as partition::Partition's: by position of the order.
[[nodiscard]] std::vector<StageTitle> stageTitles(const graph::ModelGraph &graph, const std::vector<StageId> &stageOf);

/// Tints the part of the canvas of each stage that does not interlock with another; of the one selected it is stronger.
void paintStageBands(QPainter &painter, const Viewport &viewport, const Look &look,
                     const std::vector<StageBand> &bands);

/// Titles in the upper left corners of the bands, where no box would be covered; in view while the band is.
void paintStageTitles(QPainter &painter, TextCache &texts, const Picture &picture, const Viewport &viewport,
                      const Look &look, const std::vector<StageBand> &bands, const std::vector<StageTitle> &titles);

} // namespace pipescope::graphview
