#include "partition/cut_path.h"

#include "base/error.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace pipescope::partition {

namespace {

__extension__ typedef __int128 Wide; // NOLINT(modernize-use-using): __extension__ takes no using

constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

// Bytes first, then module calls: one number, as no path goes through 2^32 of them.
constexpr Wide oneByte = Wide(1) << 32;

// What a way to a point costs.
struct Cost
{
    Wide sent = 0;
    Wide squares = 0;
};

// The points a part may begin at, and which of them is best for a part that ends where the load is `now`. What a
// beginning is sent changes for all points from one on. As `now` only grows, squares are compared like lines,
//     squares(i) + (now - load(i))²,
// of which a later one is never overtaken again by an earlier one: each node of the tree knows until when its best one
// stays so (a kinetic segment tree).
class Beginnings
{
public:
    explicit Beginnings(const std::vector<std::int64_t> &loads)
        : m_loads(loads)
        , m_offsets(loads.size())
    {
        while (m_leaves < loads.size())
            m_leaves *= 2;
        m_tree.resize(2 * m_leaves);
    }

    void advance(std::int64_t now)
    {
        m_now = now;
        renew(1);
    }

    // One that no part begins at yet, though what it would be sent counts from now on.
    void put(int point, const Cost &cost)
    {
        const Wide load = m_loads[static_cast<std::size_t>(point)];
        m_offsets[static_cast<std::size_t>(point)] = cost.squares + load * load;
        std::size_t at = leaf(point);
        Wide above = 0;
        for (std::size_t up = at / 2; up > 0; up /= 2)
            above += m_tree[up].pending;
        m_tree[at].sent = cost.sent - above;
    }

    void admit(int point) { choose(point, point); }
    void take(int point) { choose(point, -1); }

    // All that begin at `first` or later are sent so much more.
    void addFrom(int first, Wide sent)
    {
        std::size_t at = leaf(first);
        add(at, sent);
        for (; at > 1; at /= 2) {
            if (at % 2 == 0)
                add(at + 1, sent);
            pull(at / 2);
        }
    }

    // -1 where there is none.
    [[nodiscard]] int best() const { return m_tree[1].best; }

    // With the best one.
    [[nodiscard]] Cost cost() const
    {
        return {m_tree[1].sent,
                m_offsets[static_cast<std::size_t>(best())] - 2 * slope(best()) * m_now + Wide(m_now) * m_now};
    }

private:
    struct Subtree
    {
        int best = -1;
        std::int64_t until = never; // the first `now` at which another one is best
        Wide sent = 0;              // to the best one, without what is pending above
        Wide pending = 0;           // for everything below
    };

    [[nodiscard]] Wide slope(int point) const { return m_loads[static_cast<std::size_t>(point)]; }
    [[nodiscard]] Wide offset(int point) const { return m_offsets[static_cast<std::size_t>(point)]; }

    void add(std::size_t at, Wide sent)
    {
        m_tree[at].sent += sent;
        m_tree[at].pending += sent;
    }

    [[nodiscard]] std::size_t leaf(int point) const { return m_leaves + static_cast<std::size_t>(point); }

    void choose(int point, int best)
    {
        std::size_t at = leaf(point);
        m_tree[at].best = best;
        for (at /= 2; at > 0; at /= 2)
            pull(at);
    }

    void renew(std::size_t at)
    {
        if (m_tree[at].until > m_now)
            return;
        renew(2 * at);
        renew(2 * at + 1);
        pull(at);
    }

    void pull(std::size_t at)
    {
        const Subtree &left = m_tree[2 * at];
        const Subtree &right = m_tree[2 * at + 1];
        Subtree &here = m_tree[at];
        here.until = std::min(left.until, right.until);
        bool takesLeft = right.best < 0;
        if (left.best >= 0 && right.best >= 0) {
            takesLeft = left.sent < right.sent;
            if (left.sent == right.sent) {
                const std::int64_t overtaken = whenOvertaken(left.best, right.best);
                takesLeft = overtaken > m_now;
                if (takesLeft)
                    here.until = std::min(here.until, overtaken);
            }
        }
        const Subtree &better = takesLeft ? left : right;
        here.best = better.best;
        here.sent = better.sent + here.pending;
    }

    // The first `now` at which the later one is as even as the earlier one.
    [[nodiscard]] std::int64_t whenOvertaken(int earlier, int later) const
    {
        const Wide rise = offset(later) - offset(earlier);
        const Wide run = 2 * (slope(later) - slope(earlier));
        if (rise <= 0)
            return 0;
        if (run == 0)
            return never;
        return static_cast<std::int64_t>(std::min<Wide>((rise + run - 1) / run, never));
    }

    const std::vector<std::int64_t> &m_loads;
    std::vector<Wide> m_offsets; // by point
    std::size_t m_leaves = 1;
    std::vector<Subtree> m_tree; // 1 is the root, the children of n are 2n and 2n + 1
    std::int64_t m_now = 0;
};

// The best ways to each point with one number of parts.
struct Layer
{
    std::vector<Cost> costs;
    std::vector<int> from; // where the last part begins; -1 where the point cannot be reached
};

Layer onePartMore(const Chain &chain, PartLimits limits, const Layer &before)
{
    const std::size_t points = chain.loads.size();
    Layer layer{std::vector<Cost>(points), std::vector<int>(points, -1)};
    Beginnings beginnings(chain.loads);
    std::size_t first = 0; // of those within the limits
    std::size_t past = 0;
    auto receipt = chain.receipts.begin();
    for (std::size_t end = 1; end < points; ++end) {
        const std::int64_t load = chain.loads[end];
        beginnings.advance(load);
        beginnings.put(static_cast<int>(end - 1), before.costs[end - 1]);
        for (; past < end && load - chain.loads[past] >= limits.least; ++past) {
            if (before.from[past] >= 0)
                beginnings.admit(static_cast<int>(past));
        }
        for (; first < past && load - chain.loads[first] > limits.most; ++first)
            beginnings.take(static_cast<int>(first));
        for (; receipt != chain.receipts.end() && receipt->point == static_cast<int>(end); ++receipt)
            beginnings.addFrom(receipt->since, receipt->bytes * oneByte);
        layer.from[end] = beginnings.best();
        if (layer.from[end] < 0)
            continue;
        layer.costs[end] = beginnings.cost();
        layer.costs[end].sent += chain.depths[end];
    }
    return layer;
}

} // namespace

std::vector<int> cheapestPath(const Chain &chain, PartLimits limits, int stages)
{
    const std::size_t points = chain.loads.size();
    std::vector<Layer> layers{{std::vector<Cost>(points), std::vector<int>(points, -1)}};
    layers[0].from[0] = 0;
    for (int parts = 1; parts <= stages; ++parts)
        layers.push_back(onePartMore(chain, limits, layers.back()));
    std::vector<int> path;
    std::size_t point = points - 1;
    for (auto parts = static_cast<std::size_t>(stages); parts > 1; --parts) {
        const int from = layers[parts].from[point];
        PIPESCOPE_ASSERT(from >= 0);
        path.push_back(from);
        point = static_cast<std::size_t>(from);
    }
    std::reverse(path.begin(), path.end());
    return path;
}

} // namespace pipescope::partition
