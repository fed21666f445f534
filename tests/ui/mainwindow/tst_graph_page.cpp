#include "mainwindow/graph_page.h"

#include "support/graph_builder.h"

#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

using namespace pipescope;
using graphview::GraphCanvas;
using mainwindow::GraphPage;

namespace {

std::shared_ptr<const report::Inspection> model()
{
    std::string text = "in v0\n";
    for (int i = 0; i < 14; ++i) {
        const std::string at = std::to_string(i);
        text += "call layers." + at + "\nv" + std::to_string(i + 1) + " = aten::linear v" + at + " @0.002 *64\nend\n";
    }
    auto inspection = std::make_shared<report::Inspection>();
    inspection->graph = tests::graphFromText(text + "return v14\n");
    inspection->splitPoints = partition::splitPoints(inspection->graph);
    return inspection;
}

class Desk
{
public:
    Desk()
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

    void splitsArePlacedDraggedRemovedAndUndoneOnTheCanvas()
    {
        Desk desk;
        QTest::mouseClick(&desk.canvas(), Qt::LeftButton, {}, desk.gap(3));
        QCOMPARE(desk.document.plan().splits, Words{"layers.3"});
        QCOMPARE(desk.selection.current().cut, std::optional<int>(3));
        QTest::mousePress(&desk.canvas(), Qt::LeftButton, {}, desk.pill(3));
        QTest::mouseMove(&desk.canvas(), desk.pill(3) + QPoint(0, 12));
        QTest::mouseMove(&desk.canvas(), QPoint(desk.pill(3).x(), desk.gap(5).y()));
        QCOMPARE(desk.document.plan().splits, Words{"layers.3"}); // shown, not yet done
        QTest::mouseRelease(&desk.canvas(), Qt::LeftButton, {}, QPoint(desk.pill(3).x(), desk.gap(5).y()));
        QCOMPARE(desk.document.plan().splits, Words{"layers.5"});
        QCOMPARE(desk.selection.current().cut, std::optional<int>(5));
        QTest::keyClick(&desk.canvas(), Qt::Key_Delete);
        QVERIFY(desk.document.plan().splits.empty());
        desk.document.undoStack().undo();
        desk.document.undoStack().undo();
        QCOMPARE(desk.document.plan().splits, Words{"layers.3"});
        QCOMPARE(desk.canvas().splits().cuts(), std::vector<int>{3});
    }

    void theCardOfTheCanvasFollowsThePointerInTheGutter()
    {
        Desk desk;
        auto *gutter = desk.page->findChild<graphview::SplitGutter *>("gutter");
        QTest::mouseMove(gutter->viewport(), gutter->gapRect(4).center());
        QVERIFY(desk.canvas().splits().shown());
        QCOMPARE(desk.canvas().splits().shown()->position, 4);
        QTest::mouseMove(gutter->viewport(), QPoint(30, gutter->viewport()->height() - 2));
        QVERIFY(!desk.canvas().splits().shown());
    }

    void theSearchCountsAndWalks()
    {
        Desk desk;
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

    void theTableAndTheCanvasShareOneSelection()
    {
        Desk desk;
        QTest::mouseClick(desk.page->findChild<QToolButton *>("asTable"), Qt::LeftButton);
        QTableView &table = desk.page->table();
        QVERIFY(table.isVisible());
        QCOMPARE(table.model()->rowCount(), 14);
        table.selectRow(6);
        QCOMPARE(desk.selection.current().node, NodeId{6});
        desk.selection.selectNode(NodeId{2});
        QCOMPARE(table.selectionModel()->selectedRows().size(), 1);
        QCOMPARE(table.selectionModel()->selectedRows().first().row(), 2);
        QTest::keyClicks(desk.page->findChild<QLineEdit *>("graphSearch"), "layers.13");
        QCOMPARE(table.model()->rowCount(), 1);
    }
};

QTEST_MAIN(TestGraphPage)
#include "tst_graph_page.moc"
