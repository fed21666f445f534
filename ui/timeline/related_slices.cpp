#include "timeline/related_slices.h"

#include <QPainter>
#include <algorithm>

namespace pipescope::timeline {

namespace {

using trace::EventKind;

constexpr double Narrow = 6; ///< pixels: an outline around each would hide what is in it

bool isRelated(const session::Related &related, const LaneModel &model, const trace::Slice &slice)
{
    const auto has = [](const auto &sorted, const auto &one) {
        return std::binary_search(sorted.begin(), sorted.end(), one);
    };
    if (slice.kind == EventKind::Compute)
        return has(related.stages, slice.stage);
    if (slice.kind == EventKind::Wait || related.values.empty())
        return false;
    const trace::Event &event = model.eventOf(slice);
    const auto [first, last] = std::minmax(event.stage, event.peer);
    const bool crosses = !related.behind.valid() || (first < related.behind && related.behind <= last);
    return crosses && has(related.values, event.value);
}

/// Paints the outlines of one kind of slices in one row of a lane.
class Outlines
{
public:
    Outlines(QPainter &painter, const Scene &scene, int lane, int run)
        : m_painter(painter)
        , m_scene(scene)
        , m_at{lane, -1, -1, run}
        , m_lane(*scene.runs.lane(run, lane))
    {
    }

    void paint(const std::vector<int> &slices)
    {
        const QRectF bounds = m_scene.geometry.axis().adjusted(-8, -8, 8, 8);
        auto next = fromTime(slices.begin(), slices.end(), m_scene.seen.beginNs);
        // What began before may still be seen.
        while (next != slices.begin() &&
               static_cast<double>(m_lane.latest[static_cast<std::size_t>(next[-1])]) >= m_scene.seen.beginNs)
            --next;
        while (next != slices.end() && beginOf(*next) <= m_scene.seen.endNs()) {
            const QRectF rect = together(next, slices.end()) & bounds;
            if (!rect.isEmpty())
                m_painter.drawRoundedRect(rect.adjusted(-1, -1, 0, 1), 2, 2);
        }
    }

private:
    using Iterator = std::vector<int>::const_iterator;

    [[nodiscard]] double beginOf(int slice) const
    {
        return static_cast<double>(m_lane.slices[static_cast<std::size_t>(slice)].time.beginNs);
    }
    [[nodiscard]] Iterator fromTime(Iterator begin, Iterator end, double ns) const
    {
        return std::lower_bound(begin, end, ns, [this](int slice, double at) { return beginOf(slice) < at; });
    }
    [[nodiscard]] QRectF rect(int slice)
    {
        m_at.slice = slice;
        return rectOf(m_scene.geometry, m_scene.seen, m_scene.runs, m_at);
    }
    /// Of `next` and of what follows it closely while all of them are narrow; goes on behind them.
    QRectF together(Iterator &next, Iterator end)
    {
        QRectF all = rect(*next++);
        bool isNarrow = all.width() < Narrow;
        while (isNarrow && next != end) {
            const double reach = m_scene.seen.toTime(all.right() + 2 - m_scene.geometry.axis().left());
            if (beginOf(*next) > reach)
                break;
            // However many there are, only the last of those that begin here matters.
            const Iterator last = std::max(next, fromTime(next, end, reach) - 1);
            const QRectF other = rect(*last);
            isNarrow = other.width() < Narrow;
            if (!isNarrow)
                break;
            all |= other;
            next = last + 1;
        }
        return all;
    }

    QPainter &m_painter;
    const Scene &m_scene;
    Spot m_at;
    const trace::Lane &m_lane;
};

} // namespace

SlicesByLane slicesOf(const LaneModel &model, const session::Related &related)
{
    SlicesByLane found(model.lanes().size());
    if (related.isEmpty())
        return found;
    for (std::size_t lane = 0; lane < found.size(); ++lane) {
        const std::vector<trace::Slice> &slices = model.lanes()[lane].slices;
        for (std::size_t i = 0; i < slices.size(); ++i)
            if (isRelated(related, model, slices[i]))
                found[lane][static_cast<std::size_t>(slices[i].kind)].push_back(static_cast<int>(i));
    }
    return found;
}

void RelatedSlices::set(std::vector<session::Related> byRun)
{
    if (byRun == m_byRun)
        return;
    m_byRun = std::move(byRun);
    m_found.clear();
}

bool RelatedSlices::isEmpty() const
{
    return std::all_of(m_byRun.begin(), m_byRun.end(), [](const session::Related &one) { return one.isEmpty(); });
}

const SlicesByLane &RelatedSlices::of(const ShownRuns &runs, int run) const
{
    const auto at = static_cast<std::size_t>(run);
    if (m_found.size() <= at)
        m_found.resize(at + 1);
    Found &found = m_found[at];
    if (found.model != runs[run].model) {
        found.model = runs[run].model;
        found.slices = slicesOf(*found.model, at < m_byRun.size() ? m_byRun[at] : session::Related());
    }
    return found.slices;
}

void RelatedSlices::paint(QPainter &painter, const Scene &scene) const
{
    if (isEmpty())
        return;
    painter.save();
    painter.setClipRect(scene.geometry.axis().adjusted(-2, 0, 0, 0));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(scene.theme.colour(style::Token::Accent), 2));
    painter.setBrush(Qt::NoBrush);
    for (int run = 0; run < scene.runs.count(); ++run) {
        const SlicesByLane &slices = of(scene.runs, run);
        const int end = std::min(scene.geometry.endLane(), static_cast<int>(slices.size()));
        for (int lane = scene.geometry.firstLane(); lane < end; ++lane)
            for (const std::vector<int> &ofKind : slices[static_cast<std::size_t>(lane)])
                Outlines(painter, scene, lane, run).paint(ofKind);
    }
    painter.restore();
}

} // namespace pipescope::timeline
