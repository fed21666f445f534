#include "mainwindow/graph_page.h"

#include "graphview/node_table_model.h"
#include "support/graph_builder.h"
#include "support/selected.h"
#include "support/test_program.h"

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

using namespace pipescope;
using graphview::GraphCanvas;
using mainwindow::GraphPage;

namespace {

std::shared_ptr<const report::Inspection> model(int layers = 14)
{
    std::string text = "in v0\n";
    for (int i = 0; i < layers; ++i) {
        const std::string at = std::to_string(i);
        text += "call layers." + at + "\nv" + std::to_string(i + 1) + " = aten::linear v" + at + " @0.002 *64\nend\n";
    }
    auto inspection = std::make_shared<report::Inspection>();
    inspection->graph = tests::graphFromText(text + "return v" + std::to_string(layers) + "\n");
    inspection->splitPoints = partition::splitPoints(inspection->graph);
    return inspection;
}

class GraphPageDesk
{
public:
    GraphPageDesk()
    {
        document.newFor("model.pt");
        page = std::make_unique<GraphPage>(document, selection, style::Theme::dark());
        page->resize(1000, 900);
        page->show();
        document.setModel(model());
        QTRY_VERIFY(page->canvas().picture() && !page->canvas().isLayingOut());
    }
    [[nodiscard]] GraphCanvas &canvas() const { return page->canvas(); }
    [[nodiscard]] QPoint gap(int position) const
    {
        const graphview::SplitPlace *place = graphview::placeOf(canvas().splits().places(), position);
        return canvas().viewport().toScreen(QPointF((place->left + place->right) / 2, place->y())).toPoint();
    }
    [[nodiscard]] QPoint pill(int position) const
    {
        return canvas().splits().pillOf(canvas().viewport(), position).center().toPoint();
    }

    session::Document document;
    session::Selection selection;
    std::unique_ptr<GraphPage> page;
};

using Words = std::vector<std::string>;

} // namespace

