#include "schedule/action.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace pipescope::schedule {

namespace {

struct KindText
{
    ActionKind kind;
    std::string_view text;
};

// In the order in which they are tried: WAIT_SEND_F before W.
constexpr std::array Kinds{
    KindText{ActionKind::WaitReduceGrad, "WAIT_REDUCE_GRAD"},
    KindText{ActionKind::WaitSendF, "WAIT_SEND_F"},
    KindText{ActionKind::WaitSendB, "WAIT_SEND_B"},
    KindText{ActionKind::ReduceGrad, "REDUCE_GRAD"},
    KindText{ActionKind::Unshard, "UNSHARD"},
    KindText{ActionKind::Reshard, "RESHARD"},
    KindText{ActionKind::SendF, "SEND_F"},
    KindText{ActionKind::RecvF, "RECV_F"},
    KindText{ActionKind::SendB, "SEND_B"},
    KindText{ActionKind::RecvB, "RECV_B"},
    KindText{ActionKind::OverlapFB, "OVERLAP_F_B"},
    KindText{ActionKind::Forward, "F"},
    KindText{ActionKind::BackwardInput, "I"},
    KindText{ActionKind::FullBackward, "B"},
    KindText{ActionKind::BackwardWeight, "W"},
};

constexpr std::size_t MostDigits = 9;
constexpr std::size_t MostParts = 64;
constexpr std::size_t ShownBytes = 80;

// Text of a file as it may stand in a message: short, and with nothing in it that a terminal or JSON would take amiss.
std::string shown(std::string_view text)
{
    std::string result;
    for (const char c : text.substr(0, ShownBytes)) {
        if (c >= ' ' && c <= '~')
            result += c;
        else
            result += fmt::format("\\x{:02X}", static_cast<unsigned char>(c));
    }
    return text.size() > ShownBytes ? result + "..." : result;
}

// The reason alone; parseAction puts the sentence around it.
Error because(std::string reason)
{
    return {ErrorCode::InvalidArgument, std::move(reason), {}, {}};
}

// Takes the digits off the front of `text`; `what` names the number in errors.
Result<int> takeNumber(std::string_view &text, std::string_view what)
{
    const auto end = std::find_if(text.begin(), text.end(), [](char c) { return c < '0' || c > '9'; });
    const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    if (digits.empty())
        return because(fmt::format("the {} number is missing", what));
    if (digits.size() > MostDigits)
        return because(fmt::format("the {} number has more than {} digits", what, MostDigits));
    if (digits.size() > 1 && digits.front() == '0')
        return because(fmt::format("the {} number {} has a leading zero", what, digits));
    int number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    text.remove_prefix(digits.size());
    return number;
}

Result<Action> parseSimple(std::string_view text)
{
    Action action;
    const auto stage = takeNumber(text, "stage");
    if (!stage)
        return stage.error();
    action.stage = StageId{*stage};
    const auto found =
        std::find_if(Kinds.begin(), Kinds.end(), [text](const KindText &kind) { return text.starts_with(kind.text); });
    if (found == Kinds.end())
        return because(text.empty() ? "the action type is missing"
                                    : fmt::format("'{}' begins with no action type", shown(text)));
    if (found->kind == ActionKind::OverlapFB)
        return because("OVERLAP_F_B is written as a compound, (0F1;1B0)OVERLAP_F_B");
    action.kind = found->kind;
    text.remove_prefix(found->text.size());
    if (hasMicrobatch(action.kind)) {
        const auto microbatch = takeNumber(text, "microbatch");
        if (!microbatch)
            return because(fmt::format("after {}, {}", found->text, microbatch.error().message));
        action.microbatch = MicrobatchId{*microbatch};
    }
    if (!text.empty())
        return because(fmt::format("'{}' is left over", shown(text)));
    return action;
}

Result<Action> parseCompound(std::string_view text)
{
    const std::size_t close = text.find(')');
    if (close == std::string_view::npos)
        return because("the bracket is not closed");
    if (text.find('(', 1) != std::string_view::npos)
        return because("compounds do not nest");
    if (text.substr(close + 1) != kindName(ActionKind::OverlapFB))
        return because(fmt::format("OVERLAP_F_B must follow the bracket, not '{}'", shown(text.substr(close + 1))));
    const std::string_view inside = text.substr(1, close - 1);
    if (static_cast<std::size_t>(std::count(inside.begin(), inside.end(), ';')) >= MostParts)
        return because(fmt::format("a compound has at most {} parts", MostParts));
    Action compound;
    compound.kind = ActionKind::OverlapFB;
    for (const std::string &part : splitText(inside, ';')) {
        auto action = parseSimple(trimmed(part));
        if (!action)
            return because(fmt::format("in part '{}', {}", shown(trimmed(part)), action.error().message));
        compound.parts.push_back(*std::move(action));
    }
    return compound;
}

} // namespace

std::string_view kindName(ActionKind kind)
{
    const auto found =
        std::find_if(Kinds.begin(), Kinds.end(), [kind](const KindText &row) { return row.kind == kind; });
    return found == Kinds.end() ? std::string_view() : found->text;
}

bool isCompute(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Forward:
    case ActionKind::BackwardInput:
    case ActionKind::BackwardWeight:
    case ActionKind::FullBackward:
    case ActionKind::OverlapFB:
        return true;
    default:
        return false;
    }
}

bool hasMicrobatch(ActionKind kind)
{
    switch (kind) {
    case ActionKind::Unshard:
    case ActionKind::Reshard:
    case ActionKind::ReduceGrad:
    case ActionKind::WaitReduceGrad:
    case ActionKind::OverlapFB:
        return false;
    default:
        return true;
    }
}

std::string toText(const Action &action)
{
    if (action.kind == ActionKind::OverlapFB) {
        std::string text = "(";
        for (const Action &part : action.parts)
            text += (text.size() > 1 ? ";" : "") + toText(part);
        return text + ")OVERLAP_F_B";
    }
    const std::string text = fmt::format("{}{}", action.stage.value, kindName(action.kind));
    return hasMicrobatch(action.kind) ? text + std::to_string(action.microbatch.value) : text;
}

std::span<const Action> partsOf(const Action &action)
{
    return action.kind == ActionKind::OverlapFB ? std::span(action.parts) : std::span(&action, 1);
}

Result<std::optional<Action>> parseAction(std::string_view text)
{
    const std::string_view cell = trimmed(text);
    if (cell.empty())
        return std::optional<Action>{};
    auto action = cell.front() == '(' ? parseCompound(cell) : parseSimple(cell);
    if (action)
        return std::optional<Action>(*std::move(action));
    return Error{
        ErrorCode::InvalidArgument,
        fmt::format("Invalid action string: {}, should be formatted as [stage][action type][(microbatch)] e.g. "
                    "2F0: {}",
                    shown(cell), action.error().message),
        {},
        {}};
}

} // namespace pipescope::schedule
