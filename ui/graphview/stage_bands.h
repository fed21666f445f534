// The ground of each stage on the canvas, with what the stage is.
#pragma once

#include "graphview/graph_painter.h"

namespace pipescope::graphview {

/// Where the boxes of each stage begin and end, from top to bottom, in the scene; empty for a stage without boxes.
struct StageBand
{
    double top = 0;
    double bottom = -1;
    bool standsAlone = false; ///< no box of another stage reaches in, wherever it stands from left to right

    friend bool operator==(const StageBand &, const StageBand &) = default;
};
[[nodiscard]] std::vector<StageBand> stageBands(const GraphScene &scene, const std::vector<StageSpan> &stages);

struct StageTitle
{
    QString title;  ///< "stage 2 · blocks.6–8"
    QString detail; ///< "10.0 ms a batch · 9.5 MiB parameters"
};
/// `stageOf` as partition::Partition's: by position of the order.
[[nodiscard]] std::vector<StageTitle> stageTitles(const graph::ModelGraph &graph, const std::vector<StageId> &stageOf);

/// Tints the part of the canvas of each stage that stands alone; of the one selected it is stronger.
void paintStageBands(QPainter &painter, const Viewport &viewport, const Look &look,
                     const std::vector<StageBand> &bands);

/// Titles in the upper left corners of the bands, beside the pills of splits (on the screen), where no box would be
/// covered; in view while the band is.
void paintStageTitles(QPainter &painter, TextCache &texts, const Picture &picture, const Viewport &viewport,
                      const Look &look, const std::vector<StageBand> &bands, const std::vector<StageTitle> &titles,
                      const std::vector<QRectF> &pills);

} // namespace pipescope::graphview
