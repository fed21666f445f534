// One thing a rank does, in torch.distributed.pipelining's alphabet: 2F0, 1B3, 0I2, 0W2, 3SEND_F1, 1UNSHARD,
// (0F7;7B3)OVERLAP_F_B. Text round-trips; reading is strict where upstream's parser is lax (2F0junk, 2BLAH, 2F are
// refused). docs/notation.md has the whole alphabet.
#pragma once

#include "base/ids.h"
#include "base/result.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::schedule {

/// In upstream's definition order (_ComputationType, 2.15).
enum class ActionKind {
    Forward,
    BackwardInput,
    BackwardWeight,
    Unshard,
    Reshard,
    SendF,
    RecvF,
    SendB,
    RecvB,
    WaitSendF,
    WaitSendB,
    FullBackward,
    OverlapFB,
    ReduceGrad,
    WaitReduceGrad,
};

/// "F", "I", "W", "UNSHARD", ...
[[nodiscard]] std::string_view kindName(ActionKind kind);
/// F, I, W, B and OVERLAP_F_B; all others count as communication.
[[nodiscard]] bool isCompute(ActionKind kind);
/// Whether such an action names a microbatch.
[[nodiscard]] bool hasMicrobatch(ActionKind kind);

struct Action
{
    StageId stage; ///< invalid for a compound
    ActionKind kind = ActionKind::Forward;
    MicrobatchId microbatch;   ///< invalid where the kind has none
    std::vector<Action> parts; ///< of a compound (OverlapFB), at least one, none of them compound

    friend bool operator==(const Action &, const Action &) = default;
};

[[nodiscard]] std::string toText(const Action &action);

/// What it is made of: the parts of a compound, else itself. Refers to `action`.
[[nodiscard]] std::span<const Action> partsOf(const Action &action);

/// Reads one cell; blanks around it and around a compound's parts are fine. Empty text is idle: nullopt. Numbers have
/// at most nine digits and no leading zeros. Error: InvalidArgument 'Invalid action string: {s}, should be formatted as
/// [stage][action type][(microbatch)] e.g. 2F0' followed by what exactly is wrong.
Result<std::optional<Action>> parseAction(std::string_view text);

} // namespace pipescope::schedule
