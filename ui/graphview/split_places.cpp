#include "graphview/split_places.h"

#include <algorithm>
#include <limits>

namespace pipescope::graphview {

namespace {

constexpr double Infinity = std::numeric_limits<double>::infinity();
constexpr double Beside = 24; // of the boxes next to a gap, still in it

struct Leaf
{
    int begin = 0;
    QRectF rect;
};

} // namespace

std::vector<SplitPlace> splitPlaces(const GraphScene &scene)
{
    const BoxTree &tree = scene.tree;
    const auto positions = static_cast<std::size_t>(tree.boxes.empty() ? 0 : tree.boxes[0].end) + 1;
    std::vector<double> lowest(positions, -Infinity); // of the boxes that end there or before
    std::vector<double> highest(positions, Infinity); // of those that begin there or after
    std::vector<Leaf> leaves;
    for (std::size_t i = 1; i < tree.boxes.size(); ++i) {
        const Box &box = tree.boxes[i];
        const bool insideBlock = tree.boxes[static_cast<std::size_t>(box.parent)].key.kind == BoxKind::Block;
        if (box.begin >= box.end || insideBlock)
            continue;
        double &low = lowest[static_cast<std::size_t>(box.end)];
        double &high = highest[static_cast<std::size_t>(box.begin)];
        low = std::max(low, scene.rects[i].bottom());
        high = std::min(high, scene.rects[i].top());
        if (box.group < 0 || box.key.kind == BoxKind::Block)
            leaves.push_back({box.begin, scene.rects[i]});
    }
    for (std::size_t i = 1; i < positions; ++i) {
        lowest[i] = std::max(lowest[i], lowest[i - 1]);
        highest[positions - 1 - i] = std::min(highest[positions - 1 - i], highest[positions - i]);
    }
    std::vector<SplitPlace> places;
    for (std::size_t i = 1; i < leaves.size(); ++i) {
        const auto at = static_cast<std::size_t>(leaves[i].begin);
        const QRectF beside = leaves[i - 1].rect.united(leaves[i].rect);
        places.push_back({leaves[i].begin, lowest[at], highest[at], beside.left(), beside.right()});
    }
    return places;
}

const SplitPlace *placeOf(const std::vector<SplitPlace> &places, int position)
{
    const auto found = std::lower_bound(places.begin(), places.end(), position,
                                        [](const SplitPlace &place, int at) { return place.position < at; });
    return found != places.end() && found->position == position ? &*found : nullptr;
}

const SplitPlace *gapAt(const std::vector<SplitPlace> &places, QPointF scene)
{
    // `top` never falls along the list: the last place whose gap begins above the point.
    auto found = std::upper_bound(places.begin(), places.end(), scene.y(),
                                  [](double y, const SplitPlace &place) { return y < place.top; });
    while (found != places.begin()) {
        --found;
        if (!found->straight())
            continue;
        const bool inside =
            scene.y() <= found->bottom && scene.x() >= found->left - Beside && scene.x() <= found->right + Beside;
        return inside ? &*found : nullptr;
    }
    return nullptr;
}

const SplitPlace *nearestPlace(const std::vector<SplitPlace> &places, double y, int first, int last)
{
    const SplitPlace *nearest = nullptr;
    for (const SplitPlace &place : places) {
        if (place.position < first || place.position > last)
            continue;
        if (!nearest || std::abs(place.y() - y) < std::abs(nearest->y() - y))
            nearest = &place;
    }
    return nearest;
}

std::pair<int, int> positionsOf(const GraphScene &scene, const SceneEdge &edge)
{
    const std::vector<Box> &boxes = scene.tree.boxes;
    const Box &around = boxes[static_cast<std::size_t>(scene.tree.groups[static_cast<std::size_t>(edge.group)].box)];
    const int first = edge.from < 0 ? around.begin + 1 : boxes[static_cast<std::size_t>(edge.from)].end;
    const int last = edge.to < 0 ? around.end - 1 : boxes[static_cast<std::size_t>(edge.to)].begin;
    return {first, last};
}

QPointF markOf(const GraphScene &scene, const SceneEdge &edge)
{
    const std::span<const QPointF> points = scene.pointsOf(edge);
    const std::size_t to = std::max<std::size_t>(1, points.size() / 2);
    return (points[to - 1] + points[to]) / 2;
}

bool goesOver(const GraphScene &scene, const SceneEdge &edge, int position)
{
    const auto [first, last] = positionsOf(scene, edge);
    return first <= position && position <= last;
}

} // namespace pipescope::graphview
