// A timeline of one run, and hands on it.
#pragma once

#include "runs.h"
#include "timeline/timeline_view.h"

#include <QMouseEvent>
#include <QTest>
#include <QWheelEvent>

namespace pipescope::tests {

inline constexpr int Header = static_cast<int>(timeline::LaneGeometry::HeaderWidth);

/// A view 1000 pixels wide of four ranks' eight microbatches, 1 µs each: 11 µs in all.
struct ShownTimeline
{
    session::Selection selection;
    timeline::TimelineView view{selection};

    ShownTimeline()
    {
        view.resize(1000 + Header, 400);
        view.setTrace(std::make_shared<const trace::Trace>(evenForward(4, 8, 1000)));
        view.show();
        view.setFocus();
    }

    /// In the middle of a rank's lane.
    [[nodiscard]] QPoint at(double ns, int rank, int row = 0) const
    {
        const double y = view.geometryOfLanes().body(rank, row).center().y();
        return {Header + static_cast<int>(view.coordinates().toPixel(ns)), static_cast<int>(y)};
    }
    /// Run 8, of four microbatches of 2 µs each, stands under Run 7, which is as long as the one before.
    void showTwoRuns()
    {
        view.setRuns({{modelOf(evenForward(4, 8, 1000)), "Run 7", "Run 7", session::RunId{7}},
                      {modelOf(evenForward(4, 4, 2000)), "Run 8", "Run 8", session::RunId{8}}});
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

} // namespace pipescope::tests
