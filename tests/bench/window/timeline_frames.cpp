#include "window_bench.h"

#include "samples.h"
#include "timeline/timeline_view.h"

#include <QApplication>
#include <QImage>
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
                event.action = fmt::format("{}F{}", event.stage.value, i / 4);
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
    QImage image(view.size(), QImage::Format_RGB32);
    Frames frames;
    for (int i = 0; i < Repeats; ++i) {
        // Another theme, and so nothing can come from what was painted before.
        view.setTheme(i % 2 == 0 ? style::Theme::light() : style::Theme::dark());
        frames.add([&] { view.render(&image); });
    }
    return frames.rows(fmt::format("timeline of {} slices, all in view", trace->events.size()));
}

} // namespace pipescope::bench
