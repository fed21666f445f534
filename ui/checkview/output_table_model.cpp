#include "checkview/output_table_model.h"

#include "checkview/check_text.h"

#include <utility>

namespace pipescope::checkview {

OutputTableModel::OutputTableModel(QObject *parent)
    : CheckTableModel({{Output, tr("output")},
                       {Equal, tr("equal")},
                       {MaxAbsError, tr("largest error"), Holds::Numbers},
                       {MaxRelError, tr("relative"), Holds::Numbers},
                       {Tolerance, tr("tolerance"), Holds::Numbers, tr("relative tolerance, absolute tolerance")},
                       {Microbatch, tr("mb"), Holds::Words, tr("the microbatch in which it differs most")},
                       {First, tr("first difference")},
                       {Kind, tr("kind")},
                       {Worst, tr("where")}},
                      parent)
{
}

void OutputTableModel::show(std::vector<report::OutputEquivalence> outputs)
{
    beginResetModel();
    m_rows = std::move(outputs);
    endResetModel();
}

QVariant OutputTableModel::cell(int row, int column) const
{
    const report::OutputEquivalence &output = at(row);
    switch (column) {
    case Output:
        return QString::fromStdString(output.name);
    case Equal:
        return equalText(output.difference);
    case MaxAbsError:
        return errorText(output.difference.maxAbsError);
    case MaxRelError:
        return errorText(output.difference.maxRelError);
    case Tolerance:
        return toleranceText(output);
    case Microbatch:
        return output.worst.valid() ? QVariant(output.worst.value) : QVariant();
    case First:
        return output.first ? QString::fromStdString(output.first->nodeName) : QString();
    case Kind:
        return QString::fromStdString(output.difference.kind);
    case Worst:
        return QString::fromStdString(output.difference.worst);
    default:
        return {};
    }
}

} // namespace pipescope::checkview
