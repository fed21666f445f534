#include "partition/partition.h"
#include "shown_canvas.h"
#include "support/qt_warnings.h"
#include "support/recorded_painting.h"
#include "support/test_program.h"

using namespace pipescope;
using namespace pipescope::graphview;
using style::Theme;
using style::Token;
using tests::Painting;

namespace {

/// Three boxes that stand in another order of cost in each overlay. The last one has no parameter.
const char *const Costs = R"(in x
param w a.w 1048576
param v b.v 4194304
call a
p = aten::linear x w @0.004 *10485760
end
call b
q = aten::linear p v @0.001 *41943040
end
call c
r = aten::relu q @0.002 *20971520
end
return r
)";

class Painted : public tests::ShownCanvas
{
public:
    using ShownCanvas::ShownCanvas;

    [[nodiscard]] QRectF rect(const std::string &title) const
    {
        return canvas.picture()->scene.rects[static_cast<std::size_t>(box(title))];
    }
    void stage(std::vector<int> cuts)
    {
        stages = partition::makePartition(*graph, std::move(cuts))->stageOf;
        canvas.setStages(stages);
    }
    /// All of the graph at its own size, as it is exported.
    [[nodiscard]] Painting drawn() const
    {
        tests::RecordingDevice device(canvas.drawnSize().toSize());
        QPainter painter(&device);
        canvas.draw(painter);
        return device.painting;
    }
    /// The graph alone as far as it is seen at a zoom, the scene's corner in the screen's.
    [[nodiscard]] Painting seenAt(double zoom) const
    {
        tests::RecordingDevice device;
        const std::vector<StageSpan> spans = stagesOf(*graph, canvas.picture()->scene.tree, stages);
        Look look;
        look.theme = &Theme::dark();
        look.stages = &spans;
        Viewport viewport;
        viewport.setSize({800, 600});
        viewport.zoomAt({0, 0}, zoom);
        GraphPainter graphPainter{GraphFonts(canvas.font())};
        QPainter painter(&device);
        graphPainter.paint(painter, *canvas.picture(), viewport, look);
        return device.painting;
    }
    /// The window's row below the graph, where the overlay is named.
    [[nodiscard]] QString legend()
    {
        tests::RecordingDevice device(canvas.size());
        canvas.render(&device);
        QString text;
        for (const tests::PaintedText &one : device.painting.texts)
            if (one.at.y() > Legend::place(canvas.viewport()).top())
                text += one.text + '\n';
        return text;
    }

    std::vector<StageId> stages;
};

/// The part of a box's meter that is full; -1 where it has none.
double meter(const Painting &painting, const QRectF &box, double left)
{
    for (const QRectF &rect : painting.filled(Theme::dark().colour(Token::Dim)))
        if (rect.left() == box.left() + left && rect.top() == box.bottom() - 4 && rect.height() == 3)
            return rect.width() / (box.width() - left - 4);
    return -1;
}

} // namespace

