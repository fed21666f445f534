#include "timeline/lanes_cache.h"

#include <algorithm>
#include <cmath>

namespace pipescope::timeline {

const QPixmap &LanesCache::lanes(const Key &key, const std::function<void(QPixmap &)> &paint)
{
    const auto found =
        std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry &entry) { return entry.key == key; });
    if (found != m_entries.end()) {
        std::rotate(found, found + 1, m_entries.end());
        return m_entries.back().lanes;
    }
    Entry entry{key, {}};
    const QSize size(static_cast<int>(std::lround(key.geometry.width * key.devicePixelRatio)),
                     static_cast<int>(std::lround(key.geometry.height * key.devicePixelRatio)));
    // The oldest one's memory is used again where it fits.
    if (m_entries.size() == Most) {
        if (m_entries.front().lanes.size() == size)
            entry.lanes = std::move(m_entries.front().lanes);
        m_entries.erase(m_entries.begin());
    }
    if (entry.lanes.size() != size)
        entry.lanes = QPixmap(size);
    entry.lanes.setDevicePixelRatio(key.devicePixelRatio);
    paint(entry.lanes);
    m_entries.push_back(std::move(entry));
    return m_entries.back().lanes;
}

} // namespace pipescope::timeline
