#include "shardview/step_table_model.h"

#include "shardview/shard_words.h"
#include "shardview/step_words.h"
#include "widgets/cell_delegate.h"
#include "widgets/number_text.h"

#include <cstddef>
#include <utility>

namespace pipescope::shardview {

namespace {

bool isAmount(int column)
{
    return column >= StepTableModel::Gives && column <= StepTableModel::Time;
}

} // namespace

void StepTableModel::setPlan(const shard::Redistribution *plan)
{
    std::vector<shard::Step> steps = plan == nullptr ? std::vector<shard::Step>() : plan->steps;
    if (steps == m_steps) // who asks may be told by the table that a row is selected
        return;
    beginResetModel();
    m_steps = std::move(steps);
    endResetModel();
}

int StepTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_steps.size());
}

int StepTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant StepTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::DisplayRole)
        return text(index.row(), index.column());
    return role == Qt::TextAlignmentRole && isAmount(index.column()) ? QVariant(widgets::CellDelegate::NumberAlignment)
                                                                     : QVariant();
}

QVariant StepTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole && isAmount(section))
        return widgets::CellDelegate::NumberAlignment;
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Number:
        return tr("step");
    case Collective:
        return tr("collective");
    case Over:
        return tr("over");
    case From:
        return tr("from");
    case To:
        return tr("to");
    case Gives:
        return tr("a rank gives");
    case Has:
        return tr("has then");
    case PaddedGives:
        return tr("gives, padded");
    case PaddedHas:
        return tr("has, padded");
    case Time:
        return tr("time");
    default:
        return {};
    }
}

QString StepTableModel::text(int row, int column) const
{
    const shard::Step &step = m_steps[static_cast<std::size_t>(row)];
    switch (column) {
    case Number:
        return QString::number(row + 1);
    case Collective:
        return collectiveText(step.collective);
    case Over:
        return meshDimsText(step.before.mesh(), step.meshDims);
    case From:
        return QString::fromStdString(step.before.text());
    case To:
        return QString::fromStdString(step.after.text());
    case Gives:
        return widgets::bytesText(step.bytes.in);
    case Has:
        return widgets::bytesText(step.bytes.out);
    case PaddedGives:
        return widgets::bytesText(step.bytes.paddedIn);
    case PaddedHas:
        return widgets::bytesText(step.bytes.paddedOut);
    case Time:
        return costText(step.microseconds);
    default:
        return {};
    }
}

} // namespace pipescope::shardview
