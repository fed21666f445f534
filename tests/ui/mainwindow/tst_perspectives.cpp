#include "mainwindow/perspectives.h"

#include "shardview/shard_page.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/window_desk.h"

#include <QApplication>
#include <QDockWidget>
#include <QKeySequence>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTest>
#include <cstddef>
#include <memory>

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
        QCOMPARE(perspectiveNames(), QStringLiteral("Split, Timeline or Shards"));
        for (const char *name : {"", "split", "Split, Timeline or Shards"})
            QVERIFY2(!findPerspective(name), name);
    }

    void theActionOfEachShowsItsPageAndItsDocksAndNoOther()
    {
        WindowDesk desk;
        desk.open();
        const auto *canvases = desk.find<QStackedWidget>("canvases");
        QCOMPARE(canvases->count(), static_cast<int>(perspectives().size()));
        for (const int i : {2, 1, 0}) {
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

    void theShardsAreSeenWithoutAnythingOpenAndTheStartPageComesBack()
    {
        WindowDesk desk;
        const auto *page = desk.window.findChild<shardview::ShardPage *>();
        const auto *start = desk.find<QWidget>("open");
        QVERIFY(start->isVisible() && !page->isVisible());
        QVERIFY(desk.action("showShards").isEnabled());
        desk.trigger("showShards");
        QVERIFY(page->isVisible() && !start->isVisible());
        QVERIFY(page->isAncestorOf(desk.window.focusWidget()));
        for (const QDockWidget *dock : desk.window.findChildren<QDockWidget *>(QString(), Qt::FindDirectChildrenOnly))
            QVERIFY2(!dock->isVisible(), qPrintable(dock->objectName()));
        QVERIFY(session::LayoutStore(desk.settings).perspective("Shards").isEmpty()); // no docks are no arrangement
        desk.trigger("showTimeline");
        QVERIFY(start->isVisible());
        desk.trigger("showShards");
        desk.open();
        QVERIFY(!page->isVisible());
        QVERIFY(desk.action("showGraph").isChecked());
    }

    void aParameterIsShownAsShardsFromTheInspector()
    {
        WindowDesk desk;
        desk.open();
        report::Inspection model = tests::twoLayers(false);
        const graph::Parameter parameter{"layers.0.weight", {}, false, {"float32", {64, 32}, 8192, true}, {}};
        model.graph.parameters.push_back(parameter);
        desk.window.document().setModel(std::make_shared<const report::Inspection>(model));
        desk.window.selection().select(session::SelectedParameter{parameter.fqn});
        auto *button = desk.find<QPushButton>("showAsShards");
        QVERIFY(button->isVisibleTo(&desk.window));
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(desk.action("showShards").isChecked());
        auto *page = desk.window.findChild<shardview::ShardPage *>();
        QVERIFY(page->isVisible());
        QCOMPARE(page->canvas().scene()->layout().shape(), parameter.tensor.sizes);
        QVERIFY((desk.window.selection().current() == session::Selected(session::SelectedParameter{parameter.fqn})));
        QVERIFY(desk.find<QDockWidget>("inspectorDock")->isVisible());
    }

    void theFieldsOfTheShardsAreKeptInTheSettings()
    {
        WindowDesk desk;
        desk.trigger("showShards");
        auto *mesh = desk.find<QLineEdit>("shardMesh");
        mesh->selectAll();
        QTest::keyClicks(mesh, "3,2");
        QCOMPARE(desk.settings.value("shards/mesh").toString(), QString("3,2"));
    }
};

PIPESCOPE_WIDGET_TEST(TestPerspectives)
#include "tst_perspectives.moc"
