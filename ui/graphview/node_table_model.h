// All nodes of the model as a table, those inside of an if or a loop as well: what the canvas draws, to read, sort and
// filter.
#pragma once

#include "graph/model_graph.h"

#include <QAbstractTableModel>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace pipescope::graphview {

class NodeTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Order, Name, Op, Shape, Time, Stage, Flops, Parameters, Bytes, Module, Source, ColumnCount };
    /// What rows are sorted by: numbers where the text is one with a unit.
    static constexpr int SortRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    /// Null clears.
    void setGraph(std::shared_ptr<const graph::ModelGraph> graph);
    /// partition::Partition's stageOf; empty for none.
    void setStages(std::vector<StageId> stageOf);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Invalid beyond the rows.
    [[nodiscard]] NodeId nodeAt(int row) const;
    /// -1 for a node that is none of them.
    [[nodiscard]] int rowOf(NodeId node) const;

private:
    struct Row
    {
        NodeId node;
        int position = 0; // in the graph's order, of the outermost node around it
        int depth = 0;
        std::int64_t parameterBytes = 0; ///< of the parameters, buffers and constants of the code it takes, each once
    };

    void listNode(NodeId node, int position, int depth);
    [[nodiscard]] QString text(const Row &row, int column) const;
    [[nodiscard]] QVariant sortKey(const Row &row, int index, int column) const;
    [[nodiscard]] std::optional<std::int64_t> bytesOf(const Row &row) const;
    [[nodiscard]] StageId stageOf(const Row &row) const;

    std::shared_ptr<const graph::ModelGraph> m_graph;
    std::vector<StageId> m_stageOf;
    std::vector<Row> m_rows;
    std::vector<int> m_rowOf; // by NodeId
};

} // namespace pipescope::graphview
