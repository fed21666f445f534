// The stages as a table: what each holds and gets and gives, before a run and after it.
#pragma once

#include "report/run_report.h"
#include "session/staging.h"

#include <QAbstractTableModel>
#include <cstdint>
#include <optional>
#include <vector>

namespace pipescope::stageview {

class StageTableModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Stage, What, Nodes, Parameters, Flops, Time, Memory, Receives, Sends, ColumnCount };
    /// Of the time: how much of the slowest stage's, 0 to 1; invalid where no time is known.
    static constexpr int ShareRole = Qt::UserRole;

    using QAbstractTableModel::QAbstractTableModel;

    /// `graph` gives costs where the model was profiled; `run` what the last run of this staging measured, nullptr
    /// without one.
    void show(const graph::ModelGraph &graph, const session::Staging &staging, const report::RunReport *run = nullptr);
    void clear();

    /// Of every stage; empty where one is not known.
    [[nodiscard]] std::vector<double> seconds() const;
    [[nodiscard]] bool isMeasured() const { return m_measured; }

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row
    {
        QString what;
        QString modules; ///< all of them
        int nodes = 0;
        report::StageReport holds;
        std::optional<double> flops;   ///< of one run of the profiled inputs
        std::optional<double> seconds; ///< a microbatch, measured by a run; else of the profiled nodes
        QString receives;
        QString allReceived;
        QString sends;
        QString allSent;
        std::optional<std::int64_t> memory; ///< peak of its rank, measured by a run
    };

    [[nodiscard]] static Row rowOf(const graph::ModelGraph &graph, const session::Staging &staging, std::size_t stage);
    void measure(const report::RunReport &run);
    [[nodiscard]] static QString text(const Row &row, int stage, int column);
    [[nodiscard]] static QVariant number(const Row &row, int stage, int column);
    [[nodiscard]] static QString toolTip(const Row &row, int column);
    [[nodiscard]] QVariant share(const Row &row) const;

    std::vector<Row> m_rows;
    bool m_measured = false;
};

/// "slowest stage sets the pace: 12.9 ms, mean 10.7 ms, imbalance 20.6 %"; "" for fewer than two stages.
[[nodiscard]] QString paceText(const std::vector<double> &seconds);

} // namespace pipescope::stageview
