#include "timeline/lane_painter.h"

#include "runs.h"
#include "support/recorded_painting.h"
#include "support/test_program.h"

#include <QColor>
#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QTest>
#include <cmath>
#include <random>
#include <set>

using namespace pipescope;
using style::Theme;
using style::Token;
using timeline::Coordinates;
using timeline::LaneGeometry;
using timeline::Overlay;

namespace {

constexpr int HeaderPixels = static_cast<int>(LaneGeometry::HeaderWidth);
constexpr int RulerPixels = static_cast<int>(LaneGeometry::RulerHeight);

/// A pixel per ns, lanes 50 pixels high: bodies from 6 to 44.
QImage painted(const timeline::ShownRuns &runs, const Theme &theme, const Overlay &overlay = {},
               Coordinates seen = {0, 1000, 1000})
{
    LaneGeometry geometry;
    geometry.lanes = runs.laneCount();
    geometry.rows = runs.count();
    geometry.hasMemory = runs.peakBytes() > 0;
    geometry.width = HeaderPixels + 1000;
    geometry.height = RulerPixels + 50 * geometry.lanes;
    QImage image(static_cast<int>(geometry.width), static_cast<int>(geometry.height),
                 QImage::Format_ARGB32_Premultiplied);
    image.fill(theme.colour(Token::Canvas));
    QPainter painter(&image);
    const timeline::Scene scene{runs, theme, geometry, seen, QGuiApplication::font()};
    timeline::LanePainter lanes(scene, painter);
    lanes.paintLanes();
    lanes.paintOverlay(overlay);
    return image;
}

/// What stands in the bars of two ranks, from left to right: "0F0 0F1 / 1F0".
QString written(const std::shared_ptr<const timeline::LaneModel> &model, Coordinates seen)
{
    LaneGeometry geometry;
    geometry.lanes = 2;
    geometry.width = HeaderPixels + 1000;
    geometry.height = RulerPixels + 100;
    tests::RecordingDevice device({HeaderPixels + 1000, RulerPixels + 100});
    QPainter painter(&device);
    const timeline::ShownRuns runs = tests::shown(model);
    const timeline::Scene scene{runs, Theme::dark(), geometry, seen, QGuiApplication::font()};
    timeline::LanePainter(scene, painter).paintLanes();
    QStringList lanes[2];
    for (const tests::PaintedText &text : device.painting.texts)
        if (text.at.x() >= HeaderPixels)
            lanes[text.at.y() < RulerPixels + 50 ? 0 : 1] << text.text;
    return lanes[0].join(' ') + QStringLiteral(" / ") + lanes[1].join(' ');
}

QColor pixel(const QImage &image, int ns, int rank, int y)
{
    return image.pixelColor(HeaderPixels + ns, RulerPixels + 50 * rank + y);
}

std::set<QRgb> coloursIn(const QImage &image, const QRect &rect)
{
    std::set<QRgb> colours;
    for (int y = rect.top(); y <= rect.bottom(); ++y)
        for (int x = rect.left(); x <= rect.right(); ++x)
            colours.insert(image.pixel(x, y));
    return colours;
}

} // namespace

