#include "shardview/shard_canvas.h"

#include "scenes.h"
#include "support/qt_warnings.h"
#include "support/recorded_painting.h"
#include "support/test_program.h"

#include <QAction>
#include <QImage>
#include <QPainter>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <set>

using namespace pipescope;
using namespace pipescope::shardview;
using style::Theme;
using style::Token;
using tests::sceneOf;

namespace {

struct ShownShards
{
    ShardCanvas canvas{"Before"};

    ShownShards(const char *mesh, const char *placements, const shard::Sizes &shape)
    {
        canvas.resize(460, 460);
        canvas.setTheme(Theme::light());
        canvas.setScene(sceneOf(mesh, placements, shape));
        canvas.show();
    }
    [[nodiscard]] QImage image() { return canvas.grab().toImage(); }
    /// Where the element is, in positions: of its middle, or nearer to its lower left corner where texts are no use.
    [[nodiscard]] QPoint at(std::int64_t row, std::int64_t column) const
    {
        const QRectF cell = canvas.frame()->rect({row, row + 1}, {column, column + 1});
        return (cell.bottomLeft() + QPointF(cell.width() / 5, -cell.height() / 5)).toPoint();
    }
    [[nodiscard]] QColor colourAt(std::int64_t row, std::int64_t column) { return image().pixelColor(at(row, column)); }
    /// Everything that is written.
    [[nodiscard]] QString written() const
    {
        tests::RecordingDevice device({800, 700});
        QPainter painter(&device);
        canvas.draw(painter);
        painter.end();
        return device.painting.written();
    }
    /// The colours of a square around a place.
    [[nodiscard]] std::set<QRgb> coloursAround(QPoint at, int reach)
    {
        const QImage shown = image();
        std::set<QRgb> colours;
        for (int x = -reach; x <= reach; ++x)
            for (int y = -reach; y <= reach; ++y)
                colours.insert(shown.pixel(at + QPoint(x, y)));
        return colours;
    }
};

QColor colourOf(int rank)
{
    return Theme::light().colour(RankId{rank});
}

} // namespace

