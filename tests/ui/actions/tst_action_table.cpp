#include "actions/shortcut_sheet.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QLineEdit>
#include <QMenu>
#include <QTableView>
#include <QTest>
#include <QWidget>

using namespace pipescope;
using namespace pipescope::actions;

class TestActionTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aRowIsAnActionWithItsShortcutWhereverTheKeyboardIs()
    {
        QWidget window;
        ActionTable table(window);
        int done = 0;
        table.add({.id = "run", .text = "&Run", .keys = {Qt::CTRL | Qt::Key_R}, .done = [&done] { ++done; }});
        window.show();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QTest::keyClick(&window, Qt::Key_R, Qt::ControlModifier);
        QCOMPARE(done, 1);
    }

    void whatCannotBeDoneIsGreyedAndSaysWhy()
    {
        QWidget window;
        ActionTable table(window);
        QString why = "Open a model first.";
        QAction &run = table.add({.id = "run",
                                  .text = "&Run",
                                  .keys = {Qt::CTRL | Qt::Key_R},
                                  .hint = "Run the stages",
                                  .done = [] {},
                                  .whyNot = [&why] { return why; }});
        table.refresh();
        QVERIFY(!run.isEnabled());
        QCOMPARE(run.toolTip(), QString("Run the stages (Ctrl+R)\nOpen a model first."));
        why.clear();
        table.refresh();
        QVERIFY(run.isEnabled());
        QCOMPARE(run.toolTip(), QString("Run the stages (Ctrl+R)"));
    }

    void aMenuHasItsOwnRowsInTheirOrder()
    {
        QWidget window;
        ActionTable table(window);
        table.add({.id = "open", .text = "&Open...", .menu = MenuId::File, .done = [] {}});
        table.add({.id = "undo", .text = "&Undo", .menu = MenuId::Edit, .done = [] {}});
        table.add({.id = "quit", .text = "&Quit", .menu = MenuId::File, .begins = true, .done = [] {}});
        QMenu menu;
        table.fill(menu, MenuId::File);
        QCOMPARE(menu.actions().size(), 3);
        QCOMPARE(menu.actions().at(0)->text(), QString("&Open..."));
        QVERIFY(menu.actions().at(1)->isSeparator());
        QCOMPARE(menu.actions().at(2)->text(), QString("&Quit"));
    }

    void textAndCheckMarkFollowWhatIs()
    {
        QWidget window;
        ActionTable table(window);
        bool isOn = false;
        QAction &undo = table.add({.id = "undo",
                                   .text = "&Undo",
                                   .done = [] {},
                                   .textNow = [] { return "Undo Place a split"; },
                                   .isChecked = [&isOn] { return isOn; }});
        isOn = true;
        table.refresh();
        QCOMPARE(undo.text(), QString("Undo Place a split"));
        QCOMPARE(undo.iconText(), QString("Undo"));
        QVERIFY(undo.isChecked());
    }

    void theSheetHasTheKeysOfActionsAndOfCanvases()
    {
        QWidget window;
        ActionTable table(window);
        table.add(
            {.id = "run", .text = "&Run", .keys = {Qt::CTRL | Qt::Key_R}, .hint = "Run the stages", .done = [] {}});
        table.add({.id = "about", .text = "&About", .done = [] {}}); // has no key
        table.addKeys({{"Timeline", "W, S", "Zoom"}});
        ShortcutModel model(table);
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(0, ShortcutModel::Keys).data().toString(), QString("Ctrl+R"));
        QCOMPARE(model.index(0, ShortcutModel::What).data().toString(), QString("Run: Run the stages"));
        QCOMPARE(model.index(1, ShortcutModel::Where).data().toString(), QString("Timeline"));

        ShortcutSheet sheet(table, nullptr);
        sheet.show();
        QTest::keyClicks(sheet.findChild<QLineEdit *>("shortcutFilter"), "zoom");
        QCOMPARE(sheet.findChild<QTableView *>("shortcuts")->model()->rowCount(), 1);
    }
};

PIPESCOPE_WIDGET_TEST(TestActionTable)
#include "tst_action_table.moc"
