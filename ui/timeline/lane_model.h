// A trace explained, and what is seen of each of its lanes. Knows nothing of pixels; is never changed once built, so
// that views and threads may share it.
#pragma once

#include "timeline/length_set.h"
#include "timeline/memory_curve.h"
#include "timeline/slice_pyramid.h"
#include "timeline/spot.h"
#include "trace/explain/explanation.h"

#include <memory>
#include <string>
#include <vector>

namespace pipescope::timeline {

/// What a lane looks like.
struct LaneLook
{
    std::string name;
    std::size_t longestAction = 0; ///< no name of its computes has more letters
    LengthSet lengths;             ///< of its computes
    SlicePyramid work;             ///< computes, and waits until what was waited for had come
    SlicePyramid transfers;        ///< sends and receives
    MemoryCurve memory;
};

class LaneModel : public trace::Explanation
{
public:
    /// Any trace will do: events of ranks it does not have are left out. `trace` must not be null.
    explicit LaneModel(std::shared_ptr<const trace::Trace> trace);

    /// Of the lane of that number.
    [[nodiscard]] const LaneLook &look(int lane) const { return m_looks[static_cast<std::size_t>(lane)]; }

private:
    std::shared_ptr<const trace::Trace> m_kept; // what is explained
    std::vector<LaneLook> m_looks;
};

} // namespace pipescope::timeline
