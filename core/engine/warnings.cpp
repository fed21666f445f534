#include "engine/warnings.h"

#include <algorithm>

namespace pipescope::engine {

void Warnings::add(const std::string &text)
{
    if (std::find(m_all.begin(), m_all.end(), text) != m_all.end())
        return;
    m_all.push_back(text);
    if (m_context.warn)
        m_context.warn(text);
}

} // namespace pipescope::engine
