#include "timeline/span_statistics.h"

#include <QCoreApplication>
#include <algorithm>
#include <limits>

namespace pipescope::timeline {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("SpanStatistics", text);
}

} // namespace

double SpanStatistics::shareOf(Use use) const
{
    const double all = span.spanNs() * ranks;
    return all > 0 ? totals.nsOf(use) / all : 0;
}

double SpanStatistics::bubbleShare() const
{
    if (span.spanNs() <= 0 || ranks == 0)
        return 0;
    return 1 - shareOf(Use::Forward) - shareOf(Use::Backward) - shareOf(Use::WeightGradient);
}

SpanStatistics spanStatistics(const LaneModel &model, TimeRange span, RankId rank)
{
    SpanStatistics statistics;
    const TimeRange run = model.run();
    statistics.span.beginNs = std::clamp(span.beginNs, run.beginNs, run.endNs);
    statistics.span.endNs = std::clamp(span.endNs, statistics.span.beginNs, run.endNs);
    // An action that lasts no time at the very end of the run would belong to no stretch.
    TimeRange asked = statistics.span;
    if (asked.endNs == run.endNs && asked.spanNs() > 0 && run.endNs < std::numeric_limits<std::int64_t>::max())
        ++asked.endNs;
    for (const Lane &lane : model.lanes()) {
        if (rank.valid() && lane.rank != rank)
            continue;
        ++statistics.ranks;
        statistics.totals.add(lane.totals.in(asked, lane.slices, lane.bubbles, model.trace()));
    }
    return statistics;
}

QString useName(Use use)
{
    switch (use) {
    case Use::Forward:
        return tr("forward");
    case Use::Backward:
        return tr("backward");
    case Use::WeightGradient:
        return tr("weight gradient");
    case Use::Send:
        return tr("send");
    case Use::Receive:
        return tr("receive");
    case Use::Fill:
        return tr("fill");
    case Use::Drain:
        return tr("drain");
    case Use::Input:
        return tr("wait for input");
    case Use::Credit:
        return tr("wait for credit");
    case Use::Device:
        return tr("wait for device");
    case Use::NotRunning:
        return tr("not running");
    case Use::Runtime:
        break;
    }
    return tr("between actions");
}

} // namespace pipescope::timeline