class TestShardCanvas : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void eachElementHasTheColourOfItsRank()
    {
        ShownShards shown("2,2", "S0,S1", {4, 4});
        QCOMPARE(shown.colourAt(0, 0), colourOf(0));
        QCOMPARE(shown.colourAt(1, 3), colourOf(1));
        QCOMPARE(shown.colourAt(3, 0), colourOf(2));
        QCOMPARE(shown.colourAt(2, 2), colourOf(3));
    }

    void aStridedShardIsBands()
    {
        ShownShards shown("2", "SS(0,2)", {8, 4});
        for (const std::int64_t row : {0, 1, 4, 5})
            QCOMPARE(shown.colourAt(row, 2), colourOf(0));
        for (const std::int64_t row : {2, 3, 6, 7})
            QCOMPARE(shown.colourAt(row, 2), colourOf(1));
    }

    void bandsOfLessThanAPixelAreStripesInTheColoursOfAll()
    {
        ShownShards shown("2", "SS(0,5000)", {20'000, 100});
        const std::set<QRgb> colours = shown.coloursAround(shown.canvas.frame()->plot().center().toPoint(), 10);
        QVERIFY(colours.contains(colourOf(0).rgb()) && colours.contains(colourOf(1).rgb()));
        QCOMPARE(colours.size(), std::size_t{4}); // each with a darker edge
    }

    void aRankAboveEightHasAPatternAndItsNumber()
    {
        ShownShards shown("9", "S0", {9, 3});
        const std::set<QRgb> plain = shown.coloursAround(shown.at(0, 0), 4);
        QCOMPARE(plain, std::set<QRgb>{colourOf(0).rgb()});
        const std::set<QRgb> patterned = shown.coloursAround(shown.at(8, 0), 4);
        QVERIFY(patterned.size() > 1 && patterned.contains(colourOf(8).rgb()));
        QCOMPARE(colourOf(8), colourOf(0));
        QVERIFY2(shown.written().contains("rank 8"), qPrintable(shown.written()));
    }

    void paddingIsDottedGround()
    {
        ShownShards shown("2", "S0", {3, 4}); // the second rank has a row less
        const std::set<QRgb> dots = shown.coloursAround(shown.at(3, 1), 6);
        QVERIFY(dots.contains(Theme::light().colour(Token::Canvas).rgb()));
        QVERIFY(dots.size() > 1);
        QVERIFY(!dots.contains(colourOf(1).rgb()));
        QCOMPARE(shown.colourAt(2, 1), colourOf(1));
    }

    void aPartialValueIsHatchedInFrontOfTheSheetsOfTheOthers()
    {
        ShownShards shown("3", "P", {4, 4});
        const std::set<QRgb> hatched = shown.coloursAround(shown.at(0, 0), 8);
        QVERIFY(hatched.size() > 1 && hatched.contains(colourOf(0).rgb()));
        const QRectF plot = shown.canvas.frame()->plot();
        const QImage image = shown.image();
        QCOMPARE(image.pixelColor((plot.bottomRight() + QPointF(3, -20)).toPoint()), colourOf(1));
        QCOMPARE(image.pixelColor((plot.bottomRight() + QPointF(9, -20)).toPoint()), colourOf(2));
        QVERIFY(shown.written().contains("each of 3 ranks holds a summand"));
    }

    void replicasAreSheetsThatSayTheSame()
    {
        ShownShards shown("2,2", "R,S0", {4, 4});
        QCOMPARE(shown.coloursAround(shown.at(0, 0), 8).size(), std::size_t{1}); // no hatching
        QVERIFY2(shown.written().contains("ranks 0 and 2: rows 0 to 1"), qPrintable(shown.written()));
        QVERIFY(shown.written().contains("each of 2 ranks holds the same"));
    }

    void ranksWithoutElementsAreNamedBelow()
    {
        const ShownShards shown("4", "S0", {2, 4});
        QVERIFY2(shown.written().contains("Ranks 2 and 3 hold nothing."), qPrintable(shown.written()));
    }

    void bordersHaveTheirIndices()
    {
        const ShownShards shown("4", "S0", {10, 6});
        const QStringList words = shown.written().split('\n');
        for (const char *border : {"0", "3", "6", "9", "10"})
            QVERIFY2(words.contains(border), border);
        QVERIFY(!words.contains("12")); // that far goes the padding only
    }

    void theCardTellsOfTheRankUnderThePointer()
    {
        ShownShards shown("dp=2,tp=2", "S0,S1", {4, 4});
        shown.canvas.activateWindow();
        shown.canvas.setFocus();
        QTRY_VERIFY(shown.canvas.hasFocus()); // a frame that would come between the pictures
        const QString card = shown.canvas.cardText(shown.at(2, 3));
        QVERIFY2(card.startsWith("rank 3 (dp 1, tp 1)\nhere is element [2, 3]\nholds [2:4, 2:4]"), qPrintable(card));
        QCOMPARE(shown.canvas.cardText({1, 1}), QString());
        const QImage before = shown.image();
        QTest::mouseMove(&shown.canvas, shown.at(2, 3));
        QVERIFY(shown.image() != before);
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(&shown.canvas, &leave);
        QCOMPARE(shown.image(), before);
    }

    void aClickSelectsTheRankAndOneBesideSelectsNone()
    {
        ShownShards shown("2,2", "S0,S1", {4, 4});
        const QSignalSpy changed(&shown.canvas, &ShardCanvas::currentChanged);
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.at(3, 0));
        QCOMPARE(*shown.canvas.current(), RankId{2});
        QVERIFY2(shown.canvas.accessibleDescription().startsWith("rank 2 (1, 0)"),
                 qPrintable(shown.canvas.accessibleDescription()));
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, {2, 2});
        QVERIFY(!shown.canvas.current());
        QCOMPARE(changed.size(), 2);
        QCOMPARE(changed[0][0].value<RankId>(), RankId{2});
        QVERIFY(!changed[1][0].value<RankId>().valid());
    }

    void arrowKeysStepThroughTheRanksAndEscLeavesThem()
    {
        ShownShards shown("3", "S0", {6, 4});
        const auto press = [&](Qt::Key key) { QTest::keyClick(&shown.canvas, key); };
        press(Qt::Key_Right);
        QCOMPARE(*shown.canvas.current(), RankId{0});
        press(Qt::Key_Down);
        press(Qt::Key_Right);
        QCOMPARE(*shown.canvas.current(), RankId{2});
        press(Qt::Key_Right);
        QCOMPARE(*shown.canvas.current(), RankId{2});
        press(Qt::Key_Left);
        QCOMPARE(*shown.canvas.current(), RankId{1});
        press(Qt::Key_Escape);
        QVERIFY(!shown.canvas.current());
        press(Qt::Key_Up);
        QCOMPARE(*shown.canvas.current(), RankId{2});
    }

    void theSheetOfTheCurrentRankIsInFront()
    {
        ShownShards shown("3", "R", {4, 4});
        QCOMPARE(shown.colourAt(0, 0), colourOf(0));
        shown.canvas.setCurrent(RankId{2});
        QCOMPARE(shown.colourAt(1, 1), colourOf(2));
    }

    void theWheelZoomsAndDraggingPans()
    {
        ShownShards shown("4", "S0", {1000, 1000});
        const QPointF middle = shown.canvas.frame()->plot().center();
        const auto turn = [&](int notches) {
            QWheelEvent event(middle, shown.canvas.mapToGlobal(middle), {}, {0, notches * 120}, Qt::NoButton, {},
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(&shown.canvas, &event);
        };
        turn(4);
        QVERIFY(shown.canvas.zoom().factor > 2);
        const double before = shown.canvas.frame()->rows().begin;
        QTest::mousePress(&shown.canvas, Qt::LeftButton, {}, middle.toPoint());
        QTest::mouseMove(&shown.canvas, middle.toPoint() + QPoint(0, 20));
        QTest::mouseMove(&shown.canvas, middle.toPoint() + QPoint(0, 60));
        QTest::mouseRelease(&shown.canvas, Qt::LeftButton, {}, middle.toPoint() + QPoint(0, 60));
        QVERIFY(shown.canvas.frame()->rows().begin < before);
        QVERIFY(!shown.canvas.current()); // that was no click
        QTest::keyClick(&shown.canvas, Qt::Key_F);
        QCOMPARE(shown.canvas.zoom(), ShardZoom());
        turn(-3);
        QCOMPARE(shown.canvas.zoom(), ShardZoom());
    }

    void aLayoutOfTheSameShapeIsSeenAsCloselyAsTheOneBefore()
    {
        ShownShards shown("4", "S0", {1000, 1000});
        shown.canvas.zoomBy(3);
        const ShardZoom close = shown.canvas.zoom();
        shown.canvas.setScene(sceneOf("4", "S1", {1000, 1000}));
        QCOMPARE(shown.canvas.zoom(), close);
        shown.canvas.setScene(sceneOf("4", "S1", {1000, 10}));
        QCOMPARE(shown.canvas.zoom(), ShardZoom());
    }

    void tensorsOfAnyRankAreDrawn_data()
    {
        QTest::addColumn<QByteArray>("shape");
        for (const char *shape : {"[]", "5", "0", "4,0", "7,5", "2,3,4,5", "1,1,1,1,1,1,1,1,1,1,1,1"})
            QTest::newRow(shape) << QByteArray(shape);
    }
    void tensorsOfAnyRankAreDrawn()
    {
        QFETCH(QByteArray, shape);
        const shard::Sizes sizes = *shard::parseShape(shape.toStdString());
        ShownShards shown("2,3", sizes.empty() ? "R,P" : "S0,R", sizes);
        const QImage image = shown.image();
        const auto numel = shown.canvas.scene()->layout().numel();
        const QColor middle = image.pixelColor((shown.canvas.frame()->plot().topLeft() + QPointF(4, 4)).toPoint());
        QCOMPARE(middle == Theme::light().colour(Token::Canvas), numel == 0);
    }

    void manyRanksAreOneMosaic()
    {
        ShownShards shown("80,80", "S0,S1", {10'000, 10'000});
        QCOMPARE(shown.canvas.scene()->layout().mesh().size(), 6400);
        const QImage image = shown.image();
        const QRectF plot = shown.canvas.frame()->plot();
        for (const auto &[row, column] : {std::pair(3, 5), std::pair(40, 79), std::pair(79, 0)}) {
            const QPointF at(plot.left() + (column + 0.5) / 80 * plot.width(),
                             plot.top() + (row + 0.5) / 80 * plot.height());
            QCOMPARE(image.pixelColor(at.toPoint()), colourOf(row * 80 + column));
        }
    }

    void withoutALayoutThereIsNothing()
    {
        ShardCanvas canvas("After");
        canvas.resize(300, 300);
        canvas.show();
        QTest::keyClick(&canvas, Qt::Key_Right);
        QTest::mouseClick(&canvas, Qt::LeftButton, {}, {100, 100});
        QVERIFY(canvas.drawnSize().isEmpty());
        QCOMPARE(canvas.title(), QString("After"));
        QVERIFY(!canvas.accessibleDescription().isEmpty());
    }

    void itsContextMenuExportsIt()
    {
        const ShownShards shown("2", "S0", {4, 4});
        QStringList names;
        for (const QAction *action : shown.canvas.actions())
            names << action->objectName();
        QCOMPARE(names, (QStringList{"exportSvg", "exportPng"}));
        QCOMPARE(shown.canvas.drawnName(), QString("shards-before-s-0"));
        QVERIFY(shown.canvas.drawnSize().width() > 300);
    }
};

PIPESCOPE_WIDGET_TEST(TestShardCanvas)
#include "tst_shard_canvas.moc"
