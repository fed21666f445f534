#include "graphview/split_gutter.h"
#include "support/graph_builder.h"
#include "support/recorded_painting.h"
#include "support/test_program.h"

#include <QAction>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

using namespace pipescope;
using namespace pipescope::graphview;
using style::Theme;

namespace {

// Positions: 1 layers.0:end or the node, 2 cut of a future (not legal), 3.
const char *const GutterText = R"(in x
call layers.0
a = aten::linear x *64
end
call layers.1
f : Future[Tensor] = aten::fork a
b = aten::wait f *32
end
call layers.2
c = aten::add b a
end
return c
)";

class GutterCanvas
{
public:
    GutterCanvas()
        : graph(std::make_shared<graph::ModelGraph>(tests::graphFromText(GutterText)))
    {
        gutter.resize(260, 300);
        gutter.setTable(std::make_shared<session::SplitTable>(
            graph, std::make_shared<session::SplitTable::Points>(partition::splitPoints(*graph))));
        gutter.show();
    }
    [[nodiscard]] QPoint at(int gap) const { return gutter.gapRect(gap).center(); }
    void drag(int from, int to)
    {
        QTest::mousePress(gutter.viewport(), Qt::LeftButton, {}, at(from));
        QTest::mouseMove(gutter.viewport(), (at(from) + at(to)) / 2);
        QTest::mouseMove(gutter.viewport(), at(to));
        QTest::mouseRelease(gutter.viewport(), Qt::LeftButton, {}, at(to));
    }

    std::shared_ptr<graph::ModelGraph> graph;
    SplitGutter gutter;
};

} // namespace

