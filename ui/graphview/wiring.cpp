#include "graphview/wiring.h"

#include <algorithm>

namespace pipescope::graphview {

std::size_t Wiring::EndPairHash::operator()(const EndPair &pair) const noexcept
{
    std::uint64_t hash = static_cast<std::uint64_t>(pair.group);
    for (const WireEnd end : {pair.from, pair.to}) {
        const auto word = static_cast<std::uint64_t>(end.index) * 4 + static_cast<std::uint64_t>(end.kind);
        hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
        hash ^= hash >> 29;
    }
    return static_cast<std::size_t>(hash);
}

Wiring::Wiring(BoxTree &tree)
    : m_tree(tree)
    , m_depth(tree.boxes.size(), 0)
    , m_place(tree.boxes.size(), 0)
{
    for (std::size_t i = 1; i < tree.boxes.size(); ++i)
        m_depth[i] = m_depth[static_cast<std::size_t>(tree.boxes[i].parent)] + 1;
    for (const Group &group : tree.groups) {
        for (std::size_t i = 0; i < group.children.size(); ++i)
            m_place[static_cast<std::size_t>(group.children[i])] = static_cast<int>(i);
    }
}

void Wiring::connect(ValueId value, int from, int to)
{
    if (from == to)
        return;
    // Up from both ends until they stand in one group, or one end is the box around the other.
    int a = from;
    int b = to;
    const auto depth = [this](int box) { return m_depth[static_cast<std::size_t>(box)]; };
    while (depth(a) > depth(b) && parentOf(a) != b)
        a = parentOf(a);
    while (depth(b) > depth(a) && parentOf(b) != a)
        b = parentOf(b);
    if (parentOf(b) == a) { // what a loop hands to its body
        enter(value, to, a);
        return;
    }
    if (parentOf(a) == b) {
        leave(value, from, b);
        return;
    }
    while (parentOf(a) != parentOf(b)) {
        a = parentOf(a);
        b = parentOf(b);
    }
    leave(value, from, parentOf(a));
    enter(value, to, parentOf(b));
    add(parentOf(a), value, childEnd(a), childEnd(b));
}

// Through the boxes around `from`, up to but without `around`; the last child reached is wired by the caller. Where
// `around` holds `from` as an end itself, its own out-port is the end.
void Wiring::leave(ValueId value, int from, int around)
{
    for (int box = from; parentOf(box) != around; box = parentOf(box)) {
        const int group = parentOf(box);
        add(group, value, childEnd(box), {EndKind::OutPort, port(group, value, EndKind::OutPort)});
    }
}

void Wiring::enter(ValueId value, int to, int around)
{
    for (int box = to; parentOf(box) != around; box = parentOf(box)) {
        const int group = parentOf(box);
        add(group, value, {EndKind::InPort, port(group, value, EndKind::InPort)}, childEnd(box));
    }
}

int Wiring::port(int groupBox, ValueId value, EndKind kind)
{
    Group &group = m_tree.groups[static_cast<std::size_t>(m_tree.boxes[static_cast<std::size_t>(groupBox)].group)];
    std::vector<ValueId> &ports = kind == EndKind::InPort ? group.inPorts : group.outPorts;
    const auto key = static_cast<std::uint64_t>(groupBox) << 32U | static_cast<std::uint32_t>(value.value);
    const auto [found, added] =
        (kind == EndKind::InPort ? m_inPorts : m_outPorts).try_emplace(key, static_cast<int>(ports.size()));
    if (added)
        ports.push_back(value);
    return found->second;
}

void Wiring::add(int groupBox, ValueId value, WireEnd from, WireEnd to)
{
    const int index = m_tree.boxes[static_cast<std::size_t>(groupBox)].group;
    Group &group = m_tree.groups[static_cast<std::size_t>(index)];
    const auto [found, added] = m_wires.try_emplace({index, from, to}, group.wires.size());
    if (added)
        group.wires.push_back({from, to, {}});
    std::vector<ValueId> &values = group.wires[found->second].values;
    const auto place = std::lower_bound(values.begin(), values.end(), value);
    if (place == values.end() || *place != value)
        values.insert(place, value);
}

} // namespace pipescope::graphview
