#include "timeline/lane_geometry.h"

#include <algorithm>
#include <cmath>

namespace pipescope::timeline {

namespace {

using trace::EventKind;

constexpr double LabelRoom = 4; // left and right of a label together
constexpr double Reach = 3;     // how far beside a transfer it is still meant

struct Wanted
{
    double fromNs;
    double toNs;
};

/// The last of the slices of `kind` that touches the time, which is the one painted on top.
int sliceTouching(const trace::Lane &lane, EventKind kind, Wanted wanted)
{
    const auto after =
        std::upper_bound(lane.slices.begin(), lane.slices.end(), wanted.toNs, [](double ns, const trace::Slice &slice) {
            return ns < static_cast<double>(slice.time.beginNs);
        });
    for (auto i = after - lane.slices.begin(); i-- > 0;) {
        const auto index = static_cast<std::size_t>(i);
        if (static_cast<double>(lane.latest[index]) < wanted.fromNs)
            return -1;
        const trace::Slice &slice = lane.slices[index];
        if (slice.kind == kind && static_cast<double>(slice.time.endNs) >= wanted.fromNs)
            return static_cast<int>(i);
    }
    return -1;
}

int bubbleTouching(const trace::Lane &lane, double ns)
{
    const auto after =
        std::upper_bound(lane.bubbles.begin(), lane.bubbles.end(), ns, [](double time, const trace::Bubble &bubble) {
            return time < static_cast<double>(bubble.time.beginNs);
        });
    if (after == lane.bubbles.begin() || static_cast<double>((after - 1)->time.endNs) < ns)
        return -1;
    return static_cast<int>(after - lane.bubbles.begin()) - 1;
}

} // namespace

double LaneGeometry::laneHeight() const
{
    const double most = MostLane + (rows - 1) * MostRow + (hasMemory ? MemoryRoom : 0);
    return lanes == 0 ? most : std::clamp(std::floor(viewHeight() / lanes), LeastLane * rows, most);
}

QRectF LaneGeometry::header(int lane) const
{
    return {0, RulerHeight + laneHeight() * lane - scroll, HeaderWidth, laneHeight()};
}

double LaneGeometry::memoryRoom() const
{
    // A strip that leaves the bars no room for their numbers is worse than none.
    constexpr double leastRow = 26;
    const double all = laneHeight() - 2 * margin();
    if (!hasMemory || all < leastRow * rows + MemoryRoom / 2)
        return 0;
    return std::clamp(std::floor(all / 4), MemoryRoom / 2, MemoryRoom);
}

QRectF LaneGeometry::body(int lane, int row) const
{
    const QRectF whole = header(lane);
    const double all = whole.height() - 2 * margin() - memoryRoom();
    constexpr double gap = 2;
    // The first row stands out: what it is compared with is lower.
    const double share = (all - gap * (rows - 1)) / (1 + 0.75 * (rows - 1));
    const double first = rows == 1 ? all : std::floor(share);
    const double other = std::floor(share * 0.75);
    const double top = whole.top() + margin() + (row == 0 ? 0 : first + gap + (other + gap) * (row - 1));
    return {HeaderWidth, top, axisWidth(), row == 0 ? first : other};
}

QRectF LaneGeometry::memory(int lane) const
{
    const double room = memoryRoom();
    if (room <= 0)
        return {};
    constexpr double gap = 4;
    return {HeaderWidth, header(lane).bottom() - margin() - room + gap, axisWidth(), room - gap};
}

QRectF LaneGeometry::strip(int lane, EventKind kind, int row) const
{
    QRectF strip = body(lane, row);
    const double share = std::max(3.0, std::floor(strip.height() / 5));
    if (kind == EventKind::Receive)
        strip.setHeight(share);
    if (kind == EventKind::Send)
        strip.setTop(strip.bottom() - share);
    return strip;
}

int LaneGeometry::firstLane() const
{
    return std::clamp(static_cast<int>(std::floor(scroll / laneHeight())), 0, lanes);
}

int LaneGeometry::endLane() const
{
    return std::clamp(static_cast<int>(std::ceil((scroll + viewHeight()) / laneHeight())), firstLane(), lanes);
}

int LaneGeometry::laneAt(double y) const
{
    const double lane = std::floor((y - RulerHeight + scroll) / laneHeight());
    return y >= RulerHeight && lane >= 0 && lane < lanes ? static_cast<int>(lane) : -1;
}

int LaneGeometry::rowAt(double y) const
{
    const int lane = std::max(0, laneAt(y));
    int row = 0;
    while (row + 1 < rows && y >= body(lane, row + 1).top())
        ++row;
    return row;
}

QRectF rectOf(const LaneGeometry &geometry, const Coordinates &seen, const ShownRuns &runs, Spot spot)
{
    const trace::Lane &lane = *runs.lane(spot.run, spot.lane);
    QRectF rect = geometry.body(spot.lane, spot.run);
    trace::TimeRange time;
    if (spot.slice >= 0) {
        const trace::Slice &slice = lane.slices[static_cast<std::size_t>(spot.slice)];
        rect = geometry.strip(spot.lane, slice.kind, spot.run);
        time = slice.time;
    } else {
        time = lane.bubbles[static_cast<std::size_t>(spot.bubble)].time;
    }
    const double left = seen.toPixel(time.beginNs);
    const double right = std::max(left + LaneGeometry::LeastMark, seen.toPixel(time.endNs));
    rect.setLeft(LaneGeometry::HeaderWidth + left);
    rect.setRight(LaneGeometry::HeaderWidth + right);
    return rect;
}

std::optional<Spot> spotAt(const LaneGeometry &geometry, const Coordinates &seen, const ShownRuns &runs, QPointF point)
{
    const int index = geometry.laneAt(point.y());
    const double pixel = point.x() - LaneGeometry::HeaderWidth;
    if (index < 0 || pixel < 0)
        return std::nullopt;
    const int run = geometry.rowAt(point.y());
    const QRectF memory = geometry.memory(index);
    const trace::Lane *lane = runs.lane(run, index);
    if (lane == nullptr || (!memory.isEmpty() && point.y() >= memory.top()))
        return std::nullopt;
    for (const EventKind kind : {EventKind::Send, EventKind::Receive}) {
        const QRectF strip = geometry.strip(index, kind, run);
        if (point.y() < strip.top() || point.y() > strip.bottom())
            continue;
        const int slice = sliceTouching(*lane, kind, {seen.toTime(pixel - Reach), seen.toTime(pixel + Reach)});
        if (slice >= 0)
            return Spot{index, slice, -1, run};
    }
    const double ns = seen.toTime(pixel);
    if (const int slice = sliceTouching(*lane, EventKind::Compute, {ns, ns}); slice >= 0)
        return Spot{index, slice, -1, run};
    if (const int bubble = bubbleTouching(*lane, ns); bubble >= 0)
        return Spot{index, -1, bubble, run};
    // Where a rank does no more than hand values on, there is nothing else that could be meant.
    for (const EventKind kind : {EventKind::Wait, EventKind::Send, EventKind::Receive})
        if (const int slice = sliceTouching(*lane, kind, {ns, ns}); slice >= 0)
            return Spot{index, slice, -1, run};
    return std::nullopt;
}

double snapped(const trace::Lane &lane, double ns, double reachNs)
{
    double nearest = ns;
    double least = reachNs;
    const auto offer = [&](std::int64_t edge) {
        if (const double away = std::abs(static_cast<double>(edge) - ns); away <= least) {
            least = away;
            nearest = static_cast<double>(edge);
        }
    };
    const auto first = std::lower_bound(
        lane.slices.begin(), lane.slices.end(), ns - reachNs,
        [](const trace::Slice &slice, double time) { return static_cast<double>(slice.time.beginNs) < time; });
    // What began before may end here: on a lane of one thread that is the slice before, or one of a few.
    constexpr std::ptrdiff_t before = 8;
    auto slice = first - std::min(before, first - lane.slices.begin());
    for (; slice != lane.slices.end() && static_cast<double>(slice->time.beginNs) <= ns + reachNs; ++slice) {
        offer(slice->time.beginNs);
        offer(slice->time.endNs);
    }
    return nearest;
}

LabelForm labelFormOf(const trace::Lane &lane, const LaneLook &look, const Coordinates &seen, double letterWidth)
{
    if (look.longestAction == 0)
        return LabelForm::Microbatch;
    const double usual = lane.busyNs / static_cast<double>(lane.computes) * seen.pixelsPerNs();
    // The whole action only where it has air: the lane says the stage already.
    const double letters = static_cast<double>(look.longestAction) * letterWidth;
    if (usual < std::max(2 * letters, letters + LabelRoom))
        return LabelForm::Microbatch;
    constexpr double drawn = 2; // pixels that a bar may lose to whole ones and to the gap behind it
    const double leastNs = (LabelRoom + letterWidth) / seen.pixelsPerNs();
    const double mostNs = (LabelRoom + letters + drawn) / seen.pixelsPerNs();
    return look.lengths.hasBetween(leastNs, mostNs) ? LabelForm::Microbatch : LabelForm::Action;
}

QString labelOf(const LaneModel &model, const trace::Slice &slice, LabelForm form, double width, double letterWidth)
{
    if (slice.kind != EventKind::Compute || width < LabelRoom + letterWidth)
        return {};
    const auto fits = [&](const QString &text) {
        return static_cast<double>(text.size()) * letterWidth + LabelRoom <= width;
    };
    if (form == LabelForm::Action)
        if (const auto action = QString::fromStdString(schedule::toText(keyOf(model.eventOf(slice)))); fits(action))
            return action;
    const QString microbatch = slice.microbatch.valid() ? QString::number(slice.microbatch.value) : QString();
    return fits(microbatch) ? microbatch : QString();
}

} // namespace pipescope::timeline