class TestSplitGutter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)"))); }

    void rowsAreTheBoxesShown()
    {
        GutterCanvas shown;
        QCOMPARE(shown.gutter.rows().size(), 4U);
        shown.gutter.setRows(splitRows(*shown.graph, buildBoxTree(*shown.graph, {})));
        QCOMPARE(shown.gutter.rows().size(), 3U);
        QCOMPARE(shown.gutter.rows()[2].title, QStringLiteral("layers.2"));
        QCOMPARE(shown.gutter.rows()[2].begin, 3);
        const std::vector<SplitRow> open =
            splitRows(*shown.graph, buildBoxTree(*shown.graph, everythingOpen(*shown.graph)));
        QCOMPARE(open.size(), 4U);
        QCOMPARE(open[1].depth, 1);
    }

    void aClickBetweenTwoRowsAsksForASplitThere()
    {
        GutterCanvas shown;
        QSignalSpy placed(&shown.gutter, &SplitGutter::splitPlaced);
        QTest::mouseClick(shown.gutter.viewport(), Qt::LeftButton, {}, shown.at(1));
        QCOMPARE(placed.size(), 1);
        QCOMPARE(placed[0][0].toString(), QStringLiteral("layers.1"));
    }

    void aClickOnASplitAsksToRemoveIt()
    {
        GutterCanvas shown;
        shown.gutter.setCuts({3});
        QSignalSpy removed(&shown.gutter, &SplitGutter::splitRemoved);
        QTest::mouseClick(shown.gutter.viewport(), Qt::LeftButton, {}, shown.at(3));
        QCOMPARE(removed.size(), 1);
        QCOMPARE(removed[0][0].toString(), QStringLiteral("layers.2"));
    }

    void aDragMovesASplit()
    {
        GutterCanvas shown;
        shown.gutter.setCuts({3});
        QSignalSpy moved(&shown.gutter, &SplitGutter::splitMoved);
        QSignalSpy removed(&shown.gutter, &SplitGutter::splitRemoved);
        shown.drag(3, 1);
        QCOMPARE(moved.size(), 1);
        QCOMPARE(moved[0][0].toString(), QStringLiteral("layers.2"));
        QCOMPARE(moved[0][1].toString(), QStringLiteral("layers.1"));
        QCOMPARE(removed.size(), 0);
    }

    void aPlaceThatCannotBeCutSaysWhyAndTakesNoSplit()
    {
        GutterCanvas shown;
        shown.gutter.setCuts({3});
        QSignalSpy placed(&shown.gutter, &SplitGutter::splitPlaced);
        QSignalSpy moved(&shown.gutter, &SplitGutter::splitMoved);
        QTest::mouseClick(shown.gutter.viewport(), Qt::LeftButton, {}, shown.at(2));
        shown.drag(3, 2);
        QCOMPARE(placed.size(), 0);
        QCOMPARE(moved.size(), 0);
        QVERIFY2(shown.gutter.gapText(2).contains(QStringLiteral("not possible")), qPrintable(shown.gutter.gapText(2)));
        QVERIFY2(shown.gutter.gapText(2).contains(QStringLiteral("aten::fork")), qPrintable(shown.gutter.gapText(2)));
    }

    void hoveringSaysWhatCrossesAndHowMuch()
    {
        GutterCanvas shown;
        QSignalSpy previews(&shown.gutter, &SplitGutter::previewed);
        QTest::mouseMove(shown.gutter.viewport(), shown.at(1));
        QCOMPARE(previews.size(), 1);
        QCOMPARE(previews[0][0].toInt(), 1);
        QVERIFY2(shown.gutter.gapText(1).startsWith(
                     QStringLiteral("Split before layers.1: legal\ncrosses layers.0/aten::linear:0 Tensor\n64 B")),
                 qPrintable(shown.gutter.gapText(1)));
        QCOMPARE(shown.gutter.accessibleDescription(), shown.gutter.gapText(1));
    }

    void aDragTellsWhatItWouldDoAndEscEndsIt()
    {
        GutterCanvas shown;
        shown.gutter.setCuts({3});
        QSignalSpy previews(&shown.gutter, &SplitGutter::previewed);
        QSignalSpy moved(&shown.gutter, &SplitGutter::splitMoved);
        QTest::mousePress(shown.gutter.viewport(), Qt::LeftButton, {}, shown.at(3));
        QTest::mouseMove(shown.gutter.viewport(), shown.at(1));
        QCOMPARE(previews.last()[0].toInt(), 1);
        QCOMPARE(previews.last()[1].toInt(), 3);
        QVERIFY(shown.gutter.gapText(1).startsWith(QStringLiteral("Move split 1 before layers.1")));
        QTest::keyClick(&shown.gutter, Qt::Key_Escape);
        QCOMPARE(previews.last()[0].toInt(), -1);
        QTest::mouseRelease(shown.gutter.viewport(), Qt::LeftButton, {}, shown.at(1));
        QCOMPARE(moved.size(), 0);
    }

    void aSplitTakesRoomOfItsOwn()
    {
        GutterCanvas shown;
        const QRect before = shown.gutter.gapRect(3);
        shown.gutter.setCuts({1});
        QVERIFY(shown.gutter.gapRect(3).top() > before.top());
        QCOMPARE(shown.gutter.gapAt(shown.at(1)), 1);
        QCOMPARE(shown.gutter.gapAt(shown.at(3)), 3);
    }

    void aRowTellsKindAndShape()
    {
        GutterCanvas shown;
        graph::ModelGraph profiled = *shown.graph;
        profiled.values[profiled.at(3).outputs.front().index()].tensor =
            graph::TensorMeta{"float32", {8, 128}, 4096, true};
        const std::vector<SplitRow> rows = splitRows(profiled, buildBoxTree(profiled, everythingOpen(profiled)));
        QCOMPARE(rows[3].kind, QStringLiteral("aten::add"));
        QCOMPARE(rows[3].shape, QStringLiteral("[8,128]"));
        QCOMPARE(shapeText({"int64", {8}, 64, false}), QStringLiteral("int64[8]"));
    }

    void rowsAlikeAreToldApartByTheNearestModules_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("titles");
        QTest::newRow("one of each is short") << "in x\ncall h.0\ny = aten::relu x\nz = aten::neg y\nend\nreturn z"
                                              << "relu, neg";
        QTest::newRow("operators of two modules")
            << "in x\ncall c_attn\ny = aten::linear x\nend\ncall c_proj\nz = aten::linear y\nend\nreturn z"
            << "c_attn/linear, c_proj/linear";
        QTest::newRow("twice in one module") << "in x\ncall h.3\ny = aten::add x x\nz = aten::add y y\nend\nreturn z"
                                             << "add, add#1";
        QTest::newRow("twice in each of two, beside one of none")
            << "in x\ncall h.3\na = aten::add x x\nb = aten::add a a\nend\ncall h.4\nc = aten::add b b\nend\n"
               "d = aten::add c c\nreturn d"
            << "h.3/add, h.3/add#1, h.4/add, add";
        QTest::newRow("modules of one name, as far as is needed")
            << "in x\ncall h.3\ncall h.3.mlp\ny = aten::linear x\nend\nend\n"
               "call h.4\ncall h.4.mlp\nz = aten::linear y\nend\nend\nreturn z"
            << "h.3.mlp/linear, h.4.mlp/linear";
    }

    void rowsAlikeAreToldApartByTheNearestModules()
    {
        QFETCH(QString, text);
        QFETCH(QString, titles);
        const graph::ModelGraph graph = tests::graphFromText(text.toStdString());
        for (const auto &rows : {splitRows(graph, buildBoxTree(graph, everythingOpen(graph))), splitRows(graph)}) {
            QStringList shown;
            for (const SplitRow &row : rows)
                shown << row.title;
            QCOMPARE(shown.join(", "), titles);
        }
    }

    void aModulesNameMayHaveACommaInIt()
    {
        const graph::ModelGraph graph =
            tests::graphFromText("in x\ncall p,q\ny = aten::relu x\nend\ncall p,q\nz = aten::neg y\nend\nreturn z");
        QStringList shown;
        for (const SplitRow &row : splitRows(graph, buildBoxTree(graph, {})))
            shown << row.title;
        QCOMPARE(shown, (QStringList{"p,q", "p,q, call 2"}));
    }

    void closedModulesOfOneNameAreToldApart()
    {
        const graph::ModelGraph graph =
            tests::graphFromText("in x\ncall h.3\ncall h.3.mlp\na = aten::linear x\nend\nb = aten::neg a\nend\n"
                                 "call h.4\ncall h.4.mlp\nc = aten::linear b\nend\nd = aten::abs c\nend\nreturn d");
        OpenBoxes open;
        for (const BoxKey &key : everythingOpen(graph))
            if (key.kind == BoxKind::Module && key.index >= 0 &&
                !QString::fromStdString(graph.calls[static_cast<std::size_t>(key.index)].fqn).endsWith("mlp"))
                open.insert(key);
        const std::vector<SplitRow> rows = splitRows(graph, buildBoxTree(graph, open));
        QCOMPARE(rows.size(), 4U);
        QCOMPARE(rows[0].title, QString("h.3.mlp"));
        QCOMPARE(rows[1].title, QString("neg"));
        QCOMPARE(rows[2].title, QString("h.4.mlp"));
    }

    void theKeyboardPlacesMovesAndRemoves()
    {
        GutterCanvas shown;
        QSignalSpy placed(&shown.gutter, &SplitGutter::splitPlaced);
        QSignalSpy moved(&shown.gutter, &SplitGutter::splitMoved);
        QSignalSpy removed(&shown.gutter, &SplitGutter::splitRemoved);
        QTest::keyClick(&shown.gutter, Qt::Key_Down);
        QTest::keyClick(&shown.gutter, Qt::Key_Return);
        QCOMPARE(placed.size(), 1);
        shown.gutter.setCuts({1});
        QTest::keyClick(&shown.gutter, Qt::Key_Down, Qt::AltModifier); // over the place that cannot be cut
        QCOMPARE(moved.size(), 1);
        QCOMPARE(moved[0][1].toString(), QStringLiteral("layers.2"));
        QCOMPARE(shown.gutter.currentGap(), 3);
        shown.gutter.setCuts({3});
        QTest::keyClick(&shown.gutter, Qt::Key_Delete);
        QCOMPARE(removed.size(), 1);
    }

    void aSplitHasItsStagesColour()
    {
        GutterCanvas shown;
        shown.gutter.setCuts({1, 3});
        const QImage image = shown.gutter.grab().toImage();
        QCOMPARE(image.pixelColor(12, shown.at(1).y()), Theme::dark().colour(StageId{1}));
        QCOMPARE(image.pixelColor(12, shown.at(3).y()), Theme::dark().colour(StageId{2}));
    }

    void aRowLeadsToItsNodes()
    {
        GutterCanvas shown;
        QSignalSpy rows(&shown.gutter, &SplitGutter::rowActivated);
        QTest::mouseClick(shown.gutter.viewport(), Qt::LeftButton, {}, {100, (shown.at(1).y() + shown.at(2).y()) / 2});
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows[0][0].value<BoxKey>(), (BoxKey{BoxKind::Node, 1}));
        shown.gutter.setRows(splitRows(*shown.graph, buildBoxTree(*shown.graph, {})));
        QTest::mouseClick(shown.gutter.viewport(), Qt::LeftButton, {}, shown.gutter.rowRect(1).center());
        QCOMPARE(rows[1][0].value<BoxKey>(), (BoxKey{BoxKind::Module, 1}));
    }

    void theRowsOfWhatIsSelectedAreLitAndComeIntoView()
    {
        GutterCanvas shown;
        shown.gutter.resize(260, 70); // not all rows fit
        QVERIFY(!shown.gutter.viewport()->rect().contains(shown.gutter.rowRect(3)));
        shown.gutter.setSelected(2, 4);
        QVERIFY(shown.gutter.viewport()->rect().contains(shown.gutter.rowRect(2)));
        QVERIFY(!shown.gutter.isSelected(1) && shown.gutter.isSelected(2) && shown.gutter.isSelected(3));
        const QImage image = shown.gutter.viewport()->grab().toImage();
        QCOMPARE(image.pixelColor(1, shown.gutter.rowRect(2).center().y()), Theme::dark().colour(style::Token::Accent));
        QVERIFY(image.pixelColor(1, shown.gutter.rowRect(1).center().y()) !=
                Theme::dark().colour(style::Token::Accent));
        // A closed module is lit for a node inside of it.
        shown.gutter.setRows(splitRows(*shown.graph, buildBoxTree(*shown.graph, {})));
        QVERIFY(shown.gutter.isSelected(1) && shown.gutter.isSelected(2) && !shown.gutter.isSelected(0));
        shown.gutter.setSelected(0, 0);
        QVERIFY(!shown.gutter.isSelected(1));
    }

    void anEmptyGutterTakesEverything()
    {
        SplitGutter gutter;
        gutter.resize(200, 200);
        gutter.show();
        QTest::mouseClick(gutter.viewport(), Qt::LeftButton, {}, {20, 20});
        QTest::keyClick(&gutter, Qt::Key_Down);
        QTest::keyClick(&gutter, Qt::Key_Return);
        QCOMPARE(gutter.currentGap(), -1);
    }

    void itDrawsAllOfItsRowsWrittenOutWhateverIsSeenOfIt()
    {
        GutterCanvas shown;
        const QString name = QStringLiteral("a_name_that_is_wider_than_the_gutter_is_on_the_screen");
        std::vector<SplitRow> rows = shown.gutter.rows();
        rows[3].title = name;
        rows[3].shape = QStringLiteral("[8,128,256]");
        shown.gutter.setRows(rows);
        shown.gutter.setCuts({3});
        shown.gutter.setSelected(0, 4);
        shown.gutter.highlight(1);
        shown.gutter.resize(160, 60);
        shown.gutter.verticalScrollBar()->setValue(50);
        QCOMPARE(shown.gutter.drawnSize().height(), 130.0); // four rows of 24, a split of 22, 6 above and below
        tests::RecordingDevice device(shown.gutter.drawnSize().toSize());
        QPainter painter(&device);
        shown.gutter.draw(painter);
        const QRectF all({0, 0}, shown.gutter.drawnSize());
        for (const QString &text : {QStringLiteral("linear"), QStringLiteral("fork"), name, QStringLiteral("layers.2"),
                                    QStringLiteral("[8,128,256]"), QStringLiteral("split 1")}) {
            const tests::PaintedText *found = device.painting.text(text);
            QVERIFY2(found && all.contains(found->at), qPrintable(text + " not in\n" + device.painting.written()));
        }
        QVERIFY(device.painting.text(name)->at.y() > 100);
        QVERIFY(device.painting.filled(Theme::dark().colour(style::Token::Accent)).empty()); // nothing is selected
        QCOMPARE(device.painting.text("split"), nullptr);                                    // nor pointed at
        QCOMPARE(device.painting.filled(Theme::dark().colour(StageId{1})).size(), 2U);       // of a row and the split
        QCOMPARE(shown.gutter.drawnName(), QStringLiteral("model-order"));
        QVERIFY(SplitGutter().drawnSize().isEmpty());
    }

    void itsOwnMenuExportsIt()
    {
        const GutterCanvas shown;
        QCOMPARE(shown.gutter.contextMenuPolicy(), Qt::ActionsContextMenu);
        QVERIFY(shown.gutter.findChild<QAction *>("exportSvg") != nullptr);
        QVERIFY(shown.gutter.findChild<QAction *>("exportPng") != nullptr);
    }
};

PIPESCOPE_WIDGET_TEST(TestSplitGutter)
#include "tst_split_gutter.moc"
