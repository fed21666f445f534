#include "timeline/timeline_view.h"

#include "timeline/timeline_tables.h"

#include "runs.h"

#include <QAccessible>
#include <QAction>
#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QSignalSpy>
#include <QTableView>
#include <QToolTip>
#include <QWheelEvent>
#include <QtTest>
#include <random>

using namespace pipescope;
using timeline::Coordinates;
using timeline::LaneGeometry;
using timeline::Spot;
using timeline::TimelineView;

namespace {

constexpr int Header = static_cast<int>(LaneGeometry::HeaderWidth);

/// A view 1000 pixels wide of four ranks' eight microbatches, 1 µs each: 11 µs in all.
struct Shown
{
    session::Selection selection;
    TimelineView view{selection};

    Shown()
    {
        view.resize(1000 + Header, 400);
        view.setTrace(std::make_shared<const trace::Trace>(tests::evenForward(4, 8, 1000)));
        view.show();
        view.setFocus();
    }

    /// In the middle of a rank's lane.
    [[nodiscard]] QPoint at(double ns, int rank) const
    {
        const double y = view.geometryOfLanes().body(rank).center().y();
        return {Header + static_cast<int>(view.coordinates().toPixel(ns)), static_cast<int>(y)};
    }
    void click(QPoint point) { QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, point); }
    void press(Qt::Key key) { QTest::keyClick(&view, key); }
    void drag(QPoint from, QPoint to, Qt::MouseButton button = Qt::LeftButton, Qt::KeyboardModifiers keys = {})
    {
        QTest::mousePress(view.viewport(), button, keys, from);
        move(to, button);
        QTest::mouseRelease(view.viewport(), button, keys, to);
    }
    void zoom(QPoint from, QPoint to) { drag(from, to, Qt::LeftButton, Qt::ControlModifier); }
    void move(QPoint to, Qt::MouseButtons buttons = {})
    {
        QMouseEvent event(QEvent::MouseMove, to, view.viewport()->mapToGlobal(to), Qt::NoButton, buttons, {});
        QCoreApplication::sendEvent(view.viewport(), &event);
    }
    void wheel(QPoint at, int notches, Qt::KeyboardModifiers keys = {})
    {
        QWheelEvent event(at, view.viewport()->mapToGlobal(at), {}, {0, 120 * notches}, Qt::NoButton, keys,
                          Qt::NoScrollPhase, false);
        QCoreApplication::sendEvent(view.viewport(), &event);
    }
};

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
        event.action = std::array{"0F0", "1B1", "", "(((", "9W9"}[static_cast<std::size_t>(below(5))];
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

