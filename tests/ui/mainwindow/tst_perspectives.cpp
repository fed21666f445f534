#include "mainwindow/perspectives.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QDockWidget>
#include <QKeySequence>
#include <QStackedWidget>
#include <QTest>
#include <cstddef>

using namespace pipescope;
using namespace pipescope::mainwindow;
using tests::WindowDesk;

class TestPerspectives : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void eachStandsAtTheRowOfItsValueAndIsFoundByItsName()
    {
        for (std::size_t i = 0; i < perspectives().size(); ++i) {
            const PerspectiveRow &row = perspectives()[i];
            QCOMPARE(static_cast<std::size_t>(row.perspective), i);
            QCOMPARE(&rowOf(row.perspective), &row);
            QVERIFY(findPerspective(row.name) == row.perspective);
        }
        QCOMPARE(perspectiveNames(), QStringLiteral("Split or Timeline"));
        for (const char *name : {"", "split", "Split or Timeline"})
            QVERIFY2(!findPerspective(name), name);
    }

    void theActionOfEachShowsItsPageAndItsDocksAndNoOther()
    {
        WindowDesk desk;
        desk.open();
        const auto *canvases = desk.find<QStackedWidget>("canvases");
        QCOMPARE(canvases->count(), static_cast<int>(perspectives().size()));
        for (const int i : {1, 0}) {
            const PerspectiveRow &row = perspectives()[static_cast<std::size_t>(i)];
            QCOMPARE(desk.action(row.action).shortcut(), QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)));
            desk.trigger(row.action);
            QCOMPARE(canvases->currentIndex(), i);
            QVERIFY(desk.action(row.action).isChecked());
            QVERIFY(canvases->currentWidget()->isAncestorOf(desk.window.focusWidget()));
            QStringList wanted;
            for (const DockPlace &place : row.docks)
                wanted << QLatin1String(place.dock);
            QStringList shown;
            for (const QDockWidget *dock :
                 desk.window.findChildren<QDockWidget *>(QString(), Qt::FindDirectChildrenOnly))
                if (dock->toggleViewAction()->isChecked())
                    shown << dock->objectName();
            wanted.sort();
            shown.sort();
            QCOMPARE(shown, wanted);
        }
    }
};

PIPESCOPE_WIDGET_TEST(TestPerspectives)
#include "tst_perspectives.moc"
