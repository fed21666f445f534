#include "widgets/typing.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QLineEdit>
#include <QPointer>

namespace pipescope::widgets {

void finishTyping()
{
    const QPointer<QWidget> typed = QApplication::focusWidget();
    if (qobject_cast<QLineEdit *>(typed) == nullptr && qobject_cast<QAbstractSpinBox *>(typed) == nullptr)
        return;
    typed->clearFocus();
    if (typed && typed->isVisible())
        typed->setFocus();
}

void stopListening(QWidget &form)
{
    for (const QWidget *part : form.findChildren<QWidget *>())
        part->disconnect(&form);
}

} // namespace pipescope::widgets