class TestGraphPainter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aMeterIsAsWideAsItsBoxsShareOfTheMost_data()
    {
        QTest::addColumn<Qt::Key>("key");
        QTest::addColumn<double>("a");
        QTest::addColumn<double>("b");
        QTest::addColumn<double>("c");
        QTest::addColumn<QString>("legend");
        QTest::newRow("stage") << Qt::Key_1 << -1.0 << -1.0 << -1.0 << "not split into stages";
        QTest::newRow("time") << Qt::Key_2 << 1.0 << 0.25 << 0.5 << "full bar: 4.00 ms, the most of any box shown";
        QTest::newRow("memory") << Qt::Key_3 << 0.25 << 1.0 << 0.5 << "full bar: 40.0 MiB, the most of any box shown";
        QTest::newRow("parameters") << Qt::Key_4 << 0.25 << 1.0 << -1.0
                                    << "full bar: 4.00 MiB, the most of any box shown";
    }

    void aMeterIsAsWideAsItsBoxsShareOfTheMost()
    {
        QFETCH(const Qt::Key, key);
        QFETCH(const double, a);
        QFETCH(const double, b);
        QFETCH(const double, c);
        QFETCH(const QString, legend);
        Painted shown(Costs);
        QTest::keyClick(&shown.canvas, Qt::Key_4);
        QTest::keyClick(&shown.canvas, key);
        for (const bool staged : {false, true}) {
            if (staged)
                shown.stage({1});
            const Painting painting = shown.drawn();
            for (const auto &[box, share] : {std::pair("a", a), {"b", b}, {"c", c}}) {
                const double found = meter(painting, shown.rect(box), staged ? measure::Strip : 4);
                QVERIFY2(std::abs(found - share) < 1e-9, qPrintable(QStringLiteral("%1: %2").arg(box).arg(found)));
            }
            if (!staged)
                QVERIFY2(shown.legend().contains(legend), qPrintable(shown.legend()));
        }
    }

    void eachBoxSaysWhatItsMeterShowsInItsUnit()
    {
        Painted shown(Costs);
        const auto says = [&](Qt::Key key, const QStringList &amounts) {
            QTest::keyClick(&shown.canvas, key);
            const Painting painting = shown.drawn();
            for (const QString &amount : amounts)
                QVERIFY2(painting.text(amount), qPrintable(amount + " not in\n" + painting.written()));
        };
        says(Qt::Key_2, {"4.00 ms", "1.00 ms", "2.00 ms"});
        says(Qt::Key_3, {"10.0 MiB", "40.0 MiB", "20.0 MiB"});
        says(Qt::Key_4, {"1.00 MiB", "4.00 MiB"});
    }

    void fromAfarAMeterFillsItsPartOfTheBox()
    {
        Painted shown(Costs);
        QTest::keyClick(&shown.canvas, Qt::Key_2);
        while (shown.canvas.viewport().zoom() >= detail::Text)
            shown.canvas.zoomBy(0.7);
        const QImage image = shown.canvas.grab().toImage();
        const auto at = [&](const std::string &title, double share) {
            const QRectF box = shown.canvas.viewport().toScreen(shown.rect(title));
            return image.pixelColor((box.topLeft() + QPointF(box.width() * share, box.height() / 2)).toPoint());
        };
        const QColor full = Theme::dark().colour(Token::Dim);
        const QColor empty = Theme::dark().colour(Token::Line);
        QCOMPARE(at("a", 0.9), full);
        QCOMPARE(at("b", 0.15), full);
        QCOMPARE(at("b", 0.35), empty);
        QCOMPARE(at("c", 0.4), full);
        QCOMPARE(at("c", 0.6), empty);
    }

    void whatWasNotMeasuredHasNoMeterAndTheLegendSaysSo()
    {
        Painted shown("in x\ncall a\np = aten::relu x\nend\nreturn p\n");
        shown.canvas.closeEverything();
        for (const Qt::Key key : {Qt::Key_2, Qt::Key_3}) {
            QTest::keyClick(&shown.canvas, key);
            QCOMPARE(meter(shown.drawn(), shown.rect("a"), 4), -1.0);
            QVERIFY2(shown.legend().contains("unknown: not measured yet"), qPrintable(shown.legend()));
        }
    }

    void fromAfarBoxesHaveTheirStagesColourAndNoText()
    {
        Painted shown;
        shown.stage({4});
        const Painting far = shown.seenAt(0.39);
        QCOMPARE(far.written(), QString());
        for (int stage = 0; stage < 2; ++stage) {
            const std::vector<QRectF> painted = far.filled(Theme::dark().colour(StageId{stage}));
            QCOMPARE(painted.size(), 2U);
            for (std::size_t i = 0; i < 2; ++i) {
                const QRectF box = shown.rect("layers." + std::to_string(2 * static_cast<std::size_t>(stage) + i));
                QCOMPARE(painted[i], QRectF(box.topLeft() * 0.39, box.size() * 0.39)); // all of it
            }
        }
    }

    void nearByBoxesHaveTheirTextsAndTheStageBeside()
    {
        Painted shown;
        shown.stage({4});
        const Painting near = shown.seenAt(0.41);
        for (int layer = 0; layer < 4; ++layer) {
            const std::string name = "layers." + std::to_string(layer);
            const tests::PaintedText *title = near.text(QString::fromStdString(name));
            QVERIFY2(title, qPrintable(near.written()));
            const QRectF box = shown.rect(name);
            QVERIFY(QRectF(box.topLeft() * 0.41, box.size() * 0.41).contains(title->at));
        }
        QVERIFY(near.text("0") && near.text("1")); // the stages' numbers
        const std::vector<QRectF> strips = near.filled(Theme::dark().colour(StageId{1}));
        QCOMPARE(strips.size(), 2U);
        for (const QRectF &strip : strips)
            QVERIFY(std::abs(strip.width() - measure::Strip * 0.41) < 1e-9);
    }

    void theCanvasItselfDropsItsTextsAsItIsZoomedOut()
    {
        Painted shown;
        shown.stage({4});
        const auto texts = [&] { // of boxes; those of the legend stay
            const QImage image = shown.canvas.grab().toImage();
            const QRect box = shown.canvas.viewport().toScreen(shown.rect("layers.1")).toAlignedRect();
            int count = 0;
            for (int y = box.top(); y < box.bottom(); ++y)
                for (int x = box.left(); x < box.right(); ++x)
                    count += image.pixelColor(x, y) == Theme::dark().colour(Token::Text) ? 1 : 0;
            return count;
        };
        QVERIFY(texts() > 0);
        while (shown.canvas.viewport().zoom() >= detail::Text)
            shown.canvas.zoomBy(0.9);
        QCOMPARE(texts(), 0);
        QCOMPARE(shown.pixel(shown.at("layers.1")), Theme::dark().colour(StageId{0}));
        QCOMPARE(shown.pixel(shown.at("layers.2")), Theme::dark().colour(StageId{1}));
    }

    void textBeginsBesideTheStageAndAtTheBorderWhereThereIsNone()
    {
        Painted shown;
        shown.canvas.toggle({BoxKind::Module, 1});
        shown.await();
        const auto indent = [&](const Painting &painting, const std::string &title) {
            const tests::PaintedText *text = painting.text(QString::fromStdString(title));
            return text != nullptr ? text->at.x() - shown.rect(title).left() : -1;
        };
        const Painting plain = shown.drawn();
        for (const char *title : {"layers.0", "layers.1", "linear", "layers.3"}) // closed, open, inside
            QCOMPARE(indent(plain, title), measure::Gap);
        QCOMPARE(indent(plain, "v0"), measure::Gap + 4); // an argument's ends are round
        shown.stage({4});
        const Painting staged = shown.drawn();
        for (const char *title : {"layers.0", "linear", "layers.3"})
            QCOMPARE(indent(staged, title), measure::Strip + measure::Gap);
        QVERIFY(indent(staged, "layers.1") >= measure::Strip + measure::Gap); // beside its chip
        QCOMPARE(indent(staged, "v0"), measure::Gap + 4);
    }

    void aSplitThatNoLinePartsHasItsLabelBesideAMark()
    {
        // Two branches side by side: all of the long one comes first.
        Painted shown("in x\na = aten::relu x\nb = aten::relu a\nc = aten::relu b\nd = aten::relu x\n"
                      "e = aten::cat c d\nreturn e\n");
        shown.allowSplits({3});
        QVERIFY(!placeOf(shown.canvas.splits().places(), 3)->straight());
        tests::RecordingDevice device(shown.canvas.size());
        shown.canvas.render(&device);
        const double label = shown.pill(3).y();
        int marks = 0;
        double nearest = 1000;
        for (const QPainterPath &line : device.painting.lines) {
            const QRectF bounds = line.boundingRect();
            if (bounds.height() > 0 || bounds.width() != 16)
                continue;
            ++marks;
            nearest = std::min(nearest, std::abs(bounds.y() - label));
        }
        QCOMPARE(marks, 2);
        QVERIFY2(nearest <= 1, qPrintable(QString::number(nearest)));
    }

    void noEdgeGoesThroughWhatIsWrittenBesideIt()
    {
        // a's value goes to boxes on its left and on its right, past wide ones
        Painted shown("in x\na = aten::relu x\nb = aten::a_name_that_takes_much_of_the_row a\n"
                      "c = aten::another_name_that_takes_much_of_the_row a\nd = aten::relu a\n"
                      "e = aten::a_third_name_that_takes_much_of_the_row a\nf = aten::cat b c\n"
                      "g = aten::cat d e\nh = aten::cat f g\nreturn h\n");
        for (graph::Value &value : shown.graph->values)
            value.tensor = graph::TensorMeta{"float32", {8, 512}, 16384, false};
        const Painting painting = shown.drawn();
        const QFontMetricsF metrics(GraphFonts(shown.canvas.font()).value);
        int written = 0;
        for (const tests::PaintedText &one : painting.texts) {
            if (!one.text.contains("[8, 512]"))
                continue;
            ++written;
            const QRectF place = metrics.tightBoundingRect(one.text).translated(one.at);
            for (const QPainterPath &line : painting.lines)
                for (double t = 0; t <= 1; t += 1.0 / 256)
                    QVERIFY2(!place.contains(line.pointAtPercent(t)), qPrintable(one.text));
        }
        QVERIFY(written >= 4);
    }
};

PIPESCOPE_WIDGET_TEST(TestGraphPainter)
#include "tst_graph_painter.moc"