class TestGraphPage : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)"))); }

    void aGraphOfSomeValuesSaysWhich()
    {
        GraphPageDesk desk;
        const auto *label = desk.page->findChild<QLabel *>("graphOf");
        QVERIFY(!label->isVisible());
        auto made = std::make_shared<report::Inspection>(*model());
        made->specialised = {*plan::parseInputSpec("rate=16000")};
        desk.document.setModel(made);
        QVERIFY(label->isVisible());
        QCOMPARE(label->text(), QString("graph of rate=16000"));
        desk.document.setModel(model());
        QVERIFY(!label->isVisible());
    }

    void splitsArePlacedDraggedRemovedAndUndoneOnTheCanvas()
    {
        GraphPageDesk desk;
        QTest::mouseClick(&desk.canvas(), Qt::LeftButton, {}, desk.gap(3));
        QCOMPARE(desk.document.plan().splits, Words{"layers.3"});
        QVERIFY(desk.selection.current() == session::Selected(session::SelectedCut{3}));
        QTest::mousePress(&desk.canvas(), Qt::LeftButton, {}, desk.pill(3));
        QTest::mouseMove(&desk.canvas(), desk.pill(3) + QPoint(0, 12));
        QTest::mouseMove(&desk.canvas(), QPoint(desk.pill(3).x(), desk.gap(5).y()));
        QCOMPARE(desk.document.plan().splits, Words{"layers.3"}); // shown, not yet done
        QTest::mouseRelease(&desk.canvas(), Qt::LeftButton, {}, QPoint(desk.pill(3).x(), desk.gap(5).y()));
        QCOMPARE(desk.document.plan().splits, Words{"layers.5"});
        QVERIFY(desk.selection.current() == session::Selected(session::SelectedCut{5}));
        QTest::keyClick(&desk.canvas(), Qt::Key_Delete);
        QVERIFY(desk.document.plan().splits.empty());
        desk.document.undoStack().undo();
        desk.document.undoStack().undo();
        QCOMPARE(desk.document.plan().splits, Words{"layers.3"});
        QCOMPARE(desk.canvas().splits().cuts(), std::vector<int>{3});
    }

    void theCardOfTheCanvasFollowsThePointerInTheGutter()
    {
        GraphPageDesk desk;
        auto *gutter = desk.page->findChild<graphview::SplitGutter *>("gutter");
        QTest::mouseMove(gutter->viewport(), gutter->gapRect(4).center());
        QVERIFY(desk.canvas().splits().shown());
        QCOMPARE(desk.canvas().splits().shown()->position, 4);
        QTest::mouseMove(gutter->viewport(), QPoint(30, gutter->viewport()->height() - 2));
        QVERIFY(!desk.canvas().splits().shown());
    }

    void theSearchCountsAndWalks()
    {
        GraphPageDesk desk;
        auto *search = desk.page->findChild<QLineEdit *>("graphSearch");
        const auto *found = desk.page->findChild<QLabel *>("found");
        QTest::keyClicks(search, "^layers.1[0-3]?$");
        QCOMPARE(found->text(), QStringLiteral("5 found"));
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(found->text(), QStringLiteral("1 of 5"));
        QTest::mouseClick(desk.page->findChild<QToolButton *>("nextMatch"), Qt::LeftButton);
        QCOMPARE(found->text(), QStringLiteral("2 of 5"));
        QTest::mouseClick(desk.page->findChild<QToolButton *>("previousMatch"), Qt::LeftButton);
        QCOMPARE(found->text(), QStringLiteral("1 of 5"));
        QTest::keyClicks(search, "(");
        QCOMPARE(found->text(), QStringLiteral("no regular expression"));
    }

    void theSearchIsMadeAnewOnTheNextModel()
    {
        GraphPageDesk desk;
        const auto *found = desk.page->findChild<QLabel *>("found");
        auto *next = desk.page->findChild<QToolButton *>("nextMatch");
        QTest::keyClicks(desk.page->findChild<QLineEdit *>("graphSearch"), "^layers.1[0-3]?$");
        QTest::mouseClick(next, Qt::LeftButton);
        QTest::mouseClick(next, Qt::LeftButton);
        QCOMPARE(found->text(), QStringLiteral("2 of 5"));
        desk.document.setModel(model()); // the same, as after a profile
        QCOMPARE(found->text(), QStringLiteral("2 of 5"));
        desk.document.newFor("other.pt");
        desk.document.setModel(model(12));
        QCOMPARE(found->text(), QStringLiteral("3 found"));
        QTRY_VERIFY(desk.page->canvas().picture() && !desk.page->canvas().isLayingOut());
        QTest::mouseClick(next, Qt::LeftButton);
        QCOMPARE(found->text(), QStringLiteral("1 of 3"));
        QVERIFY((desk.selection.current() == session::Selected(session::SelectedModule{"layers.1", 0})));
    }

    void theCountOfMatchesStandsClearOfTheButtonBesideIt()
    {
        GraphPageDesk desk;
        const auto *found = desk.page->findChild<QLabel *>("found");
        const auto *previous = desk.page->findChild<QToolButton *>("previousMatch");
        QTest::keyClicks(desk.page->findChild<QLineEdit *>("graphSearch"), "layers");
        QTRY_VERIFY(previous->isVisible() && previous->x() > found->x());
        QVERIFY(previous->x() - found->geometry().right() > 4);
        QVERIFY(found->x() - desk.page->findChild<QLineEdit *>("graphSearch")->geometry().right() > 4);
    }

    void theTableAndTheCanvasShareOneSelection()
    {
        GraphPageDesk desk;
        QTest::mouseClick(desk.page->findChild<QToolButton *>("asTable"), Qt::LeftButton);
        QTableView &table = desk.page->table();
        QVERIFY(table.isVisible());
        QCOMPARE(table.model()->rowCount(), 14);
        table.selectRow(6);
        QCOMPARE(session::idIn<NodeId>(desk.selection.current()), NodeId{6});
        desk.selection.select(NodeId{2});
        QCOMPARE(table.selectionModel()->selectedRows().size(), 1);
        QCOMPARE(table.selectionModel()->selectedRows().first().row(), 2);
        QTest::keyClicks(desk.page->findChild<QLineEdit *>("graphSearch"), "layers.13");
        QCOMPARE(table.model()->rowCount(), 1);
    }

    void aRowOfTheGutterSelectsItsModuleAndIsLit()
    {
        GraphPageDesk desk;
        auto *gutter = desk.page->findChild<graphview::SplitGutter *>("gutter");
        QTest::mouseClick(gutter->viewport(), Qt::LeftButton, {}, gutter->rowRect(3).center());
        QVERIFY((desk.selection.current() == session::Selected(session::SelectedModule{"layers.3", 0})));
        QVERIFY(gutter->isSelected(3) && !gutter->isSelected(2) && !gutter->isSelected(4));
        QCOMPARE(desk.canvas().describe(desk.canvas().current()).section(',', 0, 0), QString("layers.3"));
        QCOMPARE(desk.page->table().selectionModel()->selectedRows().first().row(), 3);
    }

    void theGutterAndTheTableFollowANodeAStageAndAnAction()
    {
        GraphPageDesk desk;
        auto *gutter = desk.page->findChild<graphview::SplitGutter *>("gutter");
        gutter->resize(gutter->width(), 120);
        desk.selection.select(NodeId{12});
        QVERIFY(gutter->isSelected(12));
        QVERIFY(gutter->viewport()->rect().contains(gutter->rowRect(12)));
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.4", "layers.9"}; });
        desk.selection.select(StageId{1});
        const auto lit = [&] {
            QList<int> rows;
            for (int row = 0; row < 14; ++row)
                if (gutter->isSelected(row))
                    rows << row;
            return rows;
        };
        QCOMPARE(lit(), (QList<int>{4, 5, 6, 7, 8}));
        QCOMPARE(desk.page->table().selectionModel()->selectedRows().first().row(), 4);
        desk.selection.select(tests::forwardOf(2, 0));
        QCOMPARE(lit(), (QList<int>{9, 10, 11, 12, 13}));
        desk.document.undoStack().undo(); // one stage: the action's is gone
        QCOMPARE(lit(), QList<int>());
    }

    void theTableShowsStagesAsChipsAndMoreColumnsWhenAsked()
    {
        GraphPageDesk desk;
        QTest::mouseClick(desk.page->findChild<QToolButton *>("asTable"), Qt::LeftButton);
        QTableView &table = desk.page->table();
        QVERIFY(table.isColumnHidden(graphview::NodeTableModel::Module));
        QVERIFY(!table.isColumnHidden(graphview::NodeTableModel::Flops));
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"layers.1"}; });
        const QRect cell = table.visualRect(table.model()->index(1, graphview::NodeTableModel::Stage));
        QCOMPARE(table.viewport()->grab().toImage().pixelColor(cell.topLeft() + QPoint(7, 8)),
                 style::Theme::dark().colour(StageId{1}));
    }

    void theMenuOfTheCanvasPlacesTheSplit()
    {
        GraphPageDesk desk;
        desk.selection.select(session::SelectedModule{"layers.5", 0});
        QTest::keyClick(&desk.canvas(), Qt::Key_F10, Qt::ShiftModifier);
        auto *menu = desk.canvas().findChild<QMenu *>("graphMenu");
        QVERIFY(menu);
        QTest::keyClick(menu, Qt::Key_Down);
        QTest::keyClick(menu, Qt::Key_Return);
        QCOMPARE(desk.document.plan().splits, Words{"layers.5"});
    }
};

PIPESCOPE_WIDGET_TEST(TestGraphPage)
#include "tst_graph_page.moc"
