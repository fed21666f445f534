#include "timeline/slice_pyramid.h"

#include <algorithm>

namespace pipescope::timeline {

namespace {

std::uint32_t packed(const trace::Slice &slice)
{
    return static_cast<std::uint32_t>(slice.kind) | static_cast<std::uint32_t>(slice.action) << 2 |
           static_cast<std::uint32_t>(slice.stage.value + 1) << 6;
}

Bar barOf(std::uint32_t look)
{
    Bar bar;
    bar.kind = static_cast<trace::EventKind>(look & 3);
    bar.action = static_cast<schedule::ActionKind>(look >> 2 & 15);
    bar.stage = StageId{static_cast<int>(look >> 6) - 1};
    return bar;
}

} // namespace

/// How much each look fills. Of more than a few looks the least are forgotten: only the one that fills most is asked.
class SlicePyramid::Tally
{
public:
    void add(std::uint32_t look, double ns)
    {
        if (m_count > 0 && m_parts[0].look == look) {
            m_parts[0].ns += ns;
            return;
        }
        auto *const end = m_parts.data() + m_count;
        auto *part = std::find_if(m_parts.data(), end, [&](const Part &one) { return one.look == look; });
        if (part == end) {
            if (m_count < m_parts.size())
                ++m_count;
            else
                part = std::min_element(m_parts.data(), end, less);
            *part = {look, 0};
        }
        part->ns += ns;
    }
    struct Part
    {
        std::uint32_t look = 0;
        double ns = 0;
    };
    [[nodiscard]] const Part &most() const
    {
        return m_count == 1 ? m_parts[0] : *std::max_element(m_parts.data(), m_parts.data() + m_count, less);
    }
    [[nodiscard]] bool isEmpty() const { return m_count == 0; }
    void clear() { m_count = 0; }

private:
    static bool less(const Part &a, const Part &b) { return a.ns < b.ns; }

    std::array<Part, 4> m_parts;
    std::size_t m_count = 0;
};

SlicePyramid::SlicePyramid(std::span<const trace::Slice> slices, Track track)
{
    const auto belongs = [&](const trace::Slice &slice) {
        return trackOf(slice.kind) == track && (slice.kind != trace::EventKind::Wait || slice.time.spanNs() > 0);
    };
    m_leaves.reserve(static_cast<std::size_t>(std::count_if(slices.begin(), slices.end(), belongs)));
    for (std::size_t i = 0; i < slices.size(); ++i)
        if (belongs(slices[i]))
            m_leaves.push_back({static_cast<double>(slices[i].time.beginNs), static_cast<double>(slices[i].time.endNs),
                                packed(slices[i]), static_cast<std::uint32_t>(i)});
    if (m_leaves.empty())
        return;
    addLevel(m_leaves.size(), [this](std::size_t i) {
        const Leaf &leaf = m_leaves[i];
        const double ns = leaf.endNs - leaf.beginNs;
        return Node{leaf.beginNs, leaf.endNs, ns, ns, leaf.look};
    });
    while (m_levels.back().size() > 1) {
        // A copy of the vector's place: adding a level may move the levels, though not what they hold.
        const Node *const below = m_levels.back().data();
        addLevel(m_levels.back().size(), [below](std::size_t i) { return below[i]; });
    }
}

void SlicePyramid::addLevel(std::size_t count, const auto &partOf)
{
    std::vector<Node> level;
    level.reserve((count + Branches - 1) / Branches);
    for (std::size_t first = 0; first < count; first += Branches) {
        Node node = partOf(first);
        Tally tally;
        tally.add(node.look, node.lookNs);
        for (std::size_t i = first + 1; i < std::min(first + Branches, count); ++i) {
            const Node part = partOf(i);
            node.endNs = std::max(node.endNs, part.endNs);
            node.filledNs += part.filledNs;
            tally.add(part.look, part.lookNs);
        }
        node.look = tally.most().look;
        node.lookNs = tally.most().ns;
        level.push_back(node);
    }
    m_levels.push_back(std::move(level));
}

class SlicePyramid::Collector
{
public:
    Collector(const SlicePyramid &pyramid, const Coordinates &seen, std::vector<Bar> &bars)
        : m_pyramid(pyramid)
        , m_beginNs(seen.beginNs)
        , m_endNs(seen.endNs())
        , m_scale(seen.pixelsPerNs())
        , m_pixelNs(1 / m_scale)
        , m_bars(bars)
    {
    }