class TestTimelineView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void theWholeRunIsShownAtFirst()
    {
        Shown shown;
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
        selection.selectAction({StageId{0}, MicrobatchId{0}});
        QVERIFY(!view.grab().isNull());
        QVERIFY(!view.current());
    }

    void theWheelZoomsWhereThePointerIs()
    {
        Shown shown;
        const QPoint point = shown.at(4000, 1);
        const double before = shown.view.coordinates().toTime(point.x() - Header);
        shown.wheel(point, 3);
        QVERIFY(shown.view.coordinates().spanNs < 7000);
        QVERIFY(std::abs(shown.view.coordinates().toTime(point.x() - Header) - before) < 1e-6);
    }

    void theWheelPansWithShift()
    {
        Shown shown;
        shown.wheel(shown.at(4000, 1), 6);
        const Coordinates before = shown.view.coordinates();
        shown.wheel(shown.at(4000, 1), -1, Qt::ShiftModifier);
        QCOMPARE(shown.view.coordinates().spanNs, before.spanNs);
        QVERIFY(shown.view.coordinates().beginNs > before.beginNs);
    }

    void wAndSZoomWhileAAndDMove()
    {
        Shown shown;
        const double all = shown.view.coordinates().spanNs;
        shown.press(Qt::Key_W);
        QCOMPARE(shown.view.coordinates().spanNs, all / 1.5);
        const double begin = shown.view.coordinates().beginNs;
        shown.press(Qt::Key_A);
        QVERIFY(shown.view.coordinates().beginNs < begin);
        shown.press(Qt::Key_D);
        QCOMPARE(shown.view.coordinates().beginNs, begin);
        shown.press(Qt::Key_S);
        QCOMPARE(shown.view.coordinates().spanNs, all);
    }

    void draggingSelectsTheSpanThatWasDraggedOver()
    {
        Shown shown;
        const Coordinates before = shown.view.coordinates();
        // Both ends near edges of slices, and so exactly at them.
        shown.drag(shown.at(5970, 2), shown.at(2030, 0));
        QVERIFY((shown.selection.current().span == session::SelectedSpan{{}, 2000, 6000}));
        QVERIFY(shown.view.coordinates() == before);
        QVERIFY(!shown.view.current());
        shown.press(Qt::Key_Z);
        QVERIFY(std::abs(shown.view.coordinates().beginNs - 1900) < 50);
        QVERIFY(std::abs(shown.view.coordinates().endNs() - 6100) < 50);
        shown.press(Qt::Key_Escape);
        QVERIFY(!shown.selection.current().span);
    }

    void draggingWithControlOrAlongTheRulerZoomsIntoIt()
    {
        Shown shown;
        shown.zoom(shown.at(2030, 0), shown.at(5970, 2));
        QCOMPARE(shown.view.coordinates().beginNs, 2000.0);
        QCOMPARE(shown.view.coordinates().endNs(), 6000.0);
        shown.press(Qt::Key_F);
        shown.drag({shown.at(2000, 0).x(), 10}, {shown.at(6000, 0).x(), 12});
        QVERIFY(std::abs(shown.view.coordinates().beginNs - 2000) < 20);
        QVERIFY(!shown.selection.current().span);
    }

    void mMeasuresWhatIsCurrentOrSeenAndShiftStretchesIt()
    {
        Shown shown;
        shown.click(shown.at(4500, 2));
        shown.press(Qt::Key_M);
        QVERIFY((shown.selection.current().span == session::SelectedSpan{{}, 4000, 5000}));
        QTest::keyClick(&shown.view, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY((shown.selection.current().span == session::SelectedSpan{{}, 4000, 6000}));
        QTest::keyClick(&shown.view, Qt::Key_Left, Qt::ShiftModifier);
        QVERIFY((shown.selection.current().span == session::SelectedSpan{{}, 4000, 5000}));
        shown.press(Qt::Key_Escape);
        shown.press(Qt::Key_M);
        QVERIFY((shown.selection.current().span == session::SelectedSpan{{}, 0, 11'000}));
    }

    void aRunThatGrowsIsFollowedWhereAllWasSeen()
    {
        Shown shown;
        const auto grown = tests::modelOf(tests::evenForward(4, 16, 1000));
        shown.view.updateRuns({{grown, {}}});
        QVERIFY(shown.view.isFitted());
        QVERIFY(shown.view.coordinates().endNs() > 19'000);
    }

    void aRunThatGrowsKeepsWhatIsSeenAndSelected()
    {
        Shown shown;
        shown.click(shown.at(4500, 2));
        shown.zoom(shown.at(2030, 0), shown.at(5970, 2));
        const Coordinates before = shown.view.coordinates();
        shown.view.updateRuns({{tests::modelOf(tests::evenForward(4, 16, 1000)), {}}});
        QVERIFY(shown.view.coordinates() == before);
        QVERIFY((shown.view.current() == Spot{2, 2, -1}));
    }

    void ofTwoRunsEachIsPointedAtAndWalkedByItself()
    {
        Shown shown;
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
        Shown shown;
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
        Shown shown;
        QCOMPARE(shown.view.contextMenuPolicy(), Qt::ActionsContextMenu);
        QVERIFY(shown.view.findChild<QAction *>("exportSvg") != nullptr);
        QVERIFY(shown.view.findChild<QAction *>("exportPng") != nullptr);
    }

    void aScreenReaderIsToldWhatIsCurrent()
    {
        Shown shown;
        QAccessibleInterface *access = QAccessible::queryAccessibleInterface(&shown.view);
        QVERIFY(access != nullptr);
        QCOMPARE(access->role(), QAccessible::Chart);
        shown.click(shown.at(4500, 2));
        QVERIFY(access->text(QAccessible::Value).startsWith("2F2 on rank 2"));
    }

    void escapeGivesUpADrag()
    {
        Shown shown;
        const Coordinates before = shown.view.coordinates();
        QTest::mousePress(shown.view.viewport(), Qt::LeftButton, {}, shown.at(2000, 0));
        shown.move(shown.at(6000, 2), Qt::LeftButton);
        shown.press(Qt::Key_Escape);
        QTest::mouseRelease(shown.view.viewport(), Qt::LeftButton, {}, shown.at(6000, 2));
        QVERIFY(shown.view.coordinates() == before);
    }

    void theMiddleButtonAndShiftPan_data()
    {
        QTest::addColumn<int>("button");
        QTest::addColumn<int>("keys");
        QTest::newRow("middle") << int(Qt::MiddleButton) << int(Qt::NoModifier);
        QTest::newRow("shift") << int(Qt::LeftButton) << int(Qt::ShiftModifier);
    }
    void theMiddleButtonAndShiftPan()
    {
        QFETCH(int, button);
        QFETCH(int, keys);
        Shown shown;
        shown.zoom(shown.at(2000, 0), shown.at(6000, 2));
        const Coordinates before = shown.view.coordinates();
        shown.drag({Header + 500, 60}, {Header + 400, 60}, Qt::MouseButton(button), Qt::KeyboardModifiers(keys));
        QCOMPARE(shown.view.coordinates().spanNs, before.spanNs);
        QCOMPARE(shown.view.coordinates().beginNs, before.beginNs + 100 * before.spanNs / 1000);
    }

    void fFitsAndBackspaceReturns()
    {
        Shown shown;
        const Coordinates all = shown.view.coordinates();
        shown.zoom(shown.at(2000, 0), shown.at(6000, 2));
        const Coordinates part = shown.view.coordinates();
        shown.press(Qt::Key_F);
        QVERIFY(shown.view.coordinates() == all);
        shown.press(Qt::Key_Backspace);
        QVERIFY(shown.view.coordinates() == part);
        shown.press(Qt::Key_Backspace);
        QVERIFY(shown.view.coordinates() == all);
        shown.press(Qt::Key_Backspace);
        QVERIFY(shown.view.coordinates() == all);
    }

    void turnsOfTheWheelAreTakenBackTogether()
    {
        Shown shown;
        const Coordinates all = shown.view.coordinates();
        for (int i = 0; i < 5; ++i)
            shown.wheel(shown.at(4000, 1), 1);
        shown.press(Qt::Key_Backspace);
        QVERIFY(shown.view.coordinates() == all);
    }

    void aClickSelectsTheActionForAllViews()
    {
        Shown shown;
        shown.click(shown.at(4500, 2));
        QVERIFY((shown.selection.current().action == session::SelectedAction{StageId{2}, MicrobatchId{2}}));
        QVERIFY((shown.view.current() == Spot{2, 2, -1}));
        QVERIFY(shown.view.accessibleDescription().startsWith("2F2 on rank 2, 1.00 µs"));
        shown.click({Header + 996, 200}); // after the end of the run
        QVERIFY(!shown.view.current());
        QVERIFY(!shown.selection.current().action);
    }

    void aClickOnABubbleSelectsItsSpan()
    {
        Shown shown;
        shown.click(shown.at(1000, 3));
        QVERIFY((shown.view.current() == Spot{3, -1, 0}));
        QVERIFY((shown.selection.current().span == session::SelectedSpan{RankId{3}, 0, 3000}));
        shown.selection.clear();
        shown.selection.selectSpan({RankId{2}, 0, 2000});
        QVERIFY((shown.view.current() == Spot{2, -1, 0}));
    }

    void aClickOnAHeaderSelectsItsRank()
    {
        Shown shown;
        shown.click(shown.at(4500, 2));
        shown.click({30, shown.at(0, 1).y()});
        QCOMPARE(shown.selection.current().rank, RankId{1});
        QVERIFY(!shown.view.current());
        const QRectF header = shown.view.geometryOfLanes().header(1);
        QCOMPARE(shown.view.grab().toImage().pixelColor(1, static_cast<int>(header.center().y())),
                 style::Theme::dark().colour(style::Token::Accent));
    }

    void aToolTipTakesNamesForNoMarkup()
    {
        session::Selection selection;
        TimelineView view(selection);
        view.resize(1000, 200);
        trace::Trace trace = tests::TraceBuilder(1, 1, 1).compute(0, 0, 0, 0, 1000).build();
        trace.events[0].action = "<img src=x>";
        view.setTrace(std::make_shared<const trace::Trace>(trace));
        view.show();
        const QPoint point(500, 60);
        QHelpEvent help(QEvent::ToolTip, point, view.viewport()->mapToGlobal(point));
        QTest::ignoreMessage(QtWarningMsg, "This plugin does not support raise()"); // of the offscreen platform
        QCoreApplication::sendEvent(view.viewport(), &help);
        QVERIFY(QToolTip::text().contains("&lt;img src=x&gt; on rank 0, 1.00 µs"));
        QToolTip::hideText();
    }

    void theSelectionOfOtherViewsIsFollowedAndBroughtIntoView()
    {
        Shown shown;
        shown.zoom(shown.at(100, 0), shown.at(900, 2));
        QSignalSpy changes(&shown.view, &TimelineView::currentChanged);
        shown.selection.selectAction({StageId{3}, MicrobatchId{7}});
        QVERIFY((shown.view.current() == Spot{3, 7, -1}));
        QCOMPARE(changes.size(), 1);
        QVERIFY(shown.view.coordinates().beginNs <= 10'500 && shown.view.coordinates().endNs() >= 10'500);
        shown.selection.selectNode(NodeId{1}); // where it ran is known to who knows the model
        QVERIFY(!shown.view.current());
    }

    void whatBelongsToTheSelectionIsOutlined()
    {
        Shown shown;
        const auto outlined = [&](int rank, int microbatch) {
            const QPoint inside = shown.at((rank + microbatch) * 1000 + 500, rank);
            const double top = shown.view.geometryOfLanes().body(rank).top();
            const QImage image = shown.view.viewport()->grab().toImage();
            bool found = false;
            for (int y = static_cast<int>(top) - 3; y < static_cast<int>(top) + 2; ++y)
                found = found || image.pixelColor(inside.x(), y) == style::Theme::dark().colour(style::Token::Accent);
            return found;
        };
        QSignalSpy changes(&shown.view, &TimelineView::relatedChanged);
        shown.selection.selectStage(StageId{2});
        QCOMPARE(changes.size(), 1);
        QVERIFY(outlined(2, 0) && outlined(2, 7));
        QVERIFY(!outlined(1, 0) && !outlined(3, 3));
        shown.view.setRelate([&](const trace::Trace &trace) {
            const bool isNode = shown.selection.current().node.valid() && trace.ranks == 4;
            return isNode ? session::Related{{StageId{1}}, {}, {}} : session::Related();
        });
        QVERIFY(!outlined(2, 0));
        shown.selection.selectNode(NodeId{1});
        QVERIFY(outlined(1, 0) && outlined(1, 4) && !outlined(2, 0));
        shown.selection.clear();
        QVERIFY(!outlined(1, 0));
    }

    void zoomingNeverLosesTheSelection()
    {
        Shown shown;
        shown.click(shown.at(4500, 2));
        shown.wheel(shown.at(9000, 2), 20);
        shown.press(Qt::Key_F);
        QVERIFY((shown.view.current() == Spot{2, 2, -1}));
    }

    void arrowsWalkAlongAndAcrossLanes()
    {
        Shown shown;
        shown.press(Qt::Key_Right);
        QVERIFY((shown.view.current() == Spot{0, 0, -1}));
        shown.press(Qt::Key_Right);
        QVERIFY((shown.view.current() == Spot{0, 1, -1}));
        shown.press(Qt::Key_Down);
        QVERIFY((shown.view.current() == Spot{1, 0, -1}));
        shown.press(Qt::Key_Left);
        QVERIFY((shown.view.current() == Spot{1, 0, -1}));
        shown.press(Qt::Key_BracketRight);
        QVERIFY((shown.view.current() == Spot{2, 0, -1}));
        shown.press(Qt::Key_BracketLeft);
        QVERIFY((shown.view.current() == Spot{1, 0, -1}));
        shown.press(Qt::Key_Up);
        QVERIFY((shown.view.current() == Spot{0, 1, -1}));
        shown.press(Qt::Key_Escape);
        QVERIFY(!shown.view.current());
    }

    void hoveringSaysWhatIsThere()
    {
        Shown shown;
        QSignalSpy hovered(&shown.view, &TimelineView::hovered);
        shown.move(shown.at(1000, 3));
        QCOMPARE(hovered.size(), 1);
        QCOMPARE(hovered[0][0].toString(), QString("Bubble on rank 3, 3.00 µs (27.3 % of the run)\n"
                                                   "fill: waiting for stage 2's microbatch 0\n"
                                                   "0F0 → 1F0 → 2F0 → here\n"
                                                   "from 0 ns to 3.00 µs"));
        shown.move(shown.at(1500, 3));
        QCOMPARE(hovered.size(), 1);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(shown.view.viewport(), &leave);
        QCOMPARE(hovered[1][0].toString(), QString());
    }

    void aBubbleThatIsHoveredHasACardAtOnceAndAnActionHasNone()
    {
        Shown shown;
        const auto panelPixels = [&] {
            const QImage image = shown.view.viewport()->grab().toImage();
            const QColor panel = shown.view.theme().colour(style::Token::Panel);
            int count = 0;
            for (int y = 0; y < image.height(); ++y)
                for (int x = static_cast<int>(LaneGeometry::HeaderWidth) + 1; x < image.width(); ++x)
                    count += image.pixelColor(x, y) == panel ? 1 : 0;
            return count;
        };
        const int without = panelPixels();
        shown.move(shown.at(1000, 3)); // a bubble
        QVERIFY(panelPixels() > without + 2000);
        shown.move(shown.at(500, 0)); // an action
        QVERIFY(panelPixels() < without + 500);
    }

    void manyLanesScrollAndTheSelectedOneIsScrolledTo()
    {
        session::Selection selection;
        TimelineView view(selection);
        view.resize(800, 300);
        view.setTrace(std::make_shared<const trace::Trace>(tests::evenForward(100, 2, 1000)));
        view.show();
        selection.selectAction({StageId{99}, MicrobatchId{0}});
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
        Shown shown;
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
        Shown shown;
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

    void columnsGrowWithWhatArrivesUntilTheUserMakesOthers()
    {
        session::Selection selection;
        timeline::TimelineView view(selection);
        QWidget window;
        timeline::TimelineTables tables(view, &window);
        tables.resize(900, 300);
        window.resize(900, 300);
        window.show();
        const auto showRun = [&](const tests::TraceBuilder &run) {
            tests::TraceBuilder copy = run;
            view.setTrace(std::make_shared<const trace::Trace>(copy.build()));
            tables.refresh();
        };
        tests::TraceBuilder begun(2, 2, 2);
        begun.compute(0, 0, 0, 0, 100).compute(1, 1, 0, 0, 100).compute(1, 1, 1, 150, 530);
        showRun(begun);
        QTableView &table = *tables.currentTable();
        const int last = table.model()->columnCount() - 1;
        const QAbstractItemView &items = table; // where its hint is public
        QVERIFY(table.model()->rowCount() > 0);
        tests::TraceBuilder later = tests::twoRanksTrace();
        later.compute(1, 1, 123'456'789, 540, 600);
        showRun(later);
        for (int column = 0; column < last; ++column)
            QVERIFY2(table.columnWidth(column) >= items.sizeHintForColumn(column),
                     qPrintable(table.model()->headerData(column, Qt::Horizontal).toString()));
        table.setColumnWidth(0, 30);
        showRun(tests::twoRanksTrace());
        QCOMPARE(table.columnWidth(0), 30);
    }

    void theHintOnKeysKeepsNoTableWide()
    {
        session::Selection selection;
        timeline::TimelineView view(selection);
        QWidget window;
        timeline::TimelineTables tables(view, &window);
        const auto *keys = tables.findChild<QLabel *>("timelineKeys");
        QVERIFY(tables.minimumSizeHint().width() < keys->sizeHint().width());
        tables.resize(1100, 300);
        window.resize(1100, 300);
        window.show();
        QVERIFY(keys->isVisible() && keys->width() >= keys->sizeHint().width());
        tables.resize(400, 300);
        QCOMPARE(tables.width(), 400);
        QVERIFY(!keys->isVisible());
    }
};

QTEST_MAIN(TestTimelineView)
#include "tst_timeline_view.moc"
