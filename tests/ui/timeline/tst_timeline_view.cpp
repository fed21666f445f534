#include "timeline/timeline_view.h"

#include "shown_timeline.h"
#include "support/selected.h"

#include "support/test_program.h"

#include <QAccessible>
#include <QAction>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QTest>
#include <random>

using namespace pipescope;
using tests::Header;
using tests::ShownTimeline;
using timeline::Coordinates;
using timeline::LaneGeometry;
using timeline::Spot;
using timeline::TimelineView;

namespace {

/// Of nobody's runtime: slices overlap, end before they begin, belong to no rank, stage or microbatch, and lie at the
/// ends of time.
trace::Trace strangeTrace(std::mt19937 &random)
{
    const auto below = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
    trace::Trace trace;
    trace.ranks = below(6);
    trace.stages = 1 + below(12);
    trace.microbatches = 4;
    const bool isVast = below(4) == 0;
    for (int i = below(300); i > 0; --i) {
        trace::Event event;
        event.kind = static_cast<trace::EventKind>(below(4));
        event.rank = RankId{below(8) - 1};
        event.stage = StageId{below(14) - 1};
        event.microbatch = MicrobatchId{below(6) - 1};
        event.peer = StageId{below(14) - 1};
        event.cause = static_cast<trace::WaitCause>(below(4));
        event.value = below(2) == 0 ? "<b>h</b>" : "";
        event.action = trace::ComputeKinds[static_cast<std::size_t>(below(4))];
        event.beginNs = below(5000);
        event.endNs = event.beginNs + below(400) - 20;
        if (isVast && below(10) == 0)
            event.beginNs = std::numeric_limits<std::int64_t>::min();
        if (isVast && below(10) == 0)
            event.endNs = std::numeric_limits<std::int64_t>::max();
        trace.events.push_back(event);
    }
    return trace;
}

} // namespace

