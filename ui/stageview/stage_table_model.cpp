#include "stageview/stage_table_model.h"

#include "base/text.h"

namespace pipescope::stageview {

namespace {

QString unknownOr(const std::optional<double> &value, std::string (*format)(double))
{
    return value ? QString::fromStdString(format(*value)) : StageTableModel::tr("unknown");
}

QString bytes(std::int64_t count)
{
    return QString::fromStdString(formatBytes(count));
}

/// Of a stage's nodes, those that are known; nothing where none is.
std::optional<double> sumOver(const graph::ModelGraph &graph, const partition::Stage &stage,
                              std::optional<double> graph::Node::*cost)
{
    std::optional<double> sum;
    for (int position = stage.begin; position < stage.end; ++position)
        if (const std::optional<double> &known = graph.at(position).*cost)
            sum = sum.value_or(0) + *known;
    return sum;
}

} // namespace

void StageTableModel::show(const graph::ModelGraph &graph, const session::Staging &staging,
                           const std::vector<report::StageReport> &stages)
{
    beginResetModel();
    m_rows.clear();
    for (std::size_t i = 0; i < stages.size(); ++i) {
        Row row{stages[i], {}, {}};
        if (i < staging.partition.stages.size()) {
            const partition::Stage &stage = staging.partition.stages[i];
            row.flops = sumOver(graph, stage, &graph::Node::flops);
            row.seconds = sumOver(graph, stage, &graph::Node::seconds);
        }
        if (row.stage.rank.valid())
            row.seconds = row.stage.seconds;
        m_rows.push_back(std::move(row));
    }
    endResetModel();
}

void StageTableModel::clear()
{
    beginResetModel();
    m_rows.clear();
    endResetModel();
}

int StageTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int StageTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant StageTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    const Row &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return text(row, index.row(), index.column());
    case Qt::EditRole: // what sorting goes by
        return number(row, index.row(), index.column());
    case Qt::TextAlignmentRole:
        return static_cast<int>((index.column() > BeginsAt ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    default:
        return {};
    }
}

QVariant StageTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Stage:
        return tr("stage");
    case BeginsAt:
        return tr("begins at");
    case Nodes:
        return tr("nodes");
    case Parameters:
        return tr("parameters");
    case Bytes:
        return tr("bytes");
    case Buffers:
        return tr("buffers");
    case Flops:
        return tr("FLOPs");
    case Time:
        return tr("time");
    case Sends:
        return tr("sends");
    default:
        return {};
    }
}

QString StageTableModel::text(const Row &row, int stage, int column) const
{
    switch (column) {
    case Stage:
        return QString::number(stage);
    case BeginsAt:
        return row.stage.first.empty() ? tr("(beginning)") : QString::fromStdString(row.stage.first);
    case Nodes:
        return QString::number(row.stage.nodes);
    case Parameters:
        return QString::fromStdString(formatCount(static_cast<double>(row.stage.parameters)));
    case Bytes:
        return bytes(row.stage.parameterBytes);
    case Buffers:
        return bytes(row.stage.bufferBytes);
    case Flops:
        return unknownOr(row.flops, formatCount);
    case Time:
        return unknownOr(row.seconds, formatSeconds);
    case Sends:
        return row.stage.rank.valid() ? bytes(row.stage.sentBytes) : tr("unknown");
    default:
        return {};
    }
}

QVariant StageTableModel::number(const Row &row, int stage, int column)
{
    switch (column) {
    case Stage:
        return stage;
    case BeginsAt:
        return stage; // in the model's order, whatever it is called
    case Nodes:
        return row.stage.nodes;
    case Parameters:
        return static_cast<qlonglong>(row.stage.parameters);
    case Bytes:
        return static_cast<qlonglong>(row.stage.parameterBytes);
    case Buffers:
        return static_cast<qlonglong>(row.stage.bufferBytes);
    case Flops:
        return row.flops.value_or(-1);
    case Time:
        return row.seconds.value_or(-1);
    case Sends:
        return static_cast<qlonglong>(row.stage.sentBytes);
    default:
        return {};
    }
}

} // namespace pipescope::stageview
