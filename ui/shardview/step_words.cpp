#include "shardview/step_words.h"

#include "shardview/shard_words.h"
#include "shardview/translate.h"
#include "widgets/number_text.h"

#include <limits>

namespace pipescope::shardview {

QString collectiveText(shard::Collective collective)
{
    using shard::Collective;
    switch (collective) {
    case Collective::None:
        return tr("nothing moves");
    case Collective::LocalChunk:
        return tr("local chunk");
    case Collective::LocalPartial:
        return tr("local share");
    case Collective::AllGather:
        return tr("all-gather");
    case Collective::AllReduce:
        return tr("all-reduce");
    case Collective::ReduceScatter:
        return tr("reduce-scatter");
    case Collective::AllToAll:
        return tr("all-to-all");
    case Collective::Broadcast:
        return tr("broadcast");
    case Collective::Scatter:
        return tr("scatter");
    }
    return {};
}

QString stepText(const shard::Step &step)
{
    return tr("%1 over %2").arg(collectiveText(step.collective), meshDimsText(step.before.mesh(), step.meshDims));
}

QString costText(double microseconds)
{
    constexpr double perMicrosecond = 1e-6;
    return microseconds > 0 ? widgets::secondsText(microseconds * perMicrosecond) : tr("no time");
}

std::int64_t givenBytes(const shard::Step &step)
{
    return moves(step.collective) ? step.bytes.in : 0;
}

QString totalText(const shard::Redistribution &plan)
{
    constexpr std::int64_t Most = std::numeric_limits<std::int64_t>::max();
    int collectives = 0;
    std::int64_t bytes = 0;
    for (const shard::Step &step : plan.steps) {
        collectives += moves(step.collective) ? 1 : 0;
        const std::int64_t given = givenBytes(step);
        bytes = given > Most - bytes ? Most : bytes + given;
    }
    if (collectives == 0)
        return tr("no collective");
    const QString count = collectives == 1 ? tr("one collective") : tr("%1 collectives").arg(collectives);
    return tr("%1, a rank gives %2, %3").arg(count, widgets::bytesText(bytes), costText(plan.microseconds));
}

} // namespace pipescope::shardview
