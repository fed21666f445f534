#include "shown_canvas.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

using namespace pipescope;
using namespace pipescope::graphview;
using style::Theme;
using style::Token;

namespace {

/// Two operators, then nine branches of many beside one another: nothing at the upper right, boxes wherever else one
/// looks.
std::string wideText(int length = 20)
{
    std::string text = "in x\ns = aten::sin x\nt = aten::sin s\n";
    std::string last;
    for (int branch = 0; branch < 9; ++branch) {
        std::string from = "t";
        for (int i = 0; i < length; ++i) {
            const std::string to = "b" + std::to_string(branch) + "_" + std::to_string(i);
            text += to + " = aten::a_long_name_of_an_operator " + from + "\n";
            from = to;
        }
        last += " " + from;
    }
    return text + "z = aten::cat" + last + "\nreturn z\n";
}

class MappedCanvas : public tests::ShownCanvas
{
public:
    using ShownCanvas::ShownCanvas;

    [[nodiscard]] QRectF map() const { return canvas.minimap().place(canvas.viewport()); }
    [[nodiscard]] QRectF placeOf(std::size_t box) const
    {
        return canvas.viewport().toScreen(canvas.picture()->scene.rects[box]);
    }
    [[nodiscard]] int boxesUnder(const QRectF &screen) const
    {
        int count = 0;
        for (std::size_t i = 1; i < canvas.picture()->scene.rects.size(); ++i)
            count += placeOf(i).intersects(screen) ? 1 : 0;
        return count;
    }
    /// Drags the ground, where no split can be.
    void pan(QPoint by)
    {
        const QPoint from(400, 300);
        QTest::mousePress(&canvas, Qt::MiddleButton, {}, from);
        QTest::mouseMove(&canvas, from + QPoint(5, 0));
        QTest::mouseMove(&canvas, from);
        QTest::mouseMove(&canvas, from + by);
        QTest::mouseRelease(&canvas, Qt::MiddleButton, {}, from + by);
    }
    /// Of the map's ground, left of all that is drawn on it.
    QColor ground() { return pixel(map().topLeft().toPoint() + QPoint(4, 42)); }
};

QColor over(Token below)
{
    const QColor map = Theme::dark().colour(Token::Panel);
    const QColor under = Theme::dark().colour(below);
    const auto mix = [](int a, int b) { return static_cast<int>(std::lround(0.35 * a + 0.65 * b)); };
    return {mix(map.red(), under.red()), mix(map.green(), under.green()), mix(map.blue(), under.blue())};
}

bool isNearly(const QColor &a, const QColor &b)
{
    return std::abs(a.red() - b.red()) <= 1 && std::abs(a.green() - b.green()) <= 1 &&
           std::abs(a.blue() - b.blue()) <= 1;
}

} // namespace

class TestCanvasMap : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void itStandsInTheLowerCornerWhereNothingIsThere()
    {
        const MappedCanvas shown;
        QCOMPARE(shown.map().bottomRight(), QPointF(788, 558)); // 12 from the borders, the legend is 30 high
        QCOMPARE(shown.boxesUnder(shown.map()), 0);
    }

    void ofAWideGraphItStandsWhereNoBoxesAreAtFirst()
    {
        MappedCanvas shown(wideText());
        QVERIFY(shown.boxesUnder(QRectF(676, 474, 112, 84)) > 0);
        QCOMPARE(shown.map(), QRectF(676, 12, 112, 84));
        QCOMPARE(shown.boxesUnder(shown.map()), 0);
        shown.canvas.resize(900, 500); // nobody has looked elsewhere yet
        QCOMPARE(shown.map(), QRectF(776, 12, 112, 84));
        shown.canvas.setGraph(std::make_shared<graph::ModelGraph>(tests::graphFromText(tests::layersText(4))));
        shown.await();
        QCOMPARE(shown.map(), QRectF(776, 374, 112, 84));
    }

    void itStaysThereWhateverIsLookedAt()
    {
        MappedCanvas shown(wideText());
        shown.pan({0, -200});
        QVERIFY(shown.boxesUnder(shown.map()) > 0);
        QCOMPARE(shown.map().topLeft(), QPointF(676, 12));
        shown.canvas.resize(900, 500);
        QCOMPARE(shown.map().topLeft(), QPointF(776, 12));
        QTest::keyClick(&shown.canvas, Qt::Key_F);
        QCOMPARE(shown.map().topLeft(), QPointF(776, 12));
        QVERIFY(!shown.canvas.viewport().toScreen(shown.canvas.picture()->scene.bounds).intersects(shown.map()));
        QTest::mouseClick(&shown.canvas, Qt::LeftButton, {}, shown.map().center().toPoint()); // it works there, too
        const QPointF away = shown.canvas.viewport().visible().center() - shown.canvas.picture()->scene.bounds.center();
        QVERIFY(std::abs(away.y()) < shown.canvas.picture()->scene.bounds.height() / 20);
    }

    void boxesUnderItAreSeenThroughItUntilThePointerComes()
    {
        MappedCanvas shown(wideText());
        const QColor panel = Theme::dark().colour(Token::Panel);
        QCOMPARE(shown.ground(), panel);
        const QPoint ground = shown.map().topLeft().toPoint() + QPoint(4, 42);
        const QPointF box =
            shown.placeOf(static_cast<std::size_t>(shown.canvas.picture()->scene.tree.boxOfNode[150])).topLeft();
        shown.pan(ground - (box + QPointF(6, 3)).toPoint()); // between the border of the box and what is written
        QVERIFY2(isNearly(shown.ground(), over(Token::Raised)), qPrintable(shown.ground().name()));
        QTest::mouseMove(&shown.canvas, shown.map().topLeft().toPoint() - QPoint(10, 0));
        QCOMPARE(shown.ground(), panel);
        QTest::mouseMove(&shown.canvas, {300, 300});
        QVERIFY(isNearly(shown.ground(), over(Token::Raised)));
        while (shown.canvas.viewport().zoom() >= detail::Text) // from afar there is nothing to be read under it
            shown.canvas.zoomBy(0.9);
        QVERIFY(shown.boxesUnder(shown.map()) > 0);
        QCOMPARE(shown.ground(), panel);
    }

    void aGapBetweenBoxesDoesNotMakeItFlicker()
    {
        MappedCanvas shown(wideText());
        shown.canvas.zoomBy(Viewport::MostZoom); // gaps are higher than the map
        const QPointF box =
            shown.placeOf(static_cast<std::size_t>(shown.canvas.picture()->scene.tree.boxOfNode[150])).center();
        shown.pan((shown.map().center() - box).toPoint());
        shown.pixel({0, 0}); // paints it
        int gaps = 0;
        for (int i = 0; i < 150; ++i) { // row after row goes past
            shown.pan({0, -3});
            gaps += shown.boxesUnder(shown.map()) == 0 ? 1 : 0;
            QVERIFY(shown.ground() != Theme::dark().colour(Token::Panel));
        }
        QVERIFY(gaps > 0);
    }
};

PIPESCOPE_WIDGET_TEST(TestCanvasMap)
#include "tst_canvas_map.moc"
