#include "graph/value_classes.h"

#include <numeric>

namespace pipescope::graph {

ValueClasses::ValueClasses(std::size_t values)
    : m_parent(values)
{
    std::iota(m_parent.begin(), m_parent.end(), std::size_t(0));
}

void ValueClasses::join(ValueId a, ValueId b)
{
    m_parent[of(a)] = of(b);
}

std::size_t ValueClasses::of(ValueId value)
{
    std::size_t at = value.index();
    while (m_parent[at] != at)
        at = m_parent[at] = m_parent[m_parent[at]];
    return at;
}

} // namespace pipescope::graph
