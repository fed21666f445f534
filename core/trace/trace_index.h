// Where the events of a trace are: by rank, by stage and microbatch, by action, by what is sent. Made once for a trace
// and asked by all who look for events in it; knows nothing of what the answers are for.
#pragma once

#include "trace/event.h"

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pipescope::trace {

class TraceIndex
{
public:
    /// Indices in Trace::events, by begin; those of one begin as the trace has them.
    using Events = std::span<const std::uint32_t>;

    /// A value that one stage hands to another for a microbatch.
    struct Message
    {
        std::string_view value;
        MicrobatchId microbatch;
        StageId from;
        StageId to;
    };

    TraceIndex() = default;
    /// Any trace will do; it is referred to, must outlive this and stay as it is. Time n log n, and less where the
    /// events are by begin already.
    explicit TraceIndex(const Trace &trace);

    [[nodiscard]] Events byTime() const { return m_byTime; }
    /// feedsOf the trace, and hasTransfers.
    [[nodiscard]] const schedule::Feeds &feeds() const { return m_feeds; }
    [[nodiscard]] bool hasTransfers() const { return m_hasTransfers; }

    /// How many events byTime() has before this one.
    [[nodiscard]] std::uint32_t placeInTime(std::uint32_t event) const { return m_places[event].inTime; }
    /// None of a rank that the trace does not have.
    [[nodiscard]] Events ofRank(RankId rank) const;

    // All that follows leaves out events of ranks that the trace does not have.

    /// All that a stage did and waited for with a microbatch.
    [[nodiscard]] Events of(StageId stage, MicrobatchId microbatch) const;
    /// The events of its stage and microbatch after the previous compute and before this one: its own waits and
    /// receives, and the sends of the previous one.
    [[nodiscard]] Events before(std::uint32_t compute) const;
    /// The events of its stage and microbatch after this compute and before the next one, or to the end: its own sends,
    /// and the waits and receives of the next one.
    [[nodiscard]] Events after(std::uint32_t compute) const;
    /// The compute that an event belongs to: itself, the one that made what is sent, the one that waited or received.
    [[nodiscard]] std::optional<std::uint32_t> computeFor(std::uint32_t event) const;

    /// All runs of an action.
    [[nodiscard]] Events computesOf(const schedule::ActionKey &action) const { return m_computes.of(action); }
    /// The first of them.
    [[nodiscard]] std::optional<std::uint32_t> computeOf(const schedule::ActionKey &action) const;

    [[nodiscard]] Events sendsOf(const Message &message) const;
    [[nodiscard]] Events receivesOf(const Message &message) const;

    /// The waits for the credit that an action gave by its end.
    [[nodiscard]] Events creditWaitsFor(const schedule::ActionKey &giver) const { return m_credits.of(giver); }
    /// The compute whose end gave the credit that a wait was for: of the action it names, the last that had begun when
    /// the wait ended. Nullopt where there is none, and for all that is no wait for a known credit.
    [[nodiscard]] std::optional<std::uint32_t> giverOf(std::uint32_t wait) const;

private:
    /// Events by ascending keys.
    template <class Key>
    class Groups
    {
    public:
        using Entry = std::pair<Key, std::uint32_t>; // and the place in time

        Groups() = default;
        Groups(std::vector<Entry> entries, Events byTime)
        {
            if (!std::is_sorted(entries.begin(), entries.end()))
                std::sort(entries.begin(), entries.end());
            m_keys.reserve(entries.size());
            m_events.reserve(entries.size());
            for (const auto &[key, place] : entries) {
                m_keys.push_back(key);
                m_events.push_back(byTime[place]);
            }
        }

        [[nodiscard]] Events of(const Key &key) const
        {
            const auto [first, last] = std::equal_range(m_keys.begin(), m_keys.end(), key);
            return Events(m_events).subspan(static_cast<std::size_t>(first - m_keys.begin()),
                                            static_cast<std::size_t>(last - first));
        }
        [[nodiscard]] Events all() const { return m_events; }

    private:
        std::vector<Key> m_keys;
        std::vector<std::uint32_t> m_events;
    };

    using PlaceKey = std::pair<StageId, MicrobatchId>;
    struct MessageKey
    {
        std::uint32_t value = 0; ///< number of its name
        MicrobatchId microbatch;
        StageId from;
        StageId to;

        friend auto operator<=>(const MessageKey &, const MessageKey &) = default;
    };
    static constexpr std::uint32_t NoEvent = ~std::uint32_t{0};
    struct Place
    {
        std::uint32_t inTime = 0;
        std::uint32_t inGroup = NoEvent; ///< in m_groups, counted over all of them
        std::uint32_t compute = NoEvent;
    };

    void sortByTime();
    void sortByRank();
    void group();
    void assignComputes();
    [[nodiscard]] bool isSamePlace(std::uint32_t event, std::uint32_t other) const;
    [[nodiscard]] bool endsWalk(std::uint32_t event, std::uint32_t from) const;
    [[nodiscard]] Events eventsOf(const Message &message, const Groups<MessageKey> &messages) const;

    const Trace *m_trace = nullptr; ///< not owned
    schedule::Feeds m_feeds;
    bool m_hasTransfers = false;
    std::vector<std::uint32_t> m_byTime;
    std::vector<std::uint32_t> m_byRank;
    std::vector<std::uint32_t> m_rankBegins; ///< in m_byRank, by rank, and the end of the last
    std::vector<Place> m_places;             ///< by event
    std::unordered_map<std::string_view, std::uint32_t> m_values;
    Groups<PlaceKey> m_groups;
    Groups<schedule::ActionKey> m_computes;
    Groups<MessageKey> m_sends;
    Groups<MessageKey> m_receives;
    Groups<schedule::ActionKey> m_credits; ///< by who gave them
};

} // namespace pipescope::trace
