// Which boxes and edges lie in a part of the scene: a grid of square cells over it. Made once for a scene.
#pragma once

#include "graphview/graph_layout.h"

namespace pipescope::graphview {

class SceneIndex
{
public:
    SceneIndex() = default;
    explicit SceneIndex(const GraphScene &scene);

    /// Indices of the boxes (the model's own left out) that touch the rectangle, parents before children.
    [[nodiscard]] std::vector<int> boxesIn(const QRectF &rect) const;

    /// Indices of the edges whose bounds touch it, ascending.
    [[nodiscard]] std::vector<int> edgesIn(const QRectF &rect) const;

    /// The innermost box there, 0 (the model) where there is none but it, -1 outside of it.
    [[nodiscard]] int boxAt(const GraphScene &scene, QPointF point) const;

    /// The edge nearest to the point, no farther than `tolerance`; -1 when there is none.
    [[nodiscard]] int edgeAt(const GraphScene &scene, QPointF point, double tolerance) const;

private:
    struct Cells
    {
        int left = 0;
        int top = 0;
        int right = 0;
        int bottom = 0;
    };
    /// Items by cell, one cell after another.
    struct Layer
    {
        std::vector<Cells> cells; ///< by item
        std::vector<int> start;   ///< by cell, and the end
        std::vector<int> items;
    };

    [[nodiscard]] Cells cellsOf(const QRectF &rect) const;
    void fill(Layer &layer, const std::vector<QRectF> &rects) const;
    [[nodiscard]] std::vector<int> itemsIn(const Layer &layer, const QRectF &rect) const;

    QPointF m_origin;
    double m_cell = 1;
    int m_columns = 0;
    int m_rows = 0;
    Layer m_boxes;
    Layer m_edges;
    std::vector<QRectF> m_boxRects;
    std::vector<QRectF> m_edgeRects;
};

} // namespace pipescope::graphview
