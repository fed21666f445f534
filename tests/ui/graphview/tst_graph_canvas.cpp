#include "graphview/start_open.h"
#include "partition/partition.h"
#include "shown_canvas.h"

#include "support/test_program.h"

#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

using namespace pipescope;
using namespace pipescope::graphview;
using style::Theme;
using style::Token;
using tests::layersText;
using Shown = tests::ShownCanvas;

class TestGraphCanvas : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aCanvasWithoutAModelSaysSoAndTakesKeys()
    {
        session::Selection selection;
        GraphCanvas canvas(selection);
        canvas.resize(300, 200);
        canvas.show();
        QTest::keyClick(&canvas, Qt::Key_F);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, {100, 100});
        QTest::mouseDClick(&canvas, Qt::LeftButton, {}, {100, 100});
        QVERIFY(!canvas.grab().isNull());
        QCOMPARE(canvas.accessibleName(), QStringLiteral("Model graph"));
    }

    void aClickSelectsAModuleANodeOrAnArgument()
    {
        Shown shown;
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.at("layers.1"));
        QVERIFY((shown.selection.current() == session::Selected(session::SelectedModule{"layers.1", 0})));
        QVERIFY(!session::idIn<NodeId>(shown.selection.current()).valid());
        QCOMPARE(shown.canvas.current(), shown.box("layers.1"));
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.at("v0"));
        QCOMPARE(session::idIn<ValueId>(shown.selection.current()), ValueId{0});
    }

    void aClickOnAnEdgeSelectsItsValue()
    {
        Shown shown;
        const QPoint from = shown.at("layers.0");
        const QPoint to = shown.at("layers.1");
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, (from + to) / 2);
        QCOMPARE(session::idIn<ValueId>(shown.selection.current()), shown.graph->node(NodeId{1}).outputs.front());
    }

    void aClickOnAnEdgeAsksForASplitWhereOneCanBe()
    {
        Shown shown;
        shown.allowSplits();
        QSignalSpy placed(&shown.canvas, &GraphCanvas::splitPlaced);
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.between("layers.0", "layers.1"));
        QCOMPARE(placed.size(), 1);
        QCOMPARE(placed[0][0].toString(), QStringLiteral("layers.1"));
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, Qt::ControlModifier, shown.between("layers.0", "layers.1"));
        QCOMPARE(placed.size(), 1);
        QCOMPARE(session::idIn<ValueId>(shown.selection.current()), shown.graph->node(NodeId{1}).outputs.front());
    }

    void hoveringAGapShowsTheSplitThatAClickWouldMake()
    {
        Shown shown;
        shown.allowSplits();
        QSignalSpy previews(&shown.canvas, &GraphCanvas::splitPreviewed);
        QTest::mouseMove(&shown.canvas, shown.between("layers.1", "layers.2") + QPoint(20, 0));
        QVERIFY(shown.canvas.splits().shown());
        QCOMPARE(shown.canvas.splits().shown()->position, 4);
        QCOMPARE(previews.last()[0].toInt(), 4);
        const CardText &text = shown.canvas.splits().text();
        QCOMPARE(text.title, QStringLiteral("Split before layers.2"));
        QCOMPARE(text.verdict, CardText::Verdict::Legal);
        QCOMPARE(text.pace, QStringLiteral("slowest 6.00 ms (+0 % over mean)"));
        QVERIFY(!shown.canvas.splits().cardRect(shown.canvas.viewport()).contains(shown.at("layers.1")));
        QTest::mouseMove(&shown.canvas, shown.at("layers.1"));
        QVERIFY(!shown.canvas.splits().shown());
        QCOMPARE(previews.last()[0].toInt(), -1);
    }

    void anIllegalPlaceSaysWhyAndTakesNoSplit()
    {
        Shown shown("in x\na = aten::sin x\nb = aten::relu_ !a\nreturn b\n");
        shown.allowSplits();
        QSignalSpy placed(&shown.canvas, &GraphCanvas::splitPlaced);
        const QPoint edge = shown.between("sin", "relu_");
        QTest::mouseMove(&shown.canvas, edge);
        QCOMPARE(shown.canvas.splits().text().verdict, CardText::Verdict::Illegal);
        QVERIFY(shown.canvas.splits().text().reason.contains(QStringLiteral("in place")));
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, edge);
        QCOMPARE(placed.size(), 0);
    }

    void aSplitIsDraggedWithWhatItWouldDoShownBeforeTheDrop()
    {
        Shown shown;
        shown.allowSplits({2});
        QSignalSpy moved(&shown.canvas, &GraphCanvas::splitMoved);
        const QPoint to(shown.pill(2).x(), shown.between("layers.2", "layers.3").y());
        QTest::mousePress(&shown.canvas, Qt::LeftButton, {}, shown.pill(2));
        QTest::mouseMove(&shown.canvas, shown.pill(2) + QPoint(0, 20));
        QTest::mouseMove(&shown.canvas, to);
        QVERIFY(shown.canvas.splits().shown());
        QCOMPARE(shown.canvas.splits().shown()->cuts, std::vector<int>{6});
        QCOMPARE(shown.canvas.splits().text().title, QStringLiteral("Move split 1 before layers.3"));
        QTest::mouseRelease(&shown.canvas, Qt::LeftButton, {}, to);
        QCOMPARE(moved.size(), 1);
        QCOMPARE(moved[0][0].toString(), QStringLiteral("layers.1"));
        QCOMPARE(moved[0][1].toString(), QStringLiteral("layers.3"));
    }

    void aSplitsLineIsDraggedFromAfarToo()
    {
        Shown shown;
        shown.allowSplits({2});
        while (shown.canvas.viewport().zoom() >= detail::Text)
            shown.canvas.zoomBy(0.9);
        QSignalSpy moved(&shown.canvas, &GraphCanvas::splitMoved);
        const QPoint line(500, shown.pill(2).y()); // beside the boxes; labels are gone at this zoom
        const QPoint to(500, shown.between("layers.2", "layers.3").y());
        QTest::mousePress(&shown.canvas, Qt::LeftButton, {}, line);
        QTest::mouseMove(&shown.canvas, line + QPoint(0, 8));
        QTest::mouseMove(&shown.canvas, to);
        QTest::mouseRelease(&shown.canvas, Qt::LeftButton, {}, to);
        QCOMPARE(moved.size(), 1);
        QCOMPARE(moved[0][1].toString(), QStringLiteral("layers.3"));
    }

    void escEndsADragAndLeavesTheSplitWhereItWas()
    {
        Shown shown;
        shown.allowSplits({2});
        QSignalSpy moved(&shown.canvas, &GraphCanvas::splitMoved);
        const QPoint to(shown.pill(2).x(), shown.between("layers.2", "layers.3").y());
        QTest::mousePress(&shown.canvas, Qt::LeftButton, {}, shown.pill(2));
        QTest::mouseMove(&shown.canvas, to);
        QTest::keyClick(&shown.canvas, Qt::Key_Escape);
        QVERIFY(!shown.canvas.splits().shown());
        QTest::mouseRelease(&shown.canvas, Qt::LeftButton, {}, to);
        QCOMPARE(moved.size(), 0);
    }

    void anEdgeCanBeDraggedIntoASplitElsewhere()
    {
        Shown shown;
        shown.allowSplits();
        QSignalSpy placed(&shown.canvas, &GraphCanvas::splitPlaced);
        QTest::mousePress(&shown.canvas, Qt::LeftButton, {}, shown.between("layers.0", "layers.1"));
        QTest::mouseMove(&shown.canvas, shown.between("layers.1", "layers.2"));
        QTest::mouseRelease(&shown.canvas, Qt::LeftButton, {}, shown.between("layers.1", "layers.2"));
        QCOMPARE(placed.size(), 1);
        QCOMPARE(placed[0][0].toString(), QStringLiteral("layers.2"));
    }

    void aSplitIsSelectedByAClickMovedByAltAndRemovedByDelete()
    {
        Shown shown;
        shown.allowSplits({2});
        QSignalSpy moved(&shown.canvas, &GraphCanvas::splitMoved);
        QSignalSpy removed(&shown.canvas, &GraphCanvas::splitRemoved);
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.pill(2));
        QVERIFY(shown.selection.current() == session::Selected(session::SelectedCut{2}));
        QTest::keyClick(&shown.canvas, Qt::Key_Down, Qt::AltModifier);
        QCOMPARE(moved.size(), 1);
        QCOMPARE(moved[0][1].toString(), QStringLiteral("layers.2"));
        QTest::keyClick(&shown.canvas, Qt::Key_Delete);
        QCOMPARE(removed.size(), 1);
        QCOMPARE(removed[0][0].toString(), QStringLiteral("layers.1"));
        QTest::keyClick(&shown.canvas, Qt::Key_Escape);
        QVERIFY(!std::holds_alternative<session::SelectedCut>(shown.selection.current()));
    }

    void theKeyboardPlacesASplitBeforeTheBoxItIsAt()
    {
        Shown shown;
        shown.allowSplits();
        QSignalSpy placed(&shown.canvas, &GraphCanvas::splitPlaced);
        shown.selection.select(NodeId{4});
        QTest::keyClick(&shown.canvas, Qt::Key_S);
        QCOMPARE(placed.size(), 1);
        QCOMPARE(placed[0][0].toString(), QStringLiteral("layers.2"));
    }

    void aSplitShownByAnotherViewHasItsLineAndCardHere()
    {
        Shown shown;
        shown.allowSplits({2});
        shown.canvas.previewSplit(4, 2, 100);
        QCOMPARE(shown.canvas.splits().moved(), std::optional<int>(2));
        QVERIFY(shown.canvas.splits().cardRect(shown.canvas.viewport()).left() < 20);
        const double y = placeOf(shown.canvas.splits().places(), 4)->y();
        const QPoint onLine(700, shown.canvas.viewport().toScreen(QPointF(0, y)).toPoint().y());
        const QImage image = shown.canvas.grab().toImage();
        bool drawn = false;
        for (int x = 0; x < 12; ++x)
            drawn = drawn || image.pixelColor(onLine + QPoint(x, 0)) == Theme::dark().colour(Token::Accent);
        QVERIFY(drawn);
        shown.canvas.previewSplit(-1, -1, 0);
        QVERIFY(!shown.canvas.splits().shown());
    }

    void flatModeShowsEveryOperatorWithoutModules()
    {
        Shown shown;
        shown.canvas.setFlat(true);
        shown.await();
        QCOMPARE(shown.box("layers.0"), -1);
        QCOMPARE(shown.canvas.picture()->scene.tree.boxes.size(), 11U); // the model, 8 operators, argument and result
        QCOMPARE(shown.canvas.picture()->scene.tree.boxes[2].detail, std::string("layers.0"));
        shown.canvas.setFlat(false);
        shown.await();
        QVERIFY(shown.box("layers.0") > 0);
    }

    void aDoubleClickOpensAModuleWhereItStandsAndClosesItAgain()
    {
        Shown shown;
        const QPoint before = shown.cornerOf("layers.2");
        QTest::mouseDClick(&shown.canvas, Qt::LeftButton, {}, shown.at("layers.2"));
        shown.await();
        QVERIFY(shown.box("linear") > 0);
        QVERIFY((shown.cornerOf("layers.2") - before).manhattanLength() <= 1);
        QTest::mouseDClick(&shown.canvas, Qt::LeftButton, {}, shown.cornerOf("layers.2") + QPoint(8, 3));
        shown.await();
        QCOMPARE(shown.box("linear"), -1);
    }

    void theOldPictureStaysUntilTheNewOneIsThere()
    {
        Shown shown;
        const Picture *before = shown.canvas.picture();
        shown.canvas.openEverything();
        QCOMPARE(shown.canvas.picture(), before);
        QVERIFY(shown.canvas.isLayingOut());
        shown.await();
        QVERIFY(shown.canvas.picture() != before);
    }

    void onlyTheNewestOfManyRequestsIsShown()
    {
        Shown shown;
        QSignalSpy pictures(&shown.canvas, &GraphCanvas::pictureChanged);
        for (int i = 0; i < 4; ++i)
            shown.canvas.toggle({BoxKind::Module, i});
        shown.await();
        QCOMPARE(pictures.size(), 1);
        QCOMPARE(shown.canvas.picture()->open.size(), 4U);
    }

    void aCanvasMayGoWhileItsLayoutRuns()
    {
        session::Selection selection;
        for (int i = 0; i < 10; ++i) {
            GraphCanvas canvas(selection);
            canvas.setGraph(std::make_shared<graph::ModelGraph>(tests::graphFromText(layersText(200))));
            canvas.openEverything();
        }
        QCoreApplication::processEvents(); // nothing of them arrives
    }

    void theWheelZoomsAndWhatIsUnderThePointerStays()
    {
        Shown shown;
        const QPointF pointer = shown.at("layers.1");
        const QPointF scene = shown.canvas.viewport().toScene(pointer);
        const double before = shown.canvas.viewport().zoom();
        QWheelEvent wheel(pointer, pointer, {}, {0, 120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(&shown.canvas, &wheel);
        QVERIFY(shown.canvas.viewport().zoom() > before);
        const QPointF away = shown.canvas.viewport().toScreen(scene) - pointer;
        QVERIFY(away.manhattanLength() < 1e-6);
    }

    void aDragPansAndSelectsNothing()
    {
        Shown shown;
        const QPoint from = shown.at("layers.1");
        const QPoint corner = shown.cornerOf("v0");
        QTest::mousePress(&shown.canvas, Qt::LeftButton, {}, from);
        QTest::mouseMove(&shown.canvas, from + QPoint(20, 10));
        QTest::mouseMove(&shown.canvas, from + QPoint(50, 30));
        QTest::mouseRelease(&shown.canvas, Qt::LeftButton, {}, from + QPoint(50, 30));
        QCOMPARE(shown.cornerOf("v0") - corner, QPoint(50, 30));
        QVERIFY(!session::idIn<NodeId>(shown.selection.current()).valid());
    }

    void aSelectionMadeElsewhereIsFollowedIntoTheBoxThatHoldsIt()
    {
        Shown shown;
        shown.selection.select(NodeId{5});
        QCOMPARE(shown.canvas.current(), shown.box("layers.2"));
        shown.canvas.toggle({BoxKind::Module, 2});
        shown.await();
        QCOMPARE(shown.canvas.current(), shown.box("layers.2"));
        shown.selection.select(NodeId{4});
        QCOMPARE(shown.canvas.current(), shown.box("linear"));
        shown.selection.clear();
        QCOMPARE(shown.canvas.current(), -1);
    }

    void theKeyboardWalksOpensAndStepsOutward()
    {
        Shown shown;
        QTest::keyClick(&shown.canvas, Qt::Key_Down);
        QCOMPARE(shown.canvas.current(), shown.box("v0"));
        QTest::keyClick(&shown.canvas, Qt::Key_Down);
        QCOMPARE(shown.canvas.current(), shown.box("layers.0"));
        QVERIFY(shown.canvas.accessibleDescription().contains(QStringLiteral("closed")));
        QTest::keyClick(&shown.canvas, Qt::Key_Return);
        shown.await();
        QTest::keyClick(&shown.canvas, Qt::Key_Right);
        QCOMPARE(shown.canvas.current(), shown.box("linear"));
        QCOMPARE(session::idIn<NodeId>(shown.selection.current()), NodeId{0});
        QTest::keyClick(&shown.canvas, Qt::Key_Escape);
        QCOMPARE(shown.canvas.current(), shown.box("layers.0"));
        QTest::keyClick(&shown.canvas, Qt::Key_Left);
        shown.await();
        QCOMPARE(shown.box("linear"), -1);
        QTest::keyClick(&shown.canvas, Qt::Key_Escape);
        QCOMPARE(shown.canvas.current(), -1);
    }

    void theBeginningIsShownAnewWhenTheCanvasGrowsUntilOneLooksElsewhere()
    {
        Shown shown(layersText(30));
        shown.canvas.resize(300, 300);
        shown.canvas.resize(900, 700);
        const QRectF first = shown.canvas.picture()->scene.rects[1];
        QVERIFY(shown.canvas.viewport().visible().contains(first));
        const double middle = shown.canvas.viewport().toScreen(shown.canvas.picture()->scene.bounds.center()).x();
        QVERIFY2(std::abs(middle - 450) < 2, qPrintable(QString::number(middle)));
        QTest::keyClick(&shown.canvas, Qt::Key_PageDown);
        const QPointF origin = shown.canvas.viewport().origin();
        shown.canvas.resize(800, 700);
        QVERIFY((shown.canvas.viewport().origin() - origin).manhattanLength() < 1e-6);
    }

    void aWideGraphBeginsBesideThePillsOfSplits()
    {
        QString text = "in x\n";
        QString last;
        for (int i = 0; i < 12; ++i) {
            text += QString("call branch%1\na%1 = aten::sin x\nend\n").arg(i);
            last += QString(" a%1").arg(i);
        }
        Shown shown((text + "b = aten::cat" + last + "\nreturn b\n").toStdString());
        shown.canvas.resize(900, 700);
        const auto &scene = shown.canvas.picture()->scene;
        QVERIFY(scene.bounds.width() > 900);
        double leftmost = 900;
        for (std::size_t i = 1; i < scene.rects.size(); ++i)
            if (const double left = shown.canvas.viewport().toScreen(scene.rects[i].topLeft()).x(); left >= 0)
                leftmost = std::min(leftmost, left);
        QCOMPARE(leftmost, SplitOverlay::PillMargin);
    }

    void theCanvasDrawsAllOfItself()
    {
        Shown shown;
        shown.allowSplits({4});
        QCOMPARE(shown.canvas.drawnSize(), shown.canvas.picture()->scene.bounds.size());
        QImage image(shown.canvas.drawnSize().toSize(), QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        shown.canvas.draw(painter);
        QCOMPARE(image.pixelColor(1, 1), Theme::dark().colour(Token::Canvas));
        const QRectF &rect = shown.canvas.picture()->scene.rects[static_cast<std::size_t>(shown.box("layers.3"))];
        QCOMPARE(image.pixelColor(rect.topRight().toPoint() + QPoint(-6, 30)), Theme::dark().colour(Token::Raised));
        QVERIFY(!shown.canvas.drawnName().isEmpty());
    }

    void fShowsEverything()
    {
        Shown shown;
        shown.canvas.openEverything();
        shown.await();
        QTest::keyClick(&shown.canvas, Qt::Key_F);
        QVERIFY(shown.canvas.viewport().visible().contains(shown.canvas.picture()->scene.bounds));
    }

    void aSearchFindsClosedNodesAndOpensWhatIsAroundThem()
    {
        Shown shown;
        QCOMPARE(shown.canvas.search(QStringLiteral("aten::add$")), 4);
        QCOMPARE(shown.canvas.search(QStringLiteral("(")), -1);
        QCOMPARE(shown.canvas.search(QStringLiteral("layers\\.2/aten::add")), 1);
        QTest::keyClick(&shown.canvas, Qt::Key_N);
        shown.await();
        QCOMPARE(shown.canvas.currentMatch(), 0);
        QCOMPARE(session::idIn<NodeId>(shown.selection.current()), NodeId{5});
        QCOMPARE(shown.canvas.current(), shown.box("add"));
    }

    void matchesAreWalkedInACircle()
    {
        Shown shown;
        QCOMPARE(shown.canvas.search(QStringLiteral("^layers.[13]$")), 2);
        shown.canvas.showPreviousMatch();
        QCOMPARE(shown.canvas.current(), shown.box("layers.3"));
        shown.canvas.showNextMatch();
        QCOMPARE(shown.canvas.current(), shown.box("layers.1"));
    }

    void aStageIsShownByItsColour()
    {
        Shown shown;
        const auto partition = partition::makePartition(*shown.graph, {4});
        QVERIFY(partition);
        shown.canvas.setStages(partition->stageOf);
        const QPoint strip(4, 12);
        QCOMPARE(shown.pixel(shown.cornerOf("layers.1") + strip), Theme::dark().colour(StageId{0}));
        QCOMPARE(shown.pixel(shown.cornerOf("layers.2") + strip), Theme::dark().colour(StageId{1}));
        shown.canvas.setTheme(Theme::light());
        QCOMPARE(shown.pixel({3, 300}).lightness() > 200, true);
    }

    void theLegendStandsBelowTheGraphAndCoversNothingOfIt()
    {
        Shown shown;
        const QRectF legend = Legend::place(shown.canvas.viewport());
        QCOMPARE(legend, QRectF(0, shown.canvas.viewport().size().height(), shown.canvas.width(), Legend::Height));
        QCOMPARE(legend.bottom(), double(shown.canvas.height()));
    }

    void theLegendsButtonsAndTheDigitsChooseTheOverlay()
    {
        Shown shown;
        QSignalSpy changes(&shown.canvas, &GraphCanvas::overlayChanged);
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {},
                          Legend::buttonPlace(shown.canvas.viewport(), Overlay::Time).center().toPoint());
        QCOMPARE(shown.canvas.overlay(), Overlay::Time);
        QTest::keyClick(&shown.canvas, Qt::Key_4);
        QCOMPARE(shown.canvas.overlay(), Overlay::Parameters);
        QCOMPARE(changes.size(), 2);
    }

    void theMinimapMovesTheView()
    {
        Shown shown;
        shown.canvas.openEverything();
        shown.await();
        const QRectF map = shown.canvas.minimap().place(shown.canvas.viewport());
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, map.center().toPoint());
        const QPointF seen = shown.canvas.viewport().visible().center();
        const QPointF middle = shown.canvas.picture()->scene.bounds.center();
        QVERIFY2(std::abs(seen.y() - middle.y()) < shown.canvas.picture()->scene.bounds.height() / 20,
                 qPrintable(QStringLiteral("%1 %2").arg(seen.y()).arg(middle.y())));
    }

    void aProfiledGraphKeepsWhatIsOpen()
    {
        Shown shown;
        shown.canvas.toggle({BoxKind::Module, 1});
        shown.await();
        auto profiled = std::make_shared<graph::ModelGraph>(*shown.graph);
        profiled->values[1].tensor = graph::TensorMeta{"float32", {2, 3}, 24, false};
        shown.canvas.setGraph(profiled);
        shown.await();
        QVERIFY(shown.box("linear") > 0);
    }

    void whatIsOnItsWayIntoViewGoesWithItsGraph_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("a smaller graph") << QString::fromStdString(layersText(2));
        QTest::newRow("as many nodes and calls") << QString::fromStdString(layersText(20)).replace("add", "sub");
        QTest::newRow("a larger graph") << QString::fromStdString(layersText(30)).replace("add", "sub");
    }

    void whatIsOnItsWayIntoViewGoesWithItsGraph()
    {
        QFETCH(const QString, text);
        Shown shown(layersText(20));
        shown.canvas.search("layers.19/aten::add"); // inside a closed module
        shown.canvas.showNextMatch();
        QVERIFY(shown.canvas.isLayingOut());
        const auto next = std::make_shared<graph::ModelGraph>(tests::graphFromText(text.toStdString()));
        shown.canvas.setGraph(next);
        shown.await();
        QVERIFY(shown.canvas.picture()->graph == next);
        QCOMPARE(shown.canvas.open(), startOpen(*next));
        QCOMPARE(shown.canvas.current(), -1);
        QVERIFY(shown.selection.current() == session::Selected());
        QCOMPARE(shown.canvas.currentMatch(), -1);
    }

    void whatIsOnItsWayIntoViewArrivesInTheSameProgramMeasured()
    {
        Shown shown(layersText(20));
        shown.canvas.search("layers.19/aten::add");
        shown.canvas.showNextMatch();
        QVERIFY(shown.canvas.isLayingOut());
        auto profiled = std::make_shared<graph::ModelGraph>(*shown.graph);
        profiled->nodes[0].seconds = 1;
        shown.canvas.setGraph(profiled);
        shown.await();
        QCOMPARE(session::idIn<NodeId>(shown.selection.current()), NodeId{39});
    }

    void anotherProgramOfAsManyNodesStartsAnew()
    {
        Shown shown;
        shown.selection.select(NodeId{3});
        QVERIFY(shown.canvas.current() >= 0);
        shown.canvas.setGraph(std::make_shared<graph::ModelGraph>(
            tests::graphFromText(QString::fromStdString(layersText(4)).replace("add", "sub").toStdString())));
        QVERIFY(!shown.canvas.picture());
        QCOMPARE(shown.canvas.current(), -1);
        QTest::keyClick(&shown.canvas, Qt::Key_Down); // nothing to walk in yet
        shown.canvas.showNode(NodeId{8});             // there are 8, from 0
        shown.await();
        QVERIFY(shown.canvas.current() >= 0); // what is selected now is the selection's matter
    }

    void aDragOfASplitEndsWithItsGraph()
    {
        Shown shown;
        shown.allowSplits({2});
        const QSignalSpy moved(&shown.canvas, &GraphCanvas::splitMoved);
        const QPoint to(shown.pill(2).x(), shown.between("layers.2", "layers.3").y());
        QTest::mousePress(&shown.canvas, Qt::LeftButton, {}, shown.pill(2));
        QTest::mouseMove(&shown.canvas, shown.pill(2) + QPoint(0, 20));
        QTest::mouseMove(&shown.canvas, to);
        shown.canvas.setGraph(std::make_shared<graph::ModelGraph>(tests::graphFromText(layersText(2))));
        QVERIFY(!shown.canvas.splits().shown());
        QTest::mouseRelease(&shown.canvas, Qt::LeftButton, {}, to);
        QCOMPARE(moved.size(), 0);
    }

    void anotherModelStartsAnew()
    {
        Shown shown;
        shown.canvas.toggle({BoxKind::Module, 1});
        shown.await();
        shown.canvas.setGraph(std::make_shared<graph::ModelGraph>(tests::graphFromText(layersText(2))));
        shown.await();
        QVERIFY(shown.box("linear") > 0); // so small that it is shown whole
        shown.canvas.setGraph(nullptr);
        QVERIFY(!shown.canvas.picture());
    }
};

PIPESCOPE_WIDGET_TEST(TestGraphCanvas)
#include "tst_graph_canvas.moc"
