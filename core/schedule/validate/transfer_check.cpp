#include "schedule/validate/transfer_check.h"

#include "schedule/needs.h"
#include "schedule/validate/schedule_fault.h"

#include <algorithm>
#include <map>
#include <optional>
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

struct Message
{
    ActionKey action; // as its own end writes it
    ActionKey other;  // as the other end does
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
    TransferCheck(const Schedule &schedule, const Feeds &neighbours)
        : m_schedule(schedule)
        , m_neighbours(neighbours)
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
                                                ? noteTransfer(keyOf(action), place)
                                                : missingReceive(keyOf(action), rank);
                if (!problem.empty())
                    return invalidAt(m_schedule, place, problem);
                m_done.insert(resultOf(keyOf(action)));
            }
        }
        return Success{};
    }

    // The receive of a send, the send of a receive; nullopt at the ends of the pipeline.
    [[nodiscard]] std::optional<ActionKey> otherEnd(const ActionKey &action) const
    {
        const Keys keys = isSend(action.kind) ? neededBy(action, m_neighbours) : needs(action, m_neighbours);
        const auto found =
            std::find_if(keys.begin(), keys.end(), [&](const ActionKey &key) { return key.stage != action.stage; });
        return found == keys.end() ? std::nullopt : std::optional<ActionKey>(*found);
    }

    std::string noteTransfer(const ActionKey &action, Place place)
    {
        const std::optional<ActionKey> other = otherEnd(action);
        if (!other) {
            const bool isForwards = action.kind == ActionKind::SendF || action.kind == ActionKind::RecvB;
            return fmt::format("{}: there is no stage {} at its other end", toText(action),
                               action.stage.value + (isForwards ? 1 : -1));
        }
        for (const ActionKey &need : needs(action, m_neighbours))
            if (need.stage == action.stage && !m_done.contains(need))
                return fmt::format("{} without first running {}", toText(action),
                                   need.kind == ActionKind::Forward ? "Forward" : "the backward");
        const int peer = m_rankOf[other->stage.index()].value;
        if (isSend(action.kind))
            m_channels[{place.rank.value, peer}].sent.push_back({action, *other, place});
        else
            m_channels[{peer, place.rank.value}].received.push_back({action, *other, place});
        return {};
    }

    // Why a computation has not got its input, or "". Between stages of one rank nothing is sent.
    [[nodiscard]] std::string missingReceive(const ActionKey &action, RankId rank) const
    {
        if (!isCompute(action.kind))
            return {};
        for (const ActionKey &need : needs(action, m_neighbours))
            if (need.stage != action.stage && m_rankOf[need.stage.index()] != rank && !isReceived(need, action.stage))
                return fmt::format("Computing action={} before receiving input", toText(action));
        return {};
    }

    // Whether `stage` has received a result of its neighbour: it needs the send that needs the result.
    [[nodiscard]] bool isReceived(const ActionKey &result, StageId stage) const
    {
        for (const ActionKey &send : neededBy(result, m_neighbours))
            for (const ActionKey &receive : neededBy(send, m_neighbours))
                if (isSend(send.kind) && isReceive(receive.kind) && receive.stage == stage)
                    return m_done.contains(receive);
        return false;
    }

    [[nodiscard]] Status compare(const Channel &channel, const std::pair<int, int> &ranks) const
    {
        if (const Message *alone = firstAlone(channel.sent, channel.received))
            return invalidAt(m_schedule, alone->place,
                             fmt::format("Pipeline send {} has no matching receive {}", toText(alone->action),
                                         toText(alone->other)));
        if (const Message *alone = firstAlone(channel.received, channel.sent))
            return invalidAt(m_schedule, alone->place,
                             fmt::format("Pipeline receive {} has no matching send {}", toText(alone->action),
                                         toText(alone->other)));
        for (std::size_t i = 0; i < channel.sent.size(); ++i) {
            const Message &sent = channel.sent[i];
            const Message &received = channel.received[i];
            if (sent.other != received.action)
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
            known.insert(other.action);
        const auto found =
            std::find_if(ones.begin(), ones.end(), [&](const Message &one) { return !known.contains(one.other); });
        return found == ones.end() ? nullptr : &*found;
    }

    const Schedule &m_schedule;
    const Feeds &m_neighbours; // transfers that are spelled out go between them
    std::vector<RankId> m_rankOf;
    std::unordered_set<ActionKey> m_done;              // on the rank being read
    std::map<std::pair<int, int>, Channel> m_channels; // by sending and receiving rank
};

} // namespace

Status checkTransfers(const Schedule &schedule, const Feeds &neighbours)
{
    return TransferCheck(schedule, neighbours).run();
}

} // namespace pipescope::schedule
