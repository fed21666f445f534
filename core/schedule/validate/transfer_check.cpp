#include "schedule/validate/transfer_check.h"

#include "schedule/action_key.h"
#include "schedule/validate/schedule_fault.h"

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

namespace pipescope::schedule {

namespace {

bool isSend(ActionKind kind)
{
    return kind == ActionKind::SendF || kind == ActionKind::SendB;
}

bool isReceive(ActionKind kind)
{
    return kind == ActionKind::RecvF || kind == ActionKind::RecvB;
}

// The other end of a transfer: the receive of a send, the send of a receive.
Action counterpart(const Action &action)
{
    switch (action.kind) {
    case ActionKind::SendF:
        return {StageId{action.stage.value + 1}, ActionKind::RecvF, action.microbatch, {}};
    case ActionKind::RecvF:
        return {StageId{action.stage.value - 1}, ActionKind::SendF, action.microbatch, {}};
    case ActionKind::SendB:
        return {StageId{action.stage.value - 1}, ActionKind::RecvB, action.microbatch, {}};
    default:
        return {StageId{action.stage.value + 1}, ActionKind::SendB, action.microbatch, {}};
    }
}

struct Message
{
    Action action; // as its own end writes it
    Place place;
};

// What one rank sends another, in each end's order.
struct Channel
{
    std::vector<Message> sent;
    std::vector<Message> received;
};

class TransferCheck
{
public:
    explicit TransferCheck(const Schedule &schedule)
        : m_schedule(schedule)
        , m_rankOf(rankOfStage(schedule))
    {
    }

    Status run()
    {
        if (!hasTransfers())
            return Success{};
        for (std::size_t rank = 0; rank < m_schedule.ranks.size(); ++rank)
            if (Status row = readRow(RankId{static_cast<int>(rank)}); !row)
                return row;
        for (const auto &[ranks, channel] : m_channels)
            if (Status same = compare(channel, ranks); !same)
                return same;
        return Success{};
    }

private:
    [[nodiscard]] bool hasTransfers() const
    {
        for (const Row &row : m_schedule.ranks)
            for (const Cell &cell : row)
                if (cell && (isSend(cell->kind) || isReceive(cell->kind)))
                    return true;
        return false;
    }

    Status readRow(RankId rank)
    {
        const Row &row = m_schedule.ranks[rank.index()];
        m_done.clear();
        for (std::size_t step = 0; step < row.size(); ++step) {
            if (!row[step])
                continue;
            const Place place{rank, static_cast<int>(step)};
            for (const Action &action : partsOf(*row[step])) {
                const std::string problem = isSend(action.kind) || isReceive(action.kind)
                                                ? noteTransfer(action, place)
                                                : missingReceive(action, rank);
                if (!problem.empty())
                    return invalidAt(m_schedule, place, problem);
                m_done.insert(keyOf(action));
            }
        }
        return Success{};
    }

    [[nodiscard]] bool done(ActionKind kind, const Action &action) const
    {
        return m_done.contains(ActionKey{kind, action.stage, action.microbatch});
    }

    std::string noteTransfer(const Action &action, Place place)
    {
        const Action other = counterpart(action);
        if (other.stage.value < 0 || other.stage.value >= m_schedule.stages)
            return fmt::format("{}: there is no stage {} at its other end", toText(action), other.stage.value);
        if (action.kind == ActionKind::SendF && !done(ActionKind::Forward, action))
            return fmt::format("{} without first running Forward", toText(action));
        if (action.kind == ActionKind::SendB && !done(ActionKind::FullBackward, action) &&
            !done(ActionKind::BackwardInput, action))
            return fmt::format("{} without first running the backward", toText(action));
        const int peer = m_rankOf[other.stage.index()].value;
        if (isSend(action.kind))
            m_channels[{place.rank.value, peer}].sent.push_back({action, place});
        else
            m_channels[{peer, place.rank.value}].received.push_back({action, place});
        return {};
    }

    // Why a computation has not got its input, or "". Between stages of one rank nothing is sent.
    [[nodiscard]] std::string missingReceive(const Action &action, RankId rank) const
    {
        int from = -1;
        ActionKind receive = ActionKind::RecvF;
        if (action.kind == ActionKind::Forward)
            from = action.stage.value - 1;
        if (action.kind == ActionKind::FullBackward || action.kind == ActionKind::BackwardInput) {
            from = action.stage.value + 1;
            receive = ActionKind::RecvB;
        }
        const bool isFed = from >= 0 && from < m_schedule.stages && m_rankOf[static_cast<std::size_t>(from)] != rank;
        if (!isFed || done(receive, action))
            return {};
        return fmt::format("Computing action={} before receiving input", toText(action));
    }

    [[nodiscard]] Status compare(const Channel &channel, const std::pair<int, int> &ranks) const
    {
        if (const Message *alone = firstAlone(channel.sent, channel.received))
            return invalidAt(m_schedule, alone->place,
                             fmt::format("Pipeline send {} has no matching receive {}", toText(alone->action),
                                         toText(counterpart(alone->action))));
        if (const Message *alone = firstAlone(channel.received, channel.sent))
            return invalidAt(m_schedule, alone->place,
                             fmt::format("Pipeline receive {} has no matching send {}", toText(alone->action),
                                         toText(counterpart(alone->action))));
        for (std::size_t i = 0; i < channel.sent.size(); ++i) {
            const Message &sent = channel.sent[i];
            const Message &received = channel.received[i];
            if (counterpart(sent.action) != received.action)
                return invalidAt(
                    m_schedule, received.place,
                    fmt::format("message {} from rank {} to rank {} is received as {} but sent as {} (step "
                                "{}): both ranks must name their messages in the same order",
                                i, ranks.first, ranks.second, toText(received.action), toText(sent.action),
                                sent.place.step));
        }
        return Success{};
    }

    // The first of `ones` whose other end is not among `others`.
    static const Message *firstAlone(const std::vector<Message> &ones, const std::vector<Message> &others)
    {
        std::unordered_set<ActionKey> known;
        for (const Message &other : others)
            known.insert(keyOf(other.action));
        const auto found = std::find_if(ones.begin(), ones.end(), [&](const Message &one) {
            return !known.contains(keyOf(counterpart(one.action)));
        });
        return found == ones.end() ? nullptr : &*found;
    }

    const Schedule &m_schedule;
    std::vector<RankId> m_rankOf;
    std::unordered_set<ActionKey> m_done;              // on the rank being read
    std::map<std::pair<int, int>, Channel> m_channels; // by sending and receiving rank
};

} // namespace

Status checkTransfers(const Schedule &schedule)
{
    return TransferCheck(schedule).run();
}

} // namespace pipescope::schedule
