// Where lanes and slices stand in the widget, as plain numbers in device independent pixels. Neither paints nor knows
// of events.
#pragma once

#include "timeline/coordinates.h"
#include "timeline/shown_runs.h"

#include <QRectF>
#include <QString>
#include <optional>

namespace pipescope::timeline {

/// Ruler above, headers at the left, one lane per rank. A lane has a row for each run that is shown, and a strip for
/// memory below them where there is room. All lanes share the height there is, within limits; where the least is too
/// much, they scroll.
struct LaneGeometry
{
    static constexpr double HeaderWidth = 144;
    static constexpr double RulerHeight = 28;
    static constexpr double LeastLane = 13;
    static constexpr double MostLane = 120; ///< of one row; each further one adds MostRow
    static constexpr double MostRow = 48;
    static constexpr double MemoryRoom = 22; ///< of a lane that is high enough
    static constexpr double LeastMark = 2;   ///< width of what is too short to be seen

    double width = 0;
    double height = 0;
    int lanes = 0;
    double scroll = 0; ///< how far the lanes are moved up
    int rows = 1;      ///< of each lane, at least one
    bool hasMemory = false;

    [[nodiscard]] double laneHeight() const;
    /// Of all lanes.
    [[nodiscard]] double contentHeight() const { return laneHeight() * lanes; }
    /// Of the part that lanes are seen in.
    [[nodiscard]] double viewHeight() const { return std::max(0.0, height - RulerHeight); }
    [[nodiscard]] double axisWidth() const { return std::max(1.0, width - HeaderWidth); }

    /// Where slices may be painted.
    [[nodiscard]] QRectF axis() const { return {HeaderWidth, RulerHeight, axisWidth(), viewHeight()}; }
    [[nodiscard]] QRectF header(int lane) const;
    /// Where the bars of a lane's row stand.
    [[nodiscard]] QRectF body(int lane, int row = 0) const;
    /// Receives stand along the upper edge of the body and sends along the lower one, all else is as high as it.
    [[nodiscard]] QRectF strip(int lane, trace::EventKind kind, int row = 0) const;
    /// Where a lane's memory stands; empty where it has none or no room.
    [[nodiscard]] QRectF memory(int lane) const;

    /// From..to of the lanes that are seen at least in part; to is not one of them.
    [[nodiscard]] int firstLane() const;
    [[nodiscard]] int endLane() const;
    /// At a height in the widget; -1 for none.
    [[nodiscard]] int laneAt(double y) const;
    /// Of the lane there; between two rows the upper one.
    [[nodiscard]] int rowAt(double y) const;

    friend bool operator==(const LaneGeometry &, const LaneGeometry &) = default;

private:
    [[nodiscard]] double margin() const { return laneHeight() < 24 * rows ? 1 : 6; }
    [[nodiscard]] double memoryRoom() const;
};

/// `seen` is as wide as the axis. At least LeastMark wide.
[[nodiscard]] QRectF rectOf(const LaneGeometry &geometry, const Coordinates &seen, const ShownRuns &runs, Spot spot);

/// What is at a point: a transfer in its strip, else a compute, else a bubble, else a wait, else a transfer at that
/// time, for where it is all that the rank does. In their strip transfers are found a little beside them too: they are
/// narrow.
[[nodiscard]] std::optional<Spot> spotAt(const LaneGeometry &geometry, const Coordinates &seen, const ShownRuns &runs,
                                         QPointF point);

/// The begin or end of a slice of the lane that is nearest to a time, if it is no further than `reachNs` from it;
/// else the time itself.
[[nodiscard]] double snapped(const trace::Lane &lane, double ns, double reachNs);

/// What the bars of a lane say.
enum class LabelForm { Microbatch, Action };

/// One for all of a lane, whatever part of it is seen: the action where bars of usual length have air for it and no bar
/// has room for its microbatch only.
[[nodiscard]] LabelForm labelFormOf(const trace::Lane &lane, const LaneLook &look, const Coordinates &seen,
                                    double letterWidth);

/// What a bar of which so much is seen can say in letters so wide: "2F3" or the microbatch, as the form is; the
/// microbatch where the action does not fit, as at the edge of the view; or nothing.
[[nodiscard]] QString labelOf(const LaneModel &model, const trace::Slice &slice, LabelForm form, double width,
                              double letterWidth);

} // namespace pipescope::timeline
