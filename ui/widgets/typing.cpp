#include "widgets/typing.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QEvent>
#include <QLineEdit>
#include <QPointer>

namespace pipescope::widgets {

namespace {

class NumberSelector : public QObject
{
public:
    explicit NumberSelector(QAbstractSpinBox &box)
        : QObject(&box)
        , m_box(box)
    {
        box.findChild<QLineEdit *>()->installEventFilter(this);
    }

    bool eventFilter(QObject * /*watched*/, QEvent *event) override
    {
        if (event->type() != QEvent::MouseButtonDblClick)
            return false;
        m_box.selectAll();
        return true;
    }

private:
    QAbstractSpinBox &m_box;
};

} // namespace

void finishTyping()
{
    const QPointer<QWidget> typed = QApplication::focusWidget();
    if (qobject_cast<QLineEdit *>(typed) == nullptr && qobject_cast<QAbstractSpinBox *>(typed) == nullptr)
        return;
    typed->clearFocus();
    if (typed && typed->isVisible())
        typed->setFocus();
}

void selectNumberOnDoubleClick(QAbstractSpinBox &box)
{
    new NumberSelector(box);
}

void stopListening(QWidget &form)
{
    for (const QWidget *part : form.findChildren<QWidget *>())
        part->disconnect(&form);
}

} // namespace pipescope::widgets
