#include "checkview/output_table_model.h"

#include "checkview/check_text.h"

#include <utility>

namespace pipescope::checkview {

void OutputTableModel::show(std::vector<report::OutputEquivalence> outputs)
{
    beginResetModel();
    m_rows = std::move(outputs);
    endResetModel();
}

int OutputTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int OutputTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant OutputTableModel::data(const QModelIndex &index, int role) const
{
    if (index.isValid() && role == Qt::ToolTipRole)
        return index.data(Qt::DisplayRole);
    if (!index.isValid() || role != Qt::DisplayRole)
        return {};
    const report::OutputEquivalence &row = at(index.row());
    switch (index.column()) {
    case Output:
        return QString::fromStdString(row.name);
    case Equal:
        return equalText(row.difference);
    case MaxAbsError:
        return errorText(row.difference.maxAbsError);
    case MaxRelError:
        return errorText(row.difference.maxRelError);
    case Tolerance:
        return toleranceText(row);
    case Microbatch:
        return row.worst.valid() ? QVariant(row.worst.value) : QVariant();
    case First:
        return row.first ? QString::fromStdString(row.first->nodeName) : QString();
    case Kind:
        return QString::fromStdString(row.difference.kind);
    case Worst:
        return QString::fromStdString(row.difference.worst);
    default:
        return {};
    }
}

QVariant OutputTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Horizontal && role == Qt::ToolTipRole && section == Tolerance)
        return tr("relative tolerance, absolute tolerance");
    if (orientation == Qt::Horizontal && role == Qt::ToolTipRole && section == Microbatch)
        return tr("the microbatch in which it differs most");
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Output:
        return tr("output");
    case Equal:
        return tr("equal");
    case MaxAbsError:
        return tr("largest error");
    case MaxRelError:
        return tr("relative");
    case Tolerance:
        return tr("tolerance");
    case Microbatch:
        return tr("mb");
    case First:
        return tr("first difference");
    case Kind:
        return tr("kind");
    case Worst:
        return tr("where");
    default:
        return {};
    }
}

} // namespace pipescope::checkview
