#include "timeline/action_table_model.h"

#include "timeline/describe.h"
#include "trace/explain/before_compute.h"
#include "widgets/number_text.h"

namespace pipescope::timeline {

namespace {

trace::SliceRef refOf(Spot spot)
{
    return {spot.lane, spot.slice};
}

/// More than any microbatch, and than any kind of pass or cause, so that what stands before it decides.
constexpr double StageStep = 0x1p34;
constexpr double MicrobatchStep = 16;

/// What has the same words stands together: first what waited for nothing known, then what names no action, by cause,
/// then the others by the action.
double waitKey(const trace::Bubble *wait)
{
    if (wait == nullptr)
        return -1;
    const auto cause = static_cast<double>(wait->cause);
    if (!wait->stage.valid())
        return (cause + 1) / MicrobatchStep - 1;
    return wait->stage.value * StageStep + wait->microbatch.value * MicrobatchStep + cause;
}

} // namespace

ActionTableModel::ActionTableModel(QObject *parent)
    : SpotTableModel({{Rank, tr("rank"), Sort::Id},
                      {Action, tr("action"), Sort::Text},
                      {Stage, tr("stage"), Sort::Id},
                      {Microbatch, tr("microbatch"), Sort::Id},
                      {Begin, tr("start"), Sort::Time},
                      {Length, tr("duration"), Sort::Time},
                      {Waited, tr("waited"), Sort::Time},
                      {BytesIn, tr("bytes in"), Sort::Number},
                      {WaitedFor, tr("waited for"), Sort::Text}},
                     parent)
{
}

std::vector<Spot> ActionTableModel::spotsOf(const LaneModel &model) const
{
    return slicesOf(model, [](const trace::Slice &slice) { return slice.kind == trace::EventKind::Compute; });
}

double ActionTableModel::keyOf(Spot spot, int column) const
{
    const trace::Slice &slice = shown().at(refOf(spot));
    switch (column) {
    case Rank:
        return spot.lane;
    case Action:
        return slice.stage.value * StageStep + slice.microbatch.value * MicrobatchStep + static_cast<int>(slice.action);
    case Stage:
        return slice.stage.value;
    case Microbatch:
        return slice.microbatch.value;
    case Begin:
        return static_cast<double>(slice.time.beginNs);
    case Length:
        return slice.time.spanNs();
    case Waited:
        return waitedNs(shown(), refOf(spot));
    case BytesIn:
        return bytesInto(shown(), refOf(spot));
    default:
        break;
    }
    return waitKey(waitNamed(shown(), refOf(spot)));
}

QString ActionTableModel::textOf(Spot spot, int column) const
{
    if (column == Action)
        return nameOf(shown(), spot);
    if (column == WaitedFor)
        return waitedFor(shown(), refOf(spot));
    const double value = keyOf(spot, column);
    if (column == BytesIn)
        return value > 0 ? widgets::bytesText(static_cast<std::int64_t>(std::min(value, 0x1p62))) : QString();
    return value < 0 ? QString() : QString::number(static_cast<qint64>(value));
}

} // namespace pipescope::timeline
