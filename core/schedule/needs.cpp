#include "schedule/needs.h"

#include <algorithm>
#include <optional>

namespace pipescope::schedule {

namespace {

enum class Side { Producers, Consumers };

// What one kind waits for: something of its own stage, and something of the stages on one side of it.
struct Rule
{
    ActionKind kind;
    std::optional<ActionKind> own;
    std::optional<ActionKind> others;
    Side side = Side::Producers;
};

constexpr std::array Rules{
    Rule{ActionKind::Forward, {}, ActionKind::Forward, Side::Producers},
    Rule{ActionKind::BackwardInput, ActionKind::Forward, ActionKind::BackwardInput, Side::Consumers},
    Rule{ActionKind::BackwardWeight, ActionKind::BackwardInput, {}},
    Rule{ActionKind::SendF, ActionKind::Forward, {}},
    Rule{ActionKind::RecvF, {}, ActionKind::SendF, Side::Producers},
    Rule{ActionKind::WaitSendF, ActionKind::SendF, ActionKind::RecvF, Side::Consumers},
    Rule{ActionKind::SendB, ActionKind::BackwardInput, {}},
    Rule{ActionKind::RecvB, {}, ActionKind::SendB, Side::Consumers},
    Rule{ActionKind::WaitSendB, ActionKind::SendB, ActionKind::RecvB, Side::Producers},
    Rule{ActionKind::WaitReduceGrad, ActionKind::ReduceGrad, {}},
};

std::span<const StageId> stagesOn(Side side, StageId stage, const Feeds &feeds)
{
    return side == Side::Producers ? feeds.producersOf(stage) : feeds.consumersOf(stage);
}

Side opposite(Side side)
{
    return side == Side::Producers ? Side::Consumers : Side::Producers;
}

} // namespace

ActionKey resultOf(const ActionKey &action)
{
    ActionKey result = action;
    if (result.kind == ActionKind::FullBackward)
        result.kind = ActionKind::BackwardInput;
    return result;
}

Keys needs(const ActionKey &action, const Feeds &feeds)
{
    Keys keys(action);
    const ActionKind kind = resultOf(action).kind;
    const auto rule = std::find_if(Rules.begin(), Rules.end(), [kind](const Rule &one) { return one.kind == kind; });
    if (rule == Rules.end())
        return keys;
    if (rule->own)
        keys.addOwn(*rule->own);
    if (rule->others)
        keys.setOthers(*rule->others, stagesOn(rule->side, action.stage, feeds));
    return keys;
}

Keys neededBy(const ActionKey &action, const Feeds &feeds)
{
    Keys keys(action);
    const ActionKind result = resultOf(action).kind;
    for (const Rule &rule : Rules) {
        if (rule.own == result)
            keys.addOwn(rule.kind);
        if (rule.others == result)
            keys.setOthers(rule.kind, stagesOn(opposite(rule.side), action.stage, feeds));
    }
    return keys;
}

std::span<const ActionKind> awaitedKinds()
{
    static const std::vector<ActionKind> awaited = [] {
        std::vector<ActionKind> kinds;
        for (const Rule &rule : Rules)
            for (const std::optional<ActionKind> &kind : {rule.own, rule.others})
                if (kind && std::find(kinds.begin(), kinds.end(), *kind) == kinds.end())
                    kinds.push_back(*kind);
        return kinds;
    }();
    return awaited;
}

std::vector<ActionKey> needs(const Action &action, const Feeds &feeds)
{
    std::vector<ActionKey> needed;
    std::vector<ActionKey> given;
    for (const Action &part : partsOf(action)) {
        for (const ActionKey &need : needs(keyOf(part), feeds))
            if (std::find(given.begin(), given.end(), need) == given.end())
                needed.push_back(need);
        given.push_back(resultOf(keyOf(part)));
    }
    return needed;
}

} // namespace pipescope::schedule
