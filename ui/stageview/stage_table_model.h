// The stages as a table: what each holds and gets and gives, before a run and after it.
#pragma once

#include "session/staging.h"

#include <QAbstractTableModel>
#include <vector>

namespace pipescope::stageview {

class StageTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Stage, BeginsAt, Nodes, Parameters, Bytes, Buffers, Flops, Time, Sends, ColumnCount };

    using QAbstractTableModel::QAbstractTableModel;

    /// `graph` gives costs where the model was profiled; `stages` what the last run of this staging measured, or what
    /// is known without one.
    void show(const graph::ModelGraph &graph, const session::Staging &staging,
              const std::vector<report::StageReport> &stages);
    void clear();

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row
    {
        report::StageReport stage;
        std::optional<double> flops;   ///< of one run of the profiled inputs
        std::optional<double> seconds; ///< measured by a run; else of the profiled nodes
    };

    [[nodiscard]] QString text(const Row &row, int stage, int column) const;
    [[nodiscard]] static QVariant number(const Row &row, int stage, int column);

    std::vector<Row> m_rows;
};

} // namespace pipescope::stageview
