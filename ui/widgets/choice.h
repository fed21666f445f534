// A box of choices, some of which cannot be made as things are.
#pragma once

#include <QString>

class QComboBox;

namespace pipescope::widgets {

/// Greys an item, with the reason in its tool tip, where there is one; else it can be chosen, and its tip is `tip`.
void setWhyNot(QComboBox &box, int item, const QString &whyNot, const QString &tip = {});

} // namespace pipescope::widgets
