#include "shown_timeline.h"
#include "support/selected.h"
#include "timeline/timeline_view.h"

#include "support/test_program.h"

#include <QColor>
#include <QHelpEvent>
#include <QImage>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

using namespace pipescope;
using tests::Header;
using tests::ShownTimeline;
using timeline::LaneGeometry;
using timeline::Spot;
using timeline::TimelineView;

/// What is pointed at, current and selected, here and in other views.
class TestTimelineSelection : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QTest::failOnWarning(QRegularExpression(QStringLiteral(".*"))); }

    void aClickSelectsTheActionForAllViews()
    {
        ShownTimeline shown;
        shown.click(shown.at(4500, 2));
        QVERIFY(tests::isForward(shown.selection.current(), 2, 2));
        QVERIFY((shown.view.current() == Spot{2, 2, -1}));
        QVERIFY(shown.view.accessibleDescription().startsWith("2F2 on rank 2, 1.00 µs"));
        shown.click({Header + 996, 200}); // after the end of the run
        QVERIFY(!shown.view.current());
        QVERIFY(!std::holds_alternative<session::SelectedAction>(shown.selection.current()));
    }

    void aClickOnABubbleSelectsItsSpan()
    {
        ShownTimeline shown;
        shown.click(shown.at(1000, 3));
        QVERIFY((shown.view.current() == Spot{3, -1, 0}));
        QVERIFY((shown.selection.current() == session::Selected(session::SelectedSpan{{}, RankId{3}, 0, 3000})));
        shown.selection.clear();
        shown.selection.select(session::SelectedSpan{{}, RankId{2}, 0, 2000});
        QVERIFY((shown.view.current() == Spot{2, -1, 0}));
    }

    void anActionAndABubbleAreOfTheRunInWhoseRowTheyAre_data()
    {
        QTest::addColumn<int>("row");
        QTest::addColumn<int>("run");
        QTest::newRow("upper") << 0 << 7;
        QTest::newRow("lower") << 1 << 8;
    }

    void anActionAndABubbleAreOfTheRunInWhoseRowTheyAre()
    {
        QFETCH(int, row);
        QFETCH(int, run);
        ShownTimeline shown;
        shown.showTwoRuns();
        const double unit = row == 0 ? 1000 : 2000;
        shown.click(shown.at(2.5 * unit, 1, row));
        QVERIFY((shown.view.current() == Spot{1, 1, -1, row}));
        QVERIFY(shown.selection.current() == session::Selected(tests::forwardOf(1, 1, session::RunId{run})));
        shown.click(shown.at(0.5 * unit, 1, row));
        const auto end = static_cast<std::int64_t>(unit);
        QVERIFY((shown.selection.current() ==
                 session::Selected(session::SelectedSpan{session::RunId{run}, RankId{1}, 0, end})));
        QVERIFY((shown.view.current() == Spot{1, -1, 0, row}));
    }

    void aSpanIsOfTheRunItIsTakenFrom()
    {
        ShownTimeline shown;
        shown.showTwoRuns();
        const auto spanOf8 = [](std::int64_t beginNs, std::int64_t endNs) {
            return session::Selected(session::SelectedSpan{session::RunId{8}, {}, beginNs, endNs});
        };
        shown.view.select(Spot{1, 0, -1, 1});
        shown.press(Qt::Key_M);
        QVERIFY(shown.selection.current() == spanOf8(2000, 4000));
        QTest::keyClick(&shown.view, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(shown.selection.current() == spanOf8(2000, 6000)); // Run 8's next edge
        shown.drag(shown.at(4000, 2, 1), shown.at(6000, 2, 1));
        QVERIFY(shown.selection.current() == spanOf8(4000, 6000));
    }

    void anActionOfARunThatIsNotShownIsNotOutlined()
    {
        ShownTimeline shown;
        shown.showTwoRuns();
        shown.selection.select(tests::forwardOf(1, 1, session::RunId{8}));
        QVERIFY((shown.view.current() == Spot{1, 1, -1, 1}));
        shown.selection.select(tests::forwardOf(1, 1, session::RunId{9}));
        QVERIFY(!shown.view.current());
        shown.selection.select(tests::forwardOf(1, 1));
        QVERIFY((shown.view.current() == Spot{1, 1, -1, 0})); // the first that has it
    }

    void aClickOnAHeaderSelectsItsRank()
    {
        ShownTimeline shown;
        shown.click(shown.at(4500, 2));
        shown.click({30, shown.at(0, 1).y()});
        QCOMPARE(session::idIn<RankId>(shown.selection.current()), RankId{1});
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
        trace::Trace trace = tests::TraceBuilder(1, 2, 1).send(0, 0, 0, 1, 0, 1000).build();
        trace.events[0].value = "<img src=x>";
        view.setTrace(std::make_shared<const trace::Trace>(trace));
        view.show();
        const QPoint point(500, view.geometryOfLanes().strip(0, trace::EventKind::Send).center().toPoint().y());
        QHelpEvent help(QEvent::ToolTip, point, view.viewport()->mapToGlobal(point));
        QTest::ignoreMessage(QtWarningMsg, "This plugin does not support raise()"); // of the offscreen platform
        QCoreApplication::sendEvent(view.viewport(), &help);
        QVERIFY(QToolTip::text().contains("send &lt;img src=x&gt; to stage 1 on rank 0, 1.00 µs"));
        QToolTip::hideText();
    }

    void theSelectionOfOtherViewsIsFollowedAndBroughtIntoView()
    {
        ShownTimeline shown;
        shown.zoom(shown.at(100, 0), shown.at(900, 2));
        QSignalSpy changes(&shown.view, &TimelineView::currentChanged);
        shown.selection.select(tests::forwardOf(3, 7));
        QVERIFY((shown.view.current() == Spot{3, 7, -1}));
        QCOMPARE(changes.size(), 1);
        QVERIFY(shown.view.coordinates().beginNs <= 10'500 && shown.view.coordinates().endNs() >= 10'500);
        shown.selection.select(NodeId{1}); // where it ran is known to who knows the model
        QVERIFY(!shown.view.current());
    }

    void whatBelongsToTheSelectionIsOutlined()
    {
        ShownTimeline shown;
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
        shown.selection.select(StageId{2});
        QCOMPARE(changes.size(), 1);
        QVERIFY(outlined(2, 0) && outlined(2, 7));
        QVERIFY(!outlined(1, 0) && !outlined(3, 3));
        shown.view.setRelate([&](const trace::Trace &trace) {
            const bool isNode = session::idIn<NodeId>(shown.selection.current()).valid() && trace.ranks == 4;
            return isNode ? session::Related{{StageId{1}}, {}, {}} : session::Related();
        });
        QVERIFY(!outlined(2, 0));
        shown.selection.select(NodeId{1});
        QVERIFY(outlined(1, 0) && outlined(1, 4) && !outlined(2, 0));
        shown.selection.clear();
        QVERIFY(!outlined(1, 0));
    }

    void zoomingNeverLosesTheSelection()
    {
        ShownTimeline shown;
        shown.click(shown.at(4500, 2));
        shown.wheel(shown.at(9000, 2), 20);
        shown.press(Qt::Key_F);
        QVERIFY((shown.view.current() == Spot{2, 2, -1}));
    }

    void arrowsWalkAlongAndAcrossLanes()
    {
        ShownTimeline shown;
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
        ShownTimeline shown;
        QSignalSpy hovered(&shown.view, &TimelineView::hovered);
        shown.move(shown.at(1000, 3));
        QCOMPARE(hovered.size(), 1);
        QCOMPARE(hovered[0][0].toString(), QString("Bubble on rank 3, 3.00 µs (27.3 % of the run)\n"
                                                   "fill: waiting for stage 2's microbatch 0\n"
                                                   "0F0 → 1F0 → 2F0 → here\n"
                                                   "what helps: more microbatches, fewer stages\n"
                                                   "from 0 ns to 3.00 µs"));
        shown.move(shown.at(1500, 3));
        QCOMPARE(hovered.size(), 1);
        QEvent leave(QEvent::Leave);
        QCoreApplication::sendEvent(shown.view.viewport(), &leave);
        QCOMPARE(hovered[1][0].toString(), QString());
    }

    void aBubbleThatIsHoveredHasACardAtOnceAndAnActionHasNone()
    {
        ShownTimeline shown;
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
};

PIPESCOPE_WIDGET_TEST(TestTimelineSelection)
#include "tst_timeline_selection.moc"