/// What is shown: a run, one that grows, two, any trace. Input and selection have tests of their own.
class TestTimelineView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theWholeRunIsShownAtFirst()
    {
        ShownTimeline shown;
        QCOMPARE(shown.view.coordinates().beginNs, 0.0);
        QVERIFY(shown.view.coordinates().endNs() > 11'000);
        QVERIFY(!shown.view.grab().isNull());
    }

    void aViewWithoutARunTakesAllInput()
    {
        session::Selection selection;
        TimelineView view(selection);
        view.resize(600, 300);
        view.show();
        for (const Qt::Key key : {Qt::Key_W, Qt::Key_F, Qt::Key_Right, Qt::Key_Backspace, Qt::Key_Escape})
            QTest::keyClick(&view, key);
        QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, {300, 100});
        selection.select(tests::forwardOf(0, 0));
        QVERIFY(!view.grab().isNull());
        QVERIFY(!view.current());
    }

    void aRunThatGrowsIsFollowedWhereAllWasSeen()
    {
        ShownTimeline shown;
        const auto grown = tests::modelOf(tests::evenForward(4, 16, 1000));
        shown.view.updateRuns({{grown, {}}});
        QVERIFY(shown.view.isFitted());
        QVERIFY(shown.view.coordinates().endNs() > 19'000);
    }

    void aRunThatGrowsKeepsWhatIsSeenAndSelected()
    {
        ShownTimeline shown;
        shown.click(shown.at(4500, 2));
        shown.zoom(shown.at(2030, 0), shown.at(5970, 2));
        const Coordinates before = shown.view.coordinates();
        shown.view.updateRuns({{tests::modelOf(tests::evenForward(4, 16, 1000)), {}}});
        QVERIFY(shown.view.coordinates() == before);
        QVERIFY((shown.view.current() == Spot{2, 2, -1}));
    }

    void ofTwoRunsEachIsPointedAtAndWalkedByItself()
    {
        ShownTimeline shown;
        shown.view.resize(1000 + Header, 700);
        shown.view.setRuns({{tests::modelOf(tests::evenForward(4, 8, 1000)), QStringLiteral("Run 2")},
                            {tests::modelOf(tests::evenForward(2, 4, 2000)), QStringLiteral("Run 1")}});
        const QPointF lower = shown.view.geometryOfLanes().body(1, 1).center();
        shown.click({Header + static_cast<int>(shown.view.coordinates().toPixel(3000.0)), static_cast<int>(lower.y())});
        QVERIFY((shown.view.current() == Spot{1, 0, -1, 1}));
        shown.press(Qt::Key_Right);
        QVERIFY((shown.view.current() == Spot{1, 1, -1, 1}));
        QVERIFY(!shown.view.grab().isNull());
        // Rank 3 has no lower row.
        const QPointF none = shown.view.geometryOfLanes().body(3, 1).center();
        shown.click(none.toPoint());
        QVERIFY(!shown.view.current());
    }

    void theWholeRunIsDrawnForAFile()
    {
        ShownTimeline shown;
        shown.zoom(shown.at(2000, 0), shown.at(3000, 0));
        QImage image(shown.view.drawnSize().toSize(), QImage::Format_ARGB32_Premultiplied);
        QVERIFY(image.width() >= 1200 && image.height() > 300);
        QPainter painter(&image);
        shown.view.draw(painter);
        painter.end();
        // The last rank's last action, which is not on the screen.
        const int lastLane = static_cast<int>(LaneGeometry::RulerHeight + 3 * LaneGeometry::MostLane) + 30;
        QCOMPARE(image.pixelColor(Header + static_cast<int>((image.width() - Header) * 0.97 * 10.1 / 11), lastLane),
                 style::Theme::dark().colour(StageId{3}));
        bool hasRuler = false;
        for (int x = Header + 20; x < image.width(); ++x)
            hasRuler |= image.pixelColor(x, 12) != style::Theme::dark().colour(style::Token::Canvas);
        QVERIFY(hasRuler);
        QCOMPARE(shown.view.drawnName(), QString("test-timeline"));
    }

    void itsOwnMenuExportsIt()
    {
        ShownTimeline shown;
        QCOMPARE(shown.view.contextMenuPolicy(), Qt::ActionsContextMenu);
        QVERIFY(shown.view.findChild<QAction *>("exportSvg") != nullptr);
        QVERIFY(shown.view.findChild<QAction *>("exportPng") != nullptr);
    }

    void aScreenReaderIsToldWhatIsCurrent()
    {
        ShownTimeline shown;
        QAccessibleInterface *access = QAccessible::queryAccessibleInterface(&shown.view);
        QVERIFY(access != nullptr);
        QCOMPARE(access->role(), QAccessible::Chart);
        shown.click(shown.at(4500, 2));
        QVERIFY(access->text(QAccessible::Value).startsWith("2F2 on rank 2"));
    }

    void manyLanesScrollAndTheSelectedOneIsScrolledTo()
    {
        session::Selection selection;
        TimelineView view(selection);
        view.resize(800, 300);
        view.setTrace(std::make_shared<const trace::Trace>(tests::evenForward(100, 2, 1000)));
        view.show();
        selection.select(tests::forwardOf(99, 0));
        const QRectF row = view.geometryOfLanes().header(99);
        QVERIFY(row.top() >= LaneGeometry::RulerHeight && row.bottom() <= 300);
    }

    void anyTraceIsShownZoomedAndWalked()
    {
        std::mt19937 random(20);
        constexpr std::array keys{Qt::Key_W,        Qt::Key_W,
                                  Qt::Key_S,        Qt::Key_A,
                                  Qt::Key_D,        Qt::Key_Right,
                                  Qt::Key_Left,     Qt::Key_Up,
                                  Qt::Key_Down,     Qt::Key_BracketLeft,
                                  Qt::Key_Z,        Qt::Key_F,
                                  Qt::Key_Home,     Qt::Key_BracketRight,
                                  Qt::Key_Backspace};
        ShownTimeline shown;
        for (int i = 0; i < 40; ++i) {
            shown.view.setTrace(std::make_shared<const trace::Trace>(strangeTrace(random)));
            for (int step = 0; step < 30; ++step) {
                const QPoint point(static_cast<int>(random() % 1144), static_cast<int>(random() % 400));
                shown.press(keys[random() % keys.size()]);
                shown.move(point);
                if (step % 5 == 0)
                    shown.wheel(point, static_cast<int>(random() % 30) - 5);
                if (step % 7 == 0)
                    shown.click(point);
                QVERIFY(!shown.view.grab().isNull());
                QVERIFY(shown.view.coordinates().spanNs >= timeline::LeastSpanNs);
            }
        }
    }

    void anotherRunStartsAnew()
    {
        ShownTimeline shown;
        shown.click(shown.at(4500, 2));
        shown.selection.clear();
        shown.wheel(shown.at(4000, 1), 3);
        shown.view.setTrace(std::make_shared<const trace::Trace>(tests::evenForward(2, 2, 1000)));
        QVERIFY(!shown.view.current());
        QCOMPARE(shown.view.coordinates().beginNs, 0.0);
        shown.press(Qt::Key_Backspace);
        QCOMPARE(shown.view.coordinates().beginNs, 0.0);
        QVERIFY(shown.view.coordinates().endNs() > 3000 && shown.view.coordinates().endNs() < 3200);
    }
};

PIPESCOPE_WIDGET_TEST(TestTimelineView)
#include "tst_timeline_view.moc"
