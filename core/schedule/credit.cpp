#include "schedule/credit.h"

namespace pipescope::schedule {

namespace {

bool isEnd(StageId stage, const Feeds &feeds, bool trains)
{
    return (trains ? feeds.producersOf(stage) : feeds.consumersOf(stage)).empty();
}

} // namespace

ActionKey beginOf(MicrobatchId microbatch)
{
    return {ActionKind::Forward, StageId{0}, microbatch};
}

bool beginsMicrobatch(const ActionKey &action)
{
    return action == beginOf(action.microbatch);
}

std::vector<StageId> stagesThatFollow(int stages, const Feeds &feeds)
{
    std::vector<StageId> following;
    for (StageId stage{0}; stage.value < stages; ++stage.value)
        if (followsBegin({ActionKind::Forward, stage, {}}, feeds))
            following.push_back(stage);
    return following;
}

bool followsBegin(const ActionKey &action, const Feeds &feeds)
{
    return action.kind == ActionKind::Forward && !beginsMicrobatch(action) && feeds.producersOf(action.stage).empty();
}

bool endsMicrobatch(const ActionKey &action, const Feeds &feeds, bool trains)
{
    const bool isLast = trains ? action.kind == ActionKind::FullBackward || action.kind == ActionKind::BackwardWeight
                               : action.kind == ActionKind::Forward;
    return isLast && isEnd(action.stage, feeds, trains);
}

int endsOfMicrobatch(int stages, const Feeds &feeds, bool trains)
{
    int ends = 0;
    for (StageId stage{0}; stage.value < stages; ++stage.value)
        ends += isEnd(stage, feeds, trains) ? 1 : 0;
    return ends;
}

} // namespace pipescope::schedule
