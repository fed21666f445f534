#include "checkview/check_table_model.h"

#include "base/error.h"
#include "widgets/cell_delegate.h"

#include <utility>

namespace pipescope::checkview {

CheckTableModel::CheckTableModel(std::vector<Heading> headings, QObject *parent)
    : QAbstractTableModel(parent)
    , m_headings(std::move(headings))
{
    for (std::size_t column = 0; column < m_headings.size(); ++column)
        PIPESCOPE_ASSERT(m_headings[column].column == static_cast<int>(column));
}

int CheckTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : rows();
}

int CheckTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_headings.size());
}

QVariant CheckTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(index.column());
    const bool isShown = role == Qt::DisplayRole || role == Qt::ToolTipRole;
    return isShown ? cell(index.row(), index.column()) : QVariant();
}

QVariant CheckTableModel::alignmentOf(int column) const
{
    const bool isNumber = m_headings[static_cast<std::size_t>(column)].holds == Holds::Numbers;
    return isNumber ? QVariant(widgets::CellDelegate::NumberAlignment) : QVariant();
}

QVariant CheckTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    const Heading &heading = m_headings[static_cast<std::size_t>(section)];
    if (role == Qt::ToolTipRole && !heading.hint.isEmpty())
        return heading.hint;
    if (role == Qt::TextAlignmentRole)
        return alignmentOf(section);
    return role == Qt::DisplayRole ? QVariant(heading.title) : QVariant();
}

} // namespace pipescope::checkview
