#include "inspector/bin_table_model.h"

#include "widgets/number_text.h"

#include <cstddef>

namespace pipescope::inspector {

namespace {

constexpr int LeastDigits = 6;

} // namespace

void BinTableModel::show(const Bins &bins)
{
    if (bins == m_bins) // what is selected stays
        return;
    beginResetModel();
    m_bins = bins;
    endResetModel();
}

int BinTableModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_bins.counts.size());
}

int BinTableModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant BinTableModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid())
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const auto bin = static_cast<std::size_t>(index.row());
    switch (index.column()) {
    case From:
        return widgets::numberText(edgeOf(m_bins, bin), digitsOf(m_bins, LeastDigits));
    case To:
        return widgets::numberText(edgeOf(m_bins, bin + 1), digitsOf(m_bins, LeastDigits));
    default:
        return widgets::countText(m_bins.counts[bin]);
    }
}

QVariant BinTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case From:
        return tr("from");
    case To:
        return tr("to");
    case Count:
        return tr("count");
    default:
        return {};
    }
}

} // namespace pipescope::inspector
