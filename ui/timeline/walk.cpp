#include "timeline/walk.h"

#include "trace/explain/cause_chain.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pipescope::timeline {

namespace {

using trace::EventKind;

const trace::Lane &laneOf(const LaneModel &model, int lane)
{
    return model.lanes()[static_cast<std::size_t>(lane)];
}

std::optional<Spot> along(const LaneModel &model, Spot from, int direction)
{
    const auto &slices = laneOf(model, from.lane).slices;
    int at = from.slice;
    if (at < 0) {
        const std::int64_t begin = timeOf(model, from).beginNs;
        const auto after = std::lower_bound(slices.begin(), slices.end(), begin,
                                            [](const trace::Slice &slice, auto ns) { return slice.time.beginNs < ns; });
        at = static_cast<int>(after - slices.begin()) - (direction > 0 ? 1 : 0);
    }
    for (at += direction; at >= 0 && at < std::ssize(slices); at += direction)
        if (slices[static_cast<std::size_t>(at)].kind != EventKind::Wait)
            return Spot{from.lane, at, -1};
    return std::nullopt;
}

double middleOf(trace::TimeRange time)
{
    return static_cast<double>(time.beginNs) + time.spanNs() / 2;
}

std::optional<Spot> nearestCompute(const LaneModel &model, int lane, double ns)
{
    const auto &slices = laneOf(model, lane).slices;
    std::optional<Spot> nearest;
    double least = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < slices.size(); ++i) {
        const double away = std::abs(middleOf(slices[i].time) - ns);
        if (slices[i].kind == EventKind::Compute && away < least) {
            least = away;
            nearest = Spot{lane, static_cast<int>(i), -1};
        }
    }
    return nearest;
}

std::optional<Spot> across(const LaneModel &model, Spot from, int direction)
{
    const double ns = middleOf(timeOf(model, from));
    for (int lane = from.lane + direction; lane >= 0 && lane < std::ssize(model.lanes()); lane += direction)
        if (const auto spot = nearestCompute(model, lane, ns))
            return spot;
    return std::nullopt;
}

std::optional<Spot> spotOf(const std::vector<trace::SliceRef> &refs, auto chosen)
{
    if (refs.empty())
        return std::nullopt;
    const trace::SliceRef ref = *chosen(refs.begin(), refs.end());
    return Spot{ref.lane, ref.slice, -1};
}

/// What a bubble's rank waited for.
std::optional<Spot> awaited(const LaneModel &model, Spot bubble)
{
    const trace::Lane &lane = laneOf(model, bubble.lane);
    const auto ref = awaitedBy(model, lane, lane.bubbles[static_cast<std::size_t>(bubble.bubble)]);
    return ref ? std::optional(Spot{ref->lane, ref->slice, -1}) : std::nullopt;
}

/// What a bubble's rank did at last.
std::optional<Spot> kept(const LaneModel &model, Spot bubble)
{
    std::optional<Spot> next = along(model, bubble, 1);
    while (next && model.at({next->lane, next->slice}).kind != EventKind::Compute)
        next = along(model, *next, 1);
    return next;
}

} // namespace

std::optional<Spot> walked(const LaneModel &model, Spot from, Step step)
{
    const trace::SliceRef ref{from.lane, from.slice};
    const auto endsBefore = [&](trace::SliceRef a, trace::SliceRef b) {
        return model.at(a).time.endNs < model.at(b).time.endNs;
    };
    const auto beginsBefore = [&](trace::SliceRef a, trace::SliceRef b) {
        return model.at(a).time.beginNs < model.at(b).time.beginNs;
    };
    switch (step) {
    case Step::Next:
        return along(model, from, 1);
    case Step::Previous:
        return along(model, from, -1);
    case Step::Up:
        return across(model, from, -1);
    case Step::Down:
        return across(model, from, 1);
    case Step::Cause:
        return from.slice < 0 ? awaited(model, from)
                              : spotOf(model.dependencies().causesOf(model, ref), [&](auto first, auto last) {
                                    return std::max_element(first, last, endsBefore);
                                });
    case Step::Effect:
        return from.slice < 0 ? kept(model, from)
                              : spotOf(model.dependencies().effectsOf(model, ref), [&](auto first, auto last) {
                                    return std::min_element(first, last, beginsBefore);
                                });
    }
    return std::nullopt;
}

std::optional<Spot> firstSpot(const LaneModel &model)
{
    for (int lane = 0; lane < std::ssize(model.lanes()); ++lane) {
        const auto &slices = laneOf(model, lane).slices;
        const auto compute = std::find_if(slices.begin(), slices.end(),
                                          [](const trace::Slice &slice) { return slice.kind == EventKind::Compute; });
        if (compute != slices.end())
            return Spot{lane, static_cast<int>(compute - slices.begin()), -1};
    }
    return std::nullopt;
}

double nextEdge(const LaneModel &model, std::int64_t ns, int direction)
{
    std::int64_t nearest = direction > 0 ? model.run().endNs : model.run().beginNs;
    const auto offer = [&](std::int64_t edge) {
        if (direction > 0 ? edge > ns && edge < nearest : edge < ns && edge > nearest)
            nearest = edge;
    };
    for (const trace::Lane &lane : model.lanes()) {
        const auto after =
            std::upper_bound(lane.slices.begin(), lane.slices.end(), ns,
                             [](std::int64_t time, const trace::Slice &slice) { return time < slice.time.beginNs; });
        // On a lane of one thread the edges at both sides are those of the slices around.
        constexpr std::ptrdiff_t around = 8;
        const auto first = after - std::min(around, after - lane.slices.begin());
        const auto last = after + std::min(around, lane.slices.end() - after);
        for (auto slice = first; slice != last; ++slice) {
            offer(slice->time.beginNs);
            offer(slice->time.endNs);
        }
    }
    return static_cast<double>(nearest);
}

trace::TimeRange timeOf(const LaneModel &model, Spot spot)
{
    const trace::Lane &lane = laneOf(model, spot.lane);
    return spot.slice >= 0 ? lane.slices[static_cast<std::size_t>(spot.slice)].time
                           : lane.bubbles[static_cast<std::size_t>(spot.bubble)].time;
}

} // namespace pipescope::timeline
