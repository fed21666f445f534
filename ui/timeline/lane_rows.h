// All rows of lanes that are seen, found on as many cores as there are: one after another, those of a long run would
// take most of a frame. Kept from frame to frame, to save memory requests.
#pragma once

#include "timeline/lane_row.h"

#include <QThreadPool>
#include <span>
#include <vector>

namespace pipescope::timeline {

class LaneRows
{
public:
    LaneRows();

    /// In place of what was found before. `scene` outlives the use of what is found.
    void collect(const Scene &scene);

    /// Lane by lane, and of each the runs from top to bottom.
    [[nodiscard]] std::span<const LaneRow> rows() const { return m_rows; }

private:
    QThreadPool m_pool; // of a thread for each core but the one that asks
    std::vector<LaneRow> m_rows;
};

} // namespace pipescope::timeline
