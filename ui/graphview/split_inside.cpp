#include "graphview/split_inside.h"

#include <algorithm>

namespace pipescope::graphview {

std::vector<SplitInside> splitsInside(const GraphScene &scene, const std::vector<int> &cuts)
{
    std::vector<SplitInside> inside;
    for (std::size_t i = 1; i < scene.tree.boxes.size(); ++i) {
        const Box &box = scene.tree.boxes[i];
        if (box.group >= 0)
            continue;
        const auto first = std::upper_bound(cuts.begin(), cuts.end(), box.begin);
        const auto last = std::lower_bound(first, cuts.end(), box.end);
        std::for_each(first, last, [&](int cut) { inside.push_back({cut, static_cast<int>(i)}); });
    }
    std::sort(inside.begin(), inside.end(), [](const auto &a, const auto &b) { return a.position < b.position; });
    return inside;
}

const SplitInside *insideOf(const std::vector<SplitInside> &splits, int position)
{
    const auto found =
        std::find_if(splits.begin(), splits.end(), [&](const auto &split) { return split.position == position; });
    return found == splits.end() ? nullptr : &*found;
}

std::array<QLineF, 2> notchesOf(const GraphScene &scene, const SplitInside &split)
{
    constexpr double out = 12;
    constexpr double in = 3;
    const Box &box = scene.tree.boxes[static_cast<std::size_t>(split.box)];
    const QRectF &rect = scene.rects[static_cast<std::size_t>(split.box)];
    const double y = rect.top() + rect.height() * (split.position - box.begin) / (box.end - box.begin);
    return {QLineF(rect.left() - out, y, rect.left() + in, y), QLineF(rect.right() - in, y, rect.right() + out, y)};
}

QRectF clearOf(const std::vector<QRectF> &others, const QRectF &pill)
{
    const auto movedClear = [&](auto past) {
        QRectF moved = pill;
        const auto covers = [&](const QRectF &other) { return other.intersects(moved); };
        for (auto other = std::find_if(others.begin(), others.end(), covers); other != others.end();
             other = std::find_if(others.begin(), others.end(), covers))
            past(moved, *other);
        return moved;
    };
    const QRectF below = movedClear([](QRectF &moved, const QRectF &other) { moved.moveTop(other.bottom() + 1); });
    const QRectF above = movedClear([](QRectF &moved, const QRectF &other) { moved.moveBottom(other.top() - 1); });
    return pill.top() - above.top() < below.top() - pill.top() ? above : below;
}

} // namespace pipescope::graphview
