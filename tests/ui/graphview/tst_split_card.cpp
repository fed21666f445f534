#include "shown_canvas.h"
#include "support/qt_warnings.h"
#include "support/recorded_painting.h"
#include "support/test_program.h"

using namespace pipescope;
using style::Theme;
using style::Token;
using tests::Painting;

namespace {

class CardCanvas : public tests::ShownCanvas
{
public:
    using ShownCanvas::ShownCanvas;

    /// What is painted on the card of the split that the pointer is at; nothing without one.
    [[nodiscard]] Painting card()
    {
        tests::RecordingDevice device(canvas.size());
        canvas.render(&device);
        const QRectF place = canvas.splits().cardRect(canvas.viewport());
        Painting inside;
        for (const tests::PaintedText &text : device.painting.texts)
            if (place.contains(text.at))
                inside.texts.push_back(text);
        for (const tests::PaintedFill &fill : device.painting.fills)
            if (place.contains(fill.rect))
                inside.fills.push_back(fill);
        return inside;
    }
};

/// That it is written, in this colour.
void verifyWritten(const Painting &painting, const QString &text, Token colour)
{
    const tests::PaintedText *found = painting.text(text);
    QVERIFY2(found, qPrintable(text + " not in\n" + painting.written()));
    QCOMPARE(found->colour, Theme::dark().colour(colour));
}

/// A bar for each stage, from left to right, in its colour.
void verifyBars(const Painting &card, const std::vector<double> &heights)
{
    double left = 0;
    for (std::size_t stage = 0; stage < heights.size(); ++stage) {
        const std::vector<QRectF> bars = card.filled(Theme::dark().colour(StageId{static_cast<int>(stage)}));
        QCOMPARE(bars.size(), 1U);
        QCOMPARE(bars[0].height(), heights[stage]);
        QVERIFY(bars[0].left() > left);
        left = bars[0].left();
    }
}

} // namespace

/// The card of a split, as it is painted over the graph.
class TestSplitCard : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void beforeASplitIsMadeItIsSaidWhatItWouldDo()
    {
        CardCanvas shown("in x\na = aten::sin x @0.003\nb = aten::cos a @0.003\nc = aten::tan b @0.006\nreturn c\n");
        for (graph::Value &value : shown.graph->values)
            value.tensor = graph::TensorMeta{"float32", {8, 512}, 16384, false};
        shown.allowSplits({1});
        QCOMPARE(shown.card().written(), QString());
        QTest::mouseMove(&shown.canvas, shown.between("cos", "tan"));
        const Painting card = shown.card();
        verifyWritten(card, "Split before /aten::tan", Token::Text);
        verifyWritten(card, "legal", Token::Good);
        verifyWritten(card, "/aten::cos:0 float32[8, 512]", Token::Text);
        verifyWritten(card, "16.0 KiB as profiled", Token::Dim);
        verifyWritten(card, "slowest 6.00 ms (+50 % over mean)", Token::Warn);
        verifyWritten(card, "now: slowest 9.00 ms (+50 % over mean)", Token::Dim);
        verifyBars(card, {15, 15, 30}); // 3, 3 and 6 ms
    }

    void beforeASplitIsDroppedItIsSaidWhatThatWouldDo()
    {
        CardCanvas shown; // four layers of 3 ms each
        shown.allowSplits({2});
        const QPoint to(shown.pill(2).x(), shown.between("layers.2", "layers.3").y());
        QTest::mousePress(&shown.canvas, Qt::LeftButton, {}, shown.pill(2));
        QTest::mouseMove(&shown.canvas, shown.pill(2) + QPoint(0, 20));
        QTest::mouseMove(&shown.canvas, to);
        const Painting card = shown.card();
        QTest::mouseRelease(&shown.canvas, Qt::LeftButton, {}, to);
        verifyWritten(card, "Move split 1 before layers.3", Token::Text);
        verifyWritten(card, "legal", Token::Good);
        verifyWritten(card, "bytes unknown before profiling", Token::Dim);
        verifyWritten(card, "slowest 9.00 ms (+50 % over mean)", Token::Warn);
        verifyBars(card, {30, 10}); // 9 and 3 ms
    }

    void ofAPlaceThatCannotBeCutTheReasonIsSaidInWholeWords()
    {
        CardCanvas shown("in x\na = aten::sin x\nb = aten::relu_ !a\nreturn b\n");
        shown.allowSplits();
        QTest::mouseMove(&shown.canvas, shown.between("sin", "relu_"));
        const Painting card = shown.card();
        verifyWritten(card, "Split before /aten::relu_", Token::Text);
        verifyWritten(card, "not possible", Token::Bad);
        const QString written = card.written().simplified(); // lines end between words
        QVERIFY2(written.endsWith("'/aten::sin:0' crosses here and is written in place by /aten::relu_ after the cut; "
                                  "the stage before would see that or not, depending on the device"),
                 qPrintable(written));
        QVERIFY(!card.text("crosses") && !card.text("balance"));
    }
};

PIPESCOPE_WIDGET_TEST(TestSplitCard)
#include "tst_split_card.moc"
