#include "graphview/graph_canvas.h"
#include "graphview/split_gutter.h"
#include "shardview/shard_canvas.h"
#include "support/qt_warnings.h"
#include "support/selected.h"
#include "support/test_program.h"
#include "support/trace_builder.h"
#include "support/window_desk.h"
#include "timeline/overview_strip.h"
#include "timeline/timeline_view.h"
#include "trace/chrome_trace.h"

#include <QGuiApplication>

using namespace pipescope;
using timeline::LaneGeometry;
using timeline::TimelineView;

/// In a language written from right to left, as with -reverse: the window turns round, drawings do not.
class TestRightToLeft : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QGuiApplication::setLayoutDirection(Qt::RightToLeft); }
    void cleanupTestCase() { QGuiApplication::setLayoutDirection(Qt::LeftToRight); }
    void init() { tests::failOnWarnings(); }

    void drawingsStayAsTheyAre()
    {
        tests::WindowDesk desk;
        QCOMPARE(desk.window.layoutDirection(), Qt::RightToLeft);
        for (const QWidget *drawing : {static_cast<QWidget *>(desk.window.findChild<graphview::GraphCanvas *>()),
                                       static_cast<QWidget *>(desk.window.findChild<graphview::SplitGutter *>()),
                                       static_cast<QWidget *>(desk.window.findChild<TimelineView *>()),
                                       static_cast<QWidget *>(desk.window.findChild<TimelineView *>()->viewport()),
                                       static_cast<QWidget *>(desk.window.findChild<timeline::OverviewStrip *>()),
                                       static_cast<QWidget *>(desk.window.findChild<shardview::ShardCanvas *>())})
            QVERIFY2(drawing->layoutDirection() == Qt::LeftToRight, drawing->metaObject()->className());
    }

    void aClickOnABarSelectsIt()
    {
        tests::WindowDesk desk;
        const trace::Trace trace = tests::evenForward(4, 4, 1000);
        QVERIFY(desk.window.open(desk.file("trace.json", QByteArray::fromStdString(trace::toChromeJson(trace)))));
        auto *view = desk.window.findChild<TimelineView *>();
        QTRY_VERIFY(view->model() != nullptr && view->isVisible());
        const QImage picture = view->viewport()->grab().toImage();
        for (int stage = 0; stage < 4; ++stage) {
            const QColor colour = style::Theme::dark().colour(StageId{stage});
            const int y = static_cast<int>(view->geometryOfLanes().body(stage).top()) + 3;
            int x = static_cast<int>(LaneGeometry::HeaderWidth);
            while (x < picture.width() && picture.pixelColor(x, y) != colour)
                ++x;
            QVERIFY(x < picture.width()); // where it is painted first: microbatch 0
            QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, {x + 3, y});
            QVERIFY(tests::isForward(desk.window.selection().current(), stage, 0));
        }
    }

    void aClickOnABoxSelectsIt()
    {
        tests::WindowDesk desk;
        desk.open();
        auto *canvas = desk.window.findChild<graphview::GraphCanvas *>();
        QTRY_VERIFY(canvas->picture() != nullptr && !canvas->isLayingOut());
        const graphview::GraphScene &scene = canvas->picture()->scene;
        for (std::size_t box = 1; box < scene.tree.boxes.size(); ++box) {
            if (scene.tree.boxes[box].title != "layers.1")
                continue;
            const QPoint at = canvas->viewport().toScreen(scene.rects[box].center()).toPoint();
            QVERIFY(canvas->rect().contains(at));
            QTest::mouseClick(canvas, Qt::LeftButton, {}, at);
            QVERIFY((desk.window.selection().current() == session::Selected(session::SelectedModule{"layers.1", 0})));
            return;
        }
        QFAIL("no box layers.1");
    }
};

PIPESCOPE_WIDGET_TEST(TestRightToLeft)
#include "tst_right_to_left.moc"
