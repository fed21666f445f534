#include "checkview/difference_table_model.h"

#include "checkview/check_text.h"

#include <utility>

namespace pipescope::checkview {

void DifferenceTableModel::show(std::vector<report::Difference> byMicrobatch)
{
    beginResetModel();
    m_rows = std::move(byMicrobatch);
    endResetModel();
}

int DifferenceTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DifferenceTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DifferenceTableModel::data(const QModelIndex &index, int role) const
{
    if (index.isValid() && role == Qt::ToolTipRole)
        return index.data(Qt::DisplayRole);
    if (!index.isValid() || role != Qt::DisplayRole)
        return {};
    const report::Difference &row = m_rows[static_cast<std::size_t>(index.row())];
    switch (index.column()) {
    case Microbatch:
        return index.row();
    case Equal:
        return equalText(row);
    case MaxAbsError:
        return errorText(row.maxAbsError);
    case MaxRelError:
        return errorText(row.maxRelError);
    case Kind:
        return QString::fromStdString(row.kind);
    case Worst:
        return QString::fromStdString(row.worst);
    default:
        return {};
    }
}

QVariant DifferenceTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::ToolTipRole && section == Microbatch)
        return tr("microbatch");
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Microbatch:
        return tr("mb");
    case Equal:
        return tr("equal");
    case MaxAbsError:
        return tr("largest error");
    case MaxRelError:
        return tr("relative");
    case Kind:
        return tr("kind");
    case Worst:
        return tr("where");
    default:
        return {};
    }
}

} // namespace pipescope::checkview
