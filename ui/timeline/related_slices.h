// What of the runs shown belongs to something that is selected elsewhere: all actions of a node's stage, the transfers
// over a split. Outlined on the lanes, and where the tables go.
#pragma once

#include "session/related.h"
#include "timeline/lane_painter.h"

#include <array>
#include <memory>
#include <vector>

namespace pipescope::timeline {

/// Slices of one run by lane, and in it by kind (trace::EventKind): indices in Lane::slices, ascending.
using SlicesByLane = std::vector<std::array<std::vector<int>, 4>>;
[[nodiscard]] SlicesByLane slicesOf(const LaneModel &model, const session::Related &related);

class RelatedSlices
{
public:
    /// By run; of runs beyond them nothing is related.
    void set(std::vector<session::Related> byRun);
    [[nodiscard]] const std::vector<session::Related> &byRun() const { return m_byRun; }
    [[nodiscard]] bool isEmpty() const;

    /// Found once for each model of a run.
    [[nodiscard]] const SlicesByLane &of(const ShownRuns &runs, int run) const;
    /// Outlines those that are seen. Several that are too narrow to be told apart get one outline.
    void paint(QPainter &painter, const Scene &scene) const;

private:
    struct Found
    {
        std::shared_ptr<const LaneModel> model;
        SlicesByLane slices;
    };

    std::vector<session::Related> m_byRun;
    mutable std::vector<Found> m_found; // by run
};

} // namespace pipescope::timeline
