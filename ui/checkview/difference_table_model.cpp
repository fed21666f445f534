#include "checkview/difference_table_model.h"

#include "checkview/check_text.h"

#include <utility>

namespace pipescope::checkview {

DifferenceTableModel::DifferenceTableModel(QObject *parent)
    : CheckTableModel({{Microbatch, tr("mb"), Holds::Words, tr("microbatch")},
                       {Equal, tr("equal")},
                       {MaxAbsError, tr("largest error"), Holds::Numbers},
                       {MaxRelError, tr("relative"), Holds::Numbers},
                       {Kind, tr("kind")},
                       {Worst, tr("where")}},
                      parent)
{
}

void DifferenceTableModel::show(std::vector<report::Difference> byMicrobatch)
{
    beginResetModel();
    m_rows = std::move(byMicrobatch);
    endResetModel();
}

QVariant DifferenceTableModel::cell(int row, int column) const
{
    const report::Difference &difference = m_rows[static_cast<std::size_t>(row)];
    switch (column) {
    case Microbatch:
        return row;
    case Equal:
        return equalText(difference);
    case MaxAbsError:
        return errorText(difference.maxAbsError);
    case MaxRelError:
        return errorText(difference.maxRelError);
    case Kind:
        return QString::fromStdString(difference.kind);
    case Worst:
        return QString::fromStdString(difference.worst);
    default:
        return {};
    }
}

} // namespace pipescope::checkview