class TestLanePainter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void barsHaveTheColoursOfTheirStageOrTransfer()
    {
        const auto model = tests::twoRanks();
        for (const Theme *theme : {&Theme::dark(), &Theme::light()}) {
            const QImage image = painted(tests::shown(model), *theme);
            QCOMPARE(pixel(image, 10, 0, 25), theme->colour(StageId{0}));
            QCOMPARE(pixel(image, 130, 1, 40), theme->colour(StageId{1}));
            QVERIFY(coloursIn(image, {HeaderPixels + 101, RulerPixels + 38, 7, 5})
                        .contains(theme->colour(style::ActionColour::Send).rgb()));
            QVERIFY(coloursIn(image, {HeaderPixels + 106, RulerPixels + 57, 7, 5})
                        .contains(theme->colour(style::ActionColour::Receive).rgb()));
            QCOMPARE(pixel(image, 750, 0, 25), theme->colour(Token::Canvas));
        }
    }

    void bubblesAndWaitsAreHatchedEachInItsOwnWay()
    {
        const auto model = tests::twoRanks();
        const QImage image = painted(tests::shown(model), Theme::dark());
        const QRect bubble(HeaderPixels + 400, RulerPixels + 10, 60, 30);
        const QRect wait(HeaderPixels + 20, RulerPixels + 60, 60, 30);
        for (const QRect &rect : {bubble, wait}) {
            const std::set<QRgb> colours = coloursIn(image, rect);
            QVERIFY(colours.contains(Theme::dark().colour(Token::Canvas).rgb()));
            QVERIFY(colours.size() > 1);
        }
        QVERIFY(image.copy(bubble) != image.copy(wait));
    }

    void whereNothingIsWaitedForAnyMoreAWaitIsHatchedAsABubble()
    {
        // What rank 1 waits for is sent at 300; it wakes at 700.
        const auto run = [](bool waits) {
            tests::TraceBuilder builder(2, 2, 1);
            builder.compute(0, 0, 0, 0, 300).send(0, 0, 0, 1, 300, 300).compute(1, 1, 0, 700, 900);
            if (waits)
                builder.wait(1, 1, 0, trace::WaitCause::Input, 0, 700, 0);
            return painted(tests::shown(tests::modelOf(builder.build())), Theme::dark());
        };
        const QImage waiting = run(true);
        const QImage idle = run(false);
        const QRect before(HeaderPixels, RulerPixels + 50, 300, 50);
        QVERIFY(waiting.copy(before) != idle.copy(before));
        const QRect after(HeaderPixels + 300, RulerPixels + 50, 700, 50);
        QCOMPARE(waiting.copy(after), idle.copy(after));
    }

    void sendsAndReceivesDifferByPatternToo()
    {
        tests::TraceBuilder builder(1, 2, 1);
        builder.send(0, 0, 0, 1, 0, 100).receive(0, 0, 0, 1, 200, 300);
        const QImage image = painted(tests::shown(tests::modelOf(builder.build())), Theme::dark());
        // Along a row a send's pattern changes and a receive's does not; down a column it is the other way round.
        QVERIFY(coloursIn(image, {HeaderPixels + 10, RulerPixels + 40, 40, 1}).size() > 1);
        QVERIFY(coloursIn(image, {HeaderPixels + 210, RulerPixels + 8, 40, 1}).size() == 1);
        QVERIFY(coloursIn(image, {HeaderPixels + 210, RulerPixels + 6, 1, 7}).size() > 1);
    }

    void whereARankOnlyHandsOnItIsNotHatchedAsIdle()
    {
        tests::TraceBuilder builder(1, 2, 1);
        builder.compute(0, 0, 0, 0, 100)
            .send(0, 0, 0, 1, 100, 500)
            .receive(0, 0, 0, 1, 600, 800)
            .compute(0, 0, 0, 900, 990);
        for (const Theme *theme : {&Theme::dark(), &Theme::light()}) {
            const QImage image = painted(tests::shown(tests::modelOf(builder.build())), *theme);
            const auto above = coloursIn(image, {HeaderPixels + 100, RulerPixels + 6, 400, 30});
            const auto below = coloursIn(image, {HeaderPixels + 600, RulerPixels + 14, 200, 30});
            QCOMPARE(above.size(), std::size_t{1});
            QCOMPARE(below.size(), std::size_t{1});
            QVERIFY(above != below && !above.contains(theme->colour(Token::Canvas).rgb()));
            QVERIFY(coloursIn(image, {HeaderPixels + 510, RulerPixels + 10, 80, 30}).size() > 1);
        }
    }

    void aBackwardAndANinthStageHaveAPattern()
    {
        trace::Trace trace = tests::TraceBuilder(1, 9, 1)
                                 .compute(0, 0, 0, 0, 300)
                                 .compute(0, 0, 0, 300, 600)
                                 .compute(0, 8, 0, 600, 900)
                                 .build();
        trace.events[1].action = schedule::ActionKind::FullBackward;
        const QImage image = painted(tests::shown(tests::modelOf(trace)), Theme::light());
        QCOMPARE(coloursIn(image, {HeaderPixels + 20, RulerPixels + 10, 60, 30}).size(), std::size_t{1});
        QVERIFY(coloursIn(image, {HeaderPixels + 320, RulerPixels + 10, 60, 30}).size() > 1);
        QVERIFY(coloursIn(image, {HeaderPixels + 620, RulerPixels + 10, 60, 30}).size() > 1);
    }

    void aWeightGradientHasADenserPatternThanOtherBackwards()
    {
        using schedule::ActionKind;
        const auto inked = [](ActionKind kind) {
            const trace::Trace trace = tests::TraceBuilder(1, 1, 1).compute(0, 0, 0, 0, 900, kind).build();
            const QImage image = painted(tests::shown(tests::modelOf(trace)), Theme::light());
            const QRgb ground = Theme::light().colour(StageId{0}).rgb();
            int count = 0;
            for (int y = RulerPixels + 10; y < RulerPixels + 40; ++y)
                for (int x = HeaderPixels + 20; x < HeaderPixels + 80; ++x)
                    count += image.pixel(x, y) != ground ? 1 : 0;
            return count;
        };
        QCOMPARE(inked(ActionKind::Forward), 0);
        QVERIFY(inked(ActionKind::FullBackward) > 0);
        QCOMPARE(inked(ActionKind::BackwardInput), inked(ActionKind::FullBackward));
        QVERIFY(inked(ActionKind::BackwardWeight) > inked(ActionKind::FullBackward));
    }

    void theMicrobatchIsWrittenInTheBar()
    {
        const auto model = tests::twoRanks();
        const QImage image = painted(tests::shown(model), Theme::dark());
        QVERIFY(coloursIn(image, {HeaderPixels + 115 + 90, RulerPixels + 50 + 15, 20, 20})
                    .contains(Theme::dark().colour(Token::Ink).rgb()));
        // Bars of rank 0 are 100 ns long, those of rank 1 200.
        QCOMPARE(written(model, {0, 1000, 1000}), QString("0F0 0F1 / 1F0 1F1"));
        QCOMPARE(written(model, {0, 6000, 1000}), QString("0 1 / 0 1")); // 16 and 33 pixels wide
        QCOMPARE(written(model, {0, 20'000, 1000}), QString(" / "));     // 5 and 10
    }

    void aBarOfWhichLittleIsSeenSaysItsMicrobatch()
    {
        // Of 1F1 15 pixels are seen, from 515 on.
        QCOMPARE(written(tests::twoRanks(), {515, 1000, 1000}), QString(" / 1"));
    }

    void halfIdleColumnsAreHalfAsHigh()
    {
        tests::TraceBuilder builder(1, 1, 1);
        for (int i = 0; i < 10'000; ++i)
            builder.compute(0, 0, 0, i * 100, i * 100 + 45);
        const QImage image = painted(tests::shown(tests::modelOf(builder.build())), Theme::dark(), {}, {0, 1e6, 1000});
        QCOMPARE(pixel(image, 500, 0, 35), Theme::dark().colour(StageId{0}));
        QVERIFY(pixel(image, 500, 0, 15) != Theme::dark().colour(StageId{0}));
    }

    void noActionOrBubbleOfAPixelOrMoreIsLost()
    {
        std::mt19937 random(7);
        const auto length = [&] { return 1 + static_cast<std::int64_t>(std::exp(random() % 1000 * 0.007)); };
        tests::TraceBuilder builder(1, 8, 1);
        struct Part
        {
            std::int64_t begin;
            std::int64_t end;
            int stage; // -1: a bubble
        };
        std::vector<Part> parts;
        std::int64_t at = 0;
        for (int i = 0; i < 4000; ++i) {
            const std::int64_t end = at + length();
            const int stage = random() % 3 == 0 ? -1 : static_cast<int>(random() % 8);
            if (stage >= 0)
                builder.compute(0, stage, 0, at, end);
            if (stage < 0 && !parts.empty() && parts.back().stage < 0)
                parts.back().end = end;
            else
                parts.push_back({at, end, stage});
            at = end;
        }
        const auto model = tests::modelOf(builder.build());
        const Theme &theme = Theme::dark();
        std::set<QRgb> stages;
        for (int stage = 0; stage < 8; ++stage)
            stages.insert(theme.colour(StageId{stage}).rgb());
        for (double pixel = 0.7; pixel < 2000; pixel *= 1.7) {
            const Coordinates seen{static_cast<double>(at) * 0.3, 1000 * pixel, 1000};
            const QImage image = painted(tests::shown(model), theme, {}, seen);
            for (const Part &part : parts) {
                const double left = seen.toPixel(part.begin);
                const double right = seen.toPixel(part.end);
                if (right - left < 1 || left < 2 || right > 998)
                    continue;
                bool isSeen = false;
                for (int x = static_cast<int>(left); x < right; ++x)
                    isSeen |= part.stage >= 0 ? image.pixel(HeaderPixels + x, RulerPixels + 43) ==
                                                    theme.colour(StageId{part.stage}).rgb()
                                              : !stages.contains(image.pixel(HeaderPixels + x, RulerPixels + 7));
                QVERIFY2(isSeen, qPrintable(QStringLiteral("%1 from %2 to %3 at %4 ns a pixel")
                                                .arg(part.stage)
                                                .arg(left)
                                                .arg(right)
                                                .arg(pixel)));
            }
        }
    }

    void whatIsSelectedIsOutlinedAndItsInputPointedFrom()
    {
        const auto model = tests::twoRanks();
        const QImage plain = painted(tests::shown(model), Theme::dark());
        Overlay overlay;
        overlay.current = timeline::Spot{1, 4, -1};
        const QImage image = painted(tests::shown(model), Theme::dark(), overlay);
        const QRgb accent = Theme::dark().colour(Token::Accent).rgb();
        QVERIFY(coloursIn(image, {HeaderPixels + 400, RulerPixels + 50 + 3, 40, 6}).contains(accent));
        QVERIFY(coloursIn(image, {HeaderPixels + 222, RulerPixels + 40, 100, 20}).contains(accent));
        QVERIFY(!coloursIn(plain, plain.rect()).contains(accent));
    }

    void twoRunsStandOneAboveTheOther()
    {
        tests::TraceBuilder slower(1, 1, 1);
        slower.compute(0, 0, 0, 0, 800);
        tests::TraceBuilder faster(1, 1, 1);
        faster.compute(0, 0, 0, 0, 400);
        const timeline::ShownRuns runs({{tests::modelOf(faster.build()), QStringLiteral("Run 2")},
                                        {tests::modelOf(slower.build()), QStringLiteral("Run 1")}});
        const QImage image = painted(runs, Theme::dark());
        const QColor stage = Theme::dark().colour(StageId{0});
        QCOMPARE(pixel(image, 300, 0, 10), stage);
        QVERIFY(pixel(image, 600, 0, 10) != stage);
        QCOMPARE(pixel(image, 600, 0, 40), stage);
    }

    void memoryIsAsHighAsItsShareOfThePeak()
    {
        tests::TraceBuilder builder(1, 1, 1);
        builder.compute(0, 0, 0, 0, 1000).memory(0, 0, 50).memory(0, 500, 100);
        const QImage image = painted(tests::shown(tests::modelOf(builder.build())), Theme::dark());
        LaneGeometry geometry;
        geometry.lanes = 1;
        geometry.hasMemory = true;
        geometry.width = HeaderPixels + 1000;
        geometry.height = RulerPixels + 50;
        const QRectF strip = geometry.memory(0);
        QVERIFY(strip.height() >= 6);
        const QColor ground = Theme::dark().colour(Token::Canvas);
        const int upper = static_cast<int>(strip.top()) + 1;
        const int lower = static_cast<int>(strip.bottom()) - 2;
        QCOMPARE(image.pixelColor(HeaderPixels + 250, upper), ground);
        QVERIFY(image.pixelColor(HeaderPixels + 250, lower) != ground);
        QVERIFY(image.pixelColor(HeaderPixels + 750, upper) != ground);
    }

    void theMemoryOfBothRunsIsDrawn()
    {
        const auto withMemory = [](std::int64_t bytes) {
            tests::TraceBuilder builder(1, 1, 1);
            builder.compute(0, 0, 0, 0, 1000).memory(0, 0, bytes);
            return tests::modelOf(builder.build());
        };
        LaneGeometry geometry;
        geometry.lanes = 1;
        geometry.rows = 2;
        geometry.hasMemory = true;
        geometry.width = HeaderPixels + 1000;
        geometry.height = RulerPixels + 110;
        const timeline::ShownRuns runs(
            {{withMemory(50), QStringLiteral("Run 2")}, {withMemory(100), QStringLiteral("Run 1")}});
        QImage image(HeaderPixels + 1000, RulerPixels + 110, QImage::Format_ARGB32_Premultiplied);
        image.fill(Theme::dark().colour(Token::Canvas));
        QPainter painter(&image);
        const timeline::Scene scene{runs, Theme::dark(), geometry, {0, 1000, 1000}, QGuiApplication::font()};
        timeline::LanePainter(scene, painter).paintLanes();
        const QRectF strip = geometry.memory(0);
        QVERIFY(strip.height() >= 6);
        const auto colourAt = [&](double y) { return image.pixelColor(HeaderPixels + 500, static_cast<int>(y)); };
        const QColor ground = Theme::dark().colour(Token::Canvas);
        QCOMPARE(colourAt(strip.top()), Theme::dark().colour(StageId{0})); // the higher one's line
        QCOMPARE(colourAt(strip.top() + 3), ground);
        QVERIFY(colourAt(strip.bottom() - 2) != ground);
    }

    void aMeasuredRangeSaysHowLongItIs()
    {
        const auto model = tests::twoRanks();
        Overlay overlay;
        overlay.measured = {600, 900};
        const QImage image = painted(tests::shown(model), Theme::dark(), overlay);
        QVERIFY(coloursIn(image, {HeaderPixels + 700, RulerPixels + 4, 100, 22})
                    .contains(Theme::dark().colour(Token::Text).rgb()));
    }

    void whatLiesFarBeyondTheEdgesIsPaintedAtOnce()
    {
        tests::TraceBuilder builder(2, 2, 1);
        builder.compute(0, 0, 0, 0, 1'000'000'000'000'000)
            .compute(1, 1, 0, 1'000'000'000'000'000, 2'000'000'000'000'000);
        Overlay overlay;
        overlay.current = timeline::Spot{1, 0, -1};
        const QImage image =
            painted(tests::shown(tests::modelOf(builder.build())), Theme::dark(), overlay, {4e14, 100, 1000});
        QCOMPARE(pixel(image, 300, 0, 25), Theme::dark().colour(StageId{0}));
    }
};

PIPESCOPE_WIDGET_TEST(TestLanePainter)
#include "tst_lane_painter.moc"
