// Values that are to be taken for one, told of pair by pair (union-find): those that may share memory.
#pragma once

#include "base/ids.h"

#include <cstddef>
#include <vector>

namespace pipescope::graph {

class ValueClasses
{
public:
    /// `values`: how many the graph has. Each is a class of its own.
    explicit ValueClasses(std::size_t values);

    void join(ValueId a, ValueId b);
    /// The index that stands for the value's class, until the next join.
    [[nodiscard]] std::size_t of(ValueId value);

private:
    std::vector<std::size_t> m_parent;
};

} // namespace pipescope::graph
