#include "widgets/choice.h"

#include <QComboBox>
#include <QStandardItemModel>

namespace pipescope::widgets {

void setWhyNot(QComboBox &box, int item, const QString &whyNot, const QString &tip)
{
    box.setItemData(item, whyNot.isEmpty() ? tip : whyNot, Qt::ToolTipRole);
    auto *items = qobject_cast<QStandardItemModel *>(box.model());
    if (items != nullptr && items->item(item) != nullptr)
        items->item(item)->setEnabled(whyNot.isEmpty());
}

} // namespace pipescope::widgets
