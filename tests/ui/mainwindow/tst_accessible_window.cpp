#include "support/qt_warnings.h"
#include "support/run_desk.h"
#include "support/selected.h"
#include "support/test_program.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QDockWidget>
#include <QLineEdit>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>
#include <QTimer>
#include <QWidget>

using namespace pipescope;
using tests::RunDesk;
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

/// In each perspective, with all docks and all settings shown.
void verifyNamed(WindowDesk &desk)
{
    if (auto *more = desk.find<QAbstractButton>("more"); !more->isChecked())
        more->click();
    for (const mainwindow::PerspectiveRow &row : mainwindow::perspectives()) {
        desk.window.show(row.perspective);
        for (QDockWidget *dock : desk.window.findChildren<QDockWidget *>())
            dock->show();
        QCoreApplication::processEvents(); // what is new comes into its layout
        QCOMPARE(nameless(desk.window).join('\n'), QString());
    }
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
        desk.begin(desk.file("model.pt"));
        desk.answer(tests::twoLayers(true)); // with the question whether it is trusted
        QCOMPARE(nameless(desk.window).join('\n'), QString());
        desk.open();
        verifyNamed(desk);
    }

    void whatIsSelectedHasNames()
    {
        WindowDesk desk;
        desk.open();
        session::Selection &selection = desk.window.selection();
        selection.select(NodeId{1});
        verifyNamed(desk);
        selection.select(session::SelectedModule{"layers.0", 0});
        verifyNamed(desk);
        selection.select(session::SelectedCut{1});
        verifyNamed(desk);
        selection.select(StageId{0});
        verifyNamed(desk);
        auto *inputs = desk.find<QAbstractItemView>("inputs"); // whose form is shown below them
        inputs->setCurrentIndex(inputs->model()->index(0, 0));
        verifyNamed(desk);
        desk.find<QLineEdit>("graphSearch")->setText("sin");
        desk.find<QAbstractButton>("asTable")->click();
        verifyNamed(desk);
    }

    void runsTheirTablesAndTheCheckHaveNames()
    {
        RunDesk desk;
        for (int i = 0; i < 9; ++i)
            desk.run();
        QTRY_VERIFY(desk.find<QCheckBox>("run9")->isVisible());
        QVERIFY(desk.find<QWidget>("earlierRuns")->isVisible());
        desk.window.selection().select(tests::forwardOf(1, 0));
        auto &tabs = *desk.find<QTabWidget>("timelineTables");
        for (int tab = 0; tab < tabs.count(); ++tab) {
            tabs.setCurrentIndex(tab);
            verifyNamed(desk);
        }
        QVERIFY(desk.find<QWidget>("outputs")->isVisibleTo(&desk.window));
    }

    void noticesHaveNames()
    {
        RunDesk desk;
        desk.trigger("run");
        QTRY_VERIFY(desk.find<QWidget>("cancelWork")->isVisible());
        QCOMPARE(nameless(desk.window).join('\n'), QString());
        desk.refuse({ErrorCode::ModelFailed, "stage 1 failed in layers.1/aten::sin", "", "a traceback"});
        QVERIFY(desk.find<QWidget>("noticeClose")->isVisible());
        verifyNamed(desk);
    }

    void theNumbersInsideATensorHaveNames()
    {
        RunDesk desk;
        desk.lookInside();
        for (const char *name : {"microbatch", "look", "leaf", "histogram"})
            QVERIFY2(desk.find<QWidget>("inspector")->findChild<QWidget *>(name)->isVisibleTo(&desk.window), name);
        verifyNamed(desk);
    }

    void theSettingsHaveNames()
    {
        WindowDesk desk;
        session::Trust(desk.settings).trustFolder(desk.folder.path());
        QTimer::singleShot(0, &desk.window, [] {
            auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            QVERIFY(dialog->findChild<QWidget *>("engineCommand")->isVisible());
            const QStringList found = nameless(*dialog);
            dialog->reject();
            QCOMPARE(found.join('\n'), QString());
        });
        desk.trigger("settings");
    }

    void questionsHaveNames_data()
    {
        QTest::addColumn<QString>("action");
        for (const char *action : {"balance", "saveLayout", "restoreLayout", "about"})
            QTest::newRow(action) << action;
    }
    void questionsHaveNames()
    {
        QFETCH(QString, action);
        WindowDesk desk;
        desk.open();
        desk.window.findChild<mainwindow::DockSet *>()->saveLayout("mine");
        desk.window.findChild<actions::ActionTable *>()->refresh();
        bool isAsked = false;
        QTimer::singleShot(0, &desk.window, [&isAsked] {
            auto *dialog = qobject_cast<QDialog *>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            isAsked = true;
            const QStringList found = nameless(*dialog);
            dialog->reject();
            QCOMPARE(found.join('\n'), QString());
        });
        desk.action(qPrintable(action)).trigger();
        QVERIFY(isAsked);
    }

    void theSheetOfShortcutsAndThePaletteHaveNames()
    {
        WindowDesk desk;
        desk.open();
        desk.trigger("shortcuts");
        auto *sheet = desk.find<QDialog>("shortcutSheet");
        QVERIFY(sheet->isVisible());
        QCOMPARE(nameless(*sheet).join('\n'), QString());
        sheet->close();
        desk.trigger("palette");
        auto *palette = desk.find<QWidget>("commandPalette");
        QVERIFY(palette->isVisible());
        QCOMPARE(nameless(*palette).join('\n'), QString());
        QCOMPARE(nameless(desk.window).join('\n'), QString());
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

PIPESCOPE_WIDGET_TEST(TestAccessibleWindow)
#include "tst_accessible_window.moc"