    void descend(std::size_t level, std::size_t first, std::size_t last)
    {
        const std::vector<Node> &nodes = m_pyramid.m_levels[level];
        last = std::min(last, nodes.size());
        for (std::size_t i = first; i < last; ++i) {
            const Node &node = nodes[i];
            if (node.beginNs > m_endNs)
                return;
            if (node.endNs < m_beginNs)
                continue;
            if (node.endNs - node.beginNs < m_pixelNs)
                addGroup(node);
            else if (level == 0)
                addLeaves(i * Branches, (i + 1) * Branches);
            else
                descend(level - 1, i * Branches, (i + 1) * Branches);
        }
    }

    /// All columns under way are done.
    void close()
    {
        while (!here().tally.isEmpty())
            closeColumn();
    }

private:
    void addLeaves(std::size_t first, std::size_t last)
    {
        last = std::min(last, m_pyramid.m_leaves.size());
        for (std::size_t i = first; i < last; ++i) {
            const Leaf &leaf = m_pyramid.m_leaves[i];
            if (leaf.endNs < m_beginNs || leaf.beginNs > m_endNs)
                continue;
            const double ns = leaf.endNs - leaf.beginNs;
            if (ns < m_pixelNs) {
                addGroup({leaf.beginNs, leaf.endNs, ns, ns, leaf.look});
                continue;
            }
            close();
            Bar bar = barOf(leaf.look);
            bar.left = (leaf.beginNs - m_beginNs) * m_scale;
            bar.right = (leaf.endNs - m_beginNs) * m_scale;
            bar.slice = static_cast<int>(leaf.slice);
            m_bars.push_back(bar);
            m_hasRun = false;
        }
    }

    struct Column
    {
        Tally tally;
        double filledNs = 0;

        void add(std::uint32_t look, double lookNs, double ns)
        {
            tally.add(look, lookNs);
            filledNs += ns;
        }
        void clear()
        {
            tally.clear();
            filledNs = 0;
        }
    };

    /// A group, or a slice, on the border of two columns belongs to both: else how full they are would jump from one to
    /// the next, and columns beside a bubble could fill it.
    void addGroup(const Node &node)
    {
        if (node.beginNs >= m_borderNs || here().tally.isEmpty())
            moveTo(node.beginNs);
        if (node.endNs <= m_borderNs) {
            here().add(node.look, node.lookNs, node.filledNs);
            return;
        }
        const double share = (m_borderNs - node.beginNs) / (node.endNs - node.beginNs);
        here().add(node.look, node.lookNs * share, node.filledNs * share);
        next().add(node.look, node.lookNs * (1 - share), node.filledNs * (1 - share));
    }

    /// Rounds down without a call: what is seen in part begins a pixel before at the least.
    [[nodiscard]] int columnOf(double ns) const { return static_cast<int>((ns - m_beginNs) * m_scale + 2) - 2; }

    Column &here() { return m_columns[m_turn]; }
    Column &next() { return m_columns[m_turn ^ 1]; }

    /// To the column of a time; never back to one before, which overlapping slices would lead to.
    void moveTo(double ns)
    {
        const int column = columnOf(ns);
        while (column > m_column && !here().tally.isEmpty())
            closeColumn();
        if (here().tally.isEmpty())
            setColumn(column);
    }

    void setColumn(int column)
    {
        m_column = column;
        m_borderNs = m_beginNs + (column + 1) * m_pixelNs;
    }

    void closeColumn()
    {
        const std::uint32_t look = here().tally.most().look;
        const double exact = here().filledNs * m_scale * 4;
        const int quarters =
            1 + int{exact > 1} + int{exact > 2} + int{exact > 3}; // no branch, which none could foresee
        const int column = m_column;
        here().clear();
        m_turn ^= 1;
        setColumn(column + 1);
        if (m_hasRun && m_runLook == look && m_bars.back().quarters == quarters && m_bars.back().right == column) {
            m_bars.back().right = column + 1;
            return;
        }
        Bar bar = barOf(look);
        bar.left = column;
        bar.right = column + 1;
        bar.quarters = quarters;
        m_bars.push_back(bar);
        m_runLook = look;
        m_hasRun = true;
    }

    const SlicePyramid &m_pyramid;
    const double m_beginNs;
    const double m_endNs;
    const double m_scale;
    const double m_pixelNs;
    std::vector<Bar> &m_bars;
    int m_column = 0;
    double m_borderNs = 0;           // the right one of m_column
    std::array<Column, 2> m_columns; // at m_column and the one right of it, by turns
    std::size_t m_turn = 0;
    std::uint32_t m_runLook = 0;
    bool m_hasRun = false; // whether the last bar is one of narrow slices, of this lane
};

void SlicePyramid::collect(const Coordinates &seen, std::vector<Bar> &bars) const
{
    if (m_levels.empty())
        return;
    Collector collector(*this, seen, bars);
    collector.descend(m_levels.size() - 1, 0, 1);
    collector.close();
}

} // namespace pipescope::timeline
