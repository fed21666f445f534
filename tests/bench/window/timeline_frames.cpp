#include "window_bench.h"

#include "samples.h"
#include "timeline/timeline_view.h"

#include <QApplication>
#include <QImage>
#include <QTest>
#include <QWheelEvent>
#include <fmt/format.h>
#include <random>

namespace pipescope::bench {

namespace {

constexpr int Repeats = 100;

/// Rank after rank of waits, receives, computes and sends, two stages a rank.
trace::Trace longTrace(int ranks, int slices)
{
    trace::Trace trace;
    trace.ranks = ranks;
    trace.stages = ranks;
    trace.microbatches = slices / ranks / 4 + 1;
    std::mt19937 random(3);
    constexpr trace::EventKind Kinds[] = {trace::EventKind::Wait, trace::EventKind::Receive, trace::EventKind::Compute,
                                          trace::EventKind::Send};
    for (int rank = 0; rank < ranks; ++rank) {
        std::int64_t at = rank * 10'000;
        for (int i = 0; i < slices / ranks; ++i) {
            trace::Event event;
            event.kind = Kinds[i % 4];
            event.rank = RankId{rank};
            event.stage = StageId{(rank + static_cast<int>(random() % 2) * (ranks / 2)) % ranks};
            event.microbatch = MicrobatchId{i / 4};
            event.value = "h";
            std::int64_t takes = 500 + random() % 500;
            if (event.kind == trace::EventKind::Wait) {
                event.cause = trace::WaitCause::Input;
                takes = random() % 8'000;
            } else if (event.kind == trace::EventKind::Compute) {
                takes = 6'000 + random() % 8'000;
            } else {
                event.peer = StageId{(rank + (event.kind == trace::EventKind::Send ? 1 : ranks - 1)) % ranks};
            }
            event.beginNs = at + 50;
            event.endNs = event.beginNs + takes;
            at = event.endNs;
            trace.events.push_back(std::move(event));
        }
    }
    std::stable_sort(trace.events.begin(), trace.events.end(),
                     [](const trace::Event &a, const trace::Event &b) { return a.beginNs < b.beginNs; });
    return trace;
}

class Painted
{
public:
    explicit Painted(timeline::TimelineView &view)
        : m_view(view)
        , m_image(view.size(), QImage::Format_RGB32)
    {
    }
    void frame()
    {
        m_frames.add([this] { m_view.render(&m_image); });
    }
    [[nodiscard]] std::vector<Row> rows(const std::string &what) const { return m_frames.rows(what); }

private:
    timeline::TimelineView &m_view;
    QImage m_image;
    Frames m_frames;
};

/// Nothing of what was painted before can be of use.
std::vector<Row> allInView(timeline::TimelineView &view, const std::string &what)
{
    Painted painted(view);
    view.fitRun();
    for (int i = 0; i < Repeats; ++i) {
        view.setTheme(i % 2 == 0 ? style::Theme::light() : style::Theme::dark());
        painted.frame();
    }
    return painted.rows(what + ", all in view, painted anew");
}

std::vector<Row> pointerMoves(timeline::TimelineView &view, const std::string &what)
{
    Painted painted(view);
    view.fitRun();
    QImage first(view.size(), QImage::Format_RGB32);
    view.render(&first);
    constexpr int Left = static_cast<int>(timeline::LaneGeometry::HeaderWidth) + 1;
    const int width = view.viewport()->width() - Left - 1;
    for (int i = 0; i < Repeats; ++i) {
        QTest::mouseMove(view.viewport(), {Left + i * 37 % width, 100 + i * 5});
        painted.frame();
    }
    return painted.rows(what + ", all in view, pointer moving");
}

void turnWheel(timeline::TimelineView &view, const QPointF &at, int notches, Qt::KeyboardModifiers modifiers = {})
{
    constexpr int Notch = 120;
    QWheelEvent event(at, view.viewport()->mapToGlobal(at), {}, {0, notches * Notch}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(view.viewport(), &event);
}

/// From all in view a few notches in, a few aside, and out again, each time elsewhere: no frame was painted before.
std::vector<Row> wheelTurns(timeline::TimelineView &view, const std::string &what)
{
    Painted zoomed(view);
    Painted panned(view);
    for (int i = 0; i < Repeats / 5; ++i) {
        view.fitRun();
        const QPointF at(300.0 + i * 61, 400);
        for (int step = 0; step < 5; ++step) {
            turnWheel(view, at, 1);
            zoomed.frame();
        }
        for (int step = 0; step < 5; ++step) {
            turnWheel(view, at, i % 2 == 0 ? 1 : -1, Qt::ShiftModifier);
            panned.frame();
        }
    }
    std::vector<Row> rows = zoomed.rows(what + ", zooming in from there");
    const std::vector<Row> more = panned.rows(what + ", panning");
    rows.insert(rows.end(), more.begin(), more.end());
    return rows;
}

} // namespace

Result<std::vector<Row>> timelineFrames()
{
    constexpr int Slices = 1'000'000;
    const auto trace = std::make_shared<const trace::Trace>(longTrace(64, Slices));
    session::Selection selection;
    timeline::TimelineView view(selection);
    view.resize(1600, 900);
    view.setTrace(trace);
    view.show();
    QApplication::processEvents();
    const std::string what = fmt::format("timeline of {} slices", trace->events.size());
    std::vector<Row> rows;
    for (const auto measure : {allInView, pointerMoves, wheelTurns}) {
        const std::vector<Row> fresh = measure(view, what);
        rows.insert(rows.end(), fresh.begin(), fresh.end());
    }
    return rows;
}

} // namespace pipescope::bench
