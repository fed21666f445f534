#include "timeline/shown_runs.h"

#include <algorithm>

namespace pipescope::timeline {

bool ShownRuns::isMeant(int run, session::RunId id) const
{
    return !id.valid() || (*this)[run].id == id;
}

int ShownRuns::rowOf(session::RunId id) const
{
    const auto found = std::find_if(m_runs.begin(), m_runs.end(), [id](const ShownRun &run) { return run.id == id; });
    return found == m_runs.end() ? 0 : static_cast<int>(found - m_runs.begin());
}

const trace::Lane *ShownRuns::lane(int run, int lane) const
{
    const std::vector<trace::Lane> &lanes = model(run).lanes();
    return lane >= 0 && lane < std::ssize(lanes) ? &lanes[static_cast<std::size_t>(lane)] : nullptr;
}

const LaneLook *ShownRuns::look(int run, int lane) const
{
    return this->lane(run, lane) == nullptr ? nullptr : &model(run).look(lane);
}

int ShownRuns::laneCount() const
{
    std::size_t most = 0;
    for (const ShownRun &run : m_runs)
        most = std::max(most, run.model->lanes().size());
    return static_cast<int>(most);
}

trace::TimeRange ShownRuns::time() const
{
    if (m_runs.empty())
        return {};
    trace::TimeRange time = m_runs.front().model->run();
    for (const ShownRun &run : m_runs) {
        time.beginNs = std::min(time.beginNs, run.model->run().beginNs);
        time.endNs = std::max(time.endNs, run.model->run().endNs);
    }
    return time;
}

std::int64_t ShownRuns::peakBytes() const
{
    std::int64_t peak = 0;
    for (int i = 0; i < laneCount(); ++i)
        peak = std::max(peak, peakBytes(i));
    return peak;
}

std::int64_t ShownRuns::peakBytes(int lane) const
{
    std::int64_t peak = 0;
    for (int run = 0; run < count(); ++run)
        if (const LaneLook *shown = look(run, lane))
            peak = std::max(peak, shown->memory.peakBytes());
    return peak;
}

} // namespace pipescope::timeline
