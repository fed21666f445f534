#include "support/qt_warnings.h"
#include "support/window_desk.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QDockWidget>
#include <QTabBar>
#include <QtTest>

using namespace pipescope;
using tests::WindowDesk;

namespace {

/// Parts of other widgets, which speak for them, and the tab bars without tabs that a QMainWindow keeps.
bool isInside(const QWidget &widget)
{
    if (const auto *tabs = qobject_cast<const QTabBar *>(&widget); tabs != nullptr && tabs->count() == 0)
        return true;
    const QByteArray name = widget.objectName().toLatin1();
    return name.startsWith("qt_") || qobject_cast<const QDockWidget *>(widget.parentWidget()) != nullptr;
}

QString nameOf(QWidget &widget)
{
    QAccessibleInterface *accessible = QAccessible::queryAccessibleInterface(&widget);
    return accessible == nullptr ? QString() : accessible->text(QAccessible::Name);
}

/// Of those that can have the keyboard.
QStringList nameless(const QWidget &window)
{
    QStringList found;
    for (QWidget *widget : window.findChildren<QWidget *>())
        if (widget->focusPolicy() != Qt::NoFocus && widget->isVisibleTo(&window) && !isInside(*widget) &&
            nameOf(*widget).isEmpty())
            found << QStringLiteral("%1 '%2' in '%3'")
                         .arg(widget->metaObject()->className(), widget->objectName(),
                              widget->parentWidget()->objectName());
    return found;
}

} // namespace

/// The window to somebody who does not see it, and to somebody without a mouse.
class TestAccessibleWindow : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void whateverTakesTheKeyboardHasAName()
    {
        WindowDesk desk;
        QCOMPARE(nameless(desk.window).join('\n'), QString());
        desk.open();
        for (QDockWidget *dock : desk.window.findChildren<QDockWidget *>())
            dock->show();
        for (const auto perspective : {mainwindow::Perspective::Split, mainwindow::Perspective::Timeline}) {
            desk.window.show(perspective);
            QCOMPARE(nameless(desk.window).join('\n'), QString());
        }
    }

    void everyButtonOfTheDocksAndPagesIsReachedByTab()
    {
        WindowDesk desk;
        desk.open();
        QStringList unreachable;
        for (QAbstractButton *button : desk.window.findChildren<QAbstractButton *>())
            if (button->isVisibleTo(&desk.window) && !isInside(*button) && !button->objectName().isEmpty() &&
                !(button->focusPolicy() & Qt::TabFocus))
                unreachable << button->objectName();
        QCOMPARE(unreachable.join('\n'), QString());
    }
};

QTEST_MAIN(TestAccessibleWindow)
#include "tst_accessible_window.moc"
