#include "widgets/run_label.h"

namespace pipescope::widgets {

RunLabel::RunLabel(QWidget *parent)
    : QLabel(parent)
{
    setObjectName("ofRun");
    setAccessibleName(tr("Run"));
    setToolTip(tr("The run that these numbers are of"));
    setTextFormat(Qt::PlainText); // a file's name is anybody's text
    setWordWrap(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    hide();
}

void RunLabel::setRun(const QString &name)
{
    setText(name);
    setVisible(!name.isEmpty());
}

} // namespace pipescope::widgets
