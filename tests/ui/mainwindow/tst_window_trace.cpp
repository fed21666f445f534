#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "support/trace_builder.h"
#include "support/window_desk.h"
#include "timeline/timeline_view.h"
#include "trace/chrome_trace.h"

#include <QSignalSpy>

using namespace pipescope;
using mainwindow::MainWindow;
using timeline::TimelineView;

/// A trace is opened by itself: no model, no engine.
class TestWindowTrace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aTraceIsShownAsATimelineWithoutAModel_data()
    {
        QTest::addColumn<bool>("isDark");
        QTest::newRow("dark") << true;
        QTest::newRow("light") << false;
    }

    void aTraceIsShownAsATimelineWithoutAModel()
    {
        QFETCH(bool, isDark);
        const style::Theme &theme = isDark ? style::Theme::dark() : style::Theme::light();
        tests::WindowDesk desk;
        desk.window.setTheme(theme);
        const trace::Trace trace = tests::evenForward(4, 4, 1000);
        const QString path = desk.file("trace.json", QByteArray::fromStdString(trace::toChromeJson(trace)));
        QSignalSpy opened(&desk.window, &MainWindow::opened);
        QVERIFY(desk.window.open(path));
        QTRY_COMPARE(opened.size(), 1);
        QCOMPARE(opened[0][0].toString(), path);
        QCOMPARE(desk.engine.starts, 0);
        QVERIFY(!desk.window.document().model());
        QVERIFY(desk.action("showTimeline").isChecked());

        auto *view = desk.window.findChild<TimelineView *>();
        QVERIFY(view->isVisible());
        QVERIFY(view->model()->trace() == trace);
        const QImage picture = view->viewport()->grab().toImage();
        for (int stage = 0; stage < 4; ++stage) { // each on a rank of its own, in the rank's own turn
            const QRectF lane = view->geometryOfLanes().body(stage);
            for (int microbatch = 0; microbatch < 4; ++microbatch) {
                const double middle = view->coordinates().toPixel((stage + microbatch + 0.5) * 1000);
                const QPoint at(static_cast<int>(timeline::LaneGeometry::HeaderWidth + middle),
                                static_cast<int>(lane.top()) + 3); // above the label
                QCOMPARE(picture.pixelColor(at), theme.colour(StageId{stage}));
            }
            const QPoint idle(static_cast<int>(timeline::LaneGeometry::HeaderWidth +
                                               view->coordinates().toPixel((stage + 4.5) * 1000)),
                              static_cast<int>(lane.top()) + 3);
            QVERIFY(stage == 3 || picture.pixelColor(idle) != theme.colour(StageId{stage}));
        }
    }
};

PIPESCOPE_WIDGET_TEST(TestWindowTrace)
#include "tst_window_trace.moc"
