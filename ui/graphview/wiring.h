// Draws values through the groups of a box tree: out of the open boxes around the producer, along in the group that
// holds both ends, into the open boxes around the consumer. Private to box_tree.
#pragma once

#include "graphview/box_tree.h"

#include <cstdint>
#include <tuple>
#include <unordered_map>

namespace pipescope::graphview {

class Wiring
{
public:
    /// The boxes and the groups' children must be complete; wires and ports are added to it.
    explicit Wiring(BoxTree &tree);

    /// `from` and `to` are indices of boxes. Nothing is added where both are one box.
    void connect(ValueId value, int from, int to);

private:
    struct EndPair
    {
        int group = 0;
        WireEnd from;
        WireEnd to;
        friend bool operator==(const EndPair &, const EndPair &) = default;
    };
    struct EndPairHash
    {
        std::size_t operator()(const EndPair &pair) const noexcept;
    };

    [[nodiscard]] int parentOf(int box) const { return m_tree.boxes[static_cast<std::size_t>(box)].parent; }
    [[nodiscard]] WireEnd childEnd(int box) const { return {EndKind::Child, m_place[static_cast<std::size_t>(box)]}; }
    int port(int groupBox, ValueId value, EndKind kind);
    void add(int groupBox, ValueId value, WireEnd from, WireEnd to);
    void leave(ValueId value, int from, int around);
    void enter(ValueId value, int to, int around);

    BoxTree &m_tree;
    std::vector<int> m_depth; // by box
    std::vector<int> m_place; // by box: position among its parent's children
    std::unordered_map<EndPair, std::size_t, EndPairHash> m_wires;
    std::unordered_map<std::uint64_t, int> m_inPorts;  // by group and value
    std::unordered_map<std::uint64_t, int> m_outPorts; // likewise
};

} // namespace pipescope::graphview
