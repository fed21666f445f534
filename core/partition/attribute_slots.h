// The attributes that the model assigns, told apart from each other: a module that keeps two counters has two memories.
// Private to partition/.
#pragma once

#include "graph/model_graph.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::partition {

/// An attribute is a slot of its own where its object is used for reading and assigning attributes only. An object that
/// a node takes whole (a call, a list of objects), that is assigned to an attribute itself, or that shares its memory
/// with another value has no slots: whatever touches it may touch all that it holds.
class AttributeSlots
{
public:
    explicit AttributeSlots(const graph::ModelGraph &graph);

    struct Slot
    {
        ValueId object;
        std::string fqn;
    };
    [[nodiscard]] const std::vector<Slot> &all() const { return m_slots; }

    /// Indices in all() of the attributes that a top-level node, or a child of it, reads or assigns of `object`. Empty
    /// for a value that has no slots.
    [[nodiscard]] std::vector<int> of(const graph::Node &node, ValueId object) const;

private:
    void findObjects(const graph::ModelGraph &graph);

    std::vector<bool> m_isApart; // by value: whether it is an object with slots
    std::vector<Slot> m_slots;
    std::map<std::pair<ValueId, std::string>, int> m_indices;
};

} // namespace pipescope::partition
