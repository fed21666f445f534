// The runs that are shown together on one time axis, one above the other in the lane of each rank.
#pragma once

#include "session/selection.h"
#include "timeline/lane_model.h"

#include <QString>
#include <memory>
#include <vector>

namespace pipescope::timeline {

struct ShownRun
{
    std::shared_ptr<const LaneModel> model; ///< never null
    QString name;                           ///< "Run 3"
    QString listed = {};                    ///< as the list of runs has it: "Run 3 GPipe ×8"
    session::RunId id = {};                 ///< by which the selection names it
};

class ShownRuns
{
public:
    ShownRuns() = default;
    explicit ShownRuns(std::vector<ShownRun> runs)
        : m_runs(std::move(runs))
    {
    }

    [[nodiscard]] bool isEmpty() const { return m_runs.empty(); }
    [[nodiscard]] int count() const { return static_cast<int>(m_runs.size()); }
    [[nodiscard]] const ShownRun &operator[](int run) const { return m_runs[static_cast<std::size_t>(run)]; }
    [[nodiscard]] const std::vector<ShownRun> &all() const { return m_runs; }

    [[nodiscard]] const LaneModel &model(int run) const { return *(*this)[run].model; }
    [[nodiscard]] const LaneModel &modelOf(Spot spot) const { return model(spot.run); }
    /// Whether this one is the run of that id. An invalid id means any of them.
    [[nodiscard]] bool isMeant(int run, session::RunId id) const;
    /// The row of the run of that id; the first row where there is no such run.
    [[nodiscard]] int rowOf(session::RunId id) const;
    /// Null where the run has fewer ranks.
    [[nodiscard]] const trace::Lane *lane(int run, int lane) const;
    [[nodiscard]] const LaneLook *look(int run, int lane) const;
    /// Of the run that has most ranks.
    [[nodiscard]] int laneCount() const;
    /// First begin to last end of all.
    [[nodiscard]] trace::TimeRange time() const;
    /// The most memory that any rank held.
    [[nodiscard]] std::int64_t peakBytes() const;
    /// That a rank held in any of the runs.
    [[nodiscard]] std::int64_t peakBytes(int lane) const;

private:
    std::vector<ShownRun> m_runs;
};

} // namespace pipescope::timeline
