// What needs what: the actions that an action waits for, given which stages feed which, and those that wait for it.
// Validation, runs, statistics, bubbles and arrows all ask here. When a rank gets to an action, and what transfers
// cost, is theirs to know.
#pragma once

#include "schedule/action_key.h"
#include "schedule/feeds.h"

#include <array>
#include <cstddef>
#include <iterator>
#include <span>
#include <vector>

namespace pipescope::schedule {

/// Some actions of one microbatch: of one stage, then one kind of several other stages, ascending. Not stored but
/// worked out one by one: millions are asked for. Refers to the Feeds they come from.
class Keys
{
public:
    class Iterator
    {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = ActionKey;
        using difference_type = std::ptrdiff_t;
        using pointer = void;
        using reference = ActionKey;

        Iterator(const Keys &keys, std::size_t at)
            : m_keys(&keys)
            , m_at(at)
        {
        }
        ActionKey operator*() const { return (*m_keys)[m_at]; }
        Iterator &operator++()
        {
            ++m_at;
            return *this;
        }
        bool operator==(const Iterator &other) const { return m_at == other.m_at; }

    private:
        const Keys *m_keys;
        std::size_t m_at;
    };

    [[nodiscard]] std::size_t size() const { return m_owns + m_others.size(); }
    [[nodiscard]] bool empty() const { return size() == 0; }
    [[nodiscard]] ActionKey operator[](std::size_t i) const
    {
        return i < m_owns ? ActionKey{m_ownKinds[i], m_stage, m_microbatch}
                          : ActionKey{m_otherKind, m_others[i - m_owns], m_microbatch};
    }
    [[nodiscard]] Iterator begin() const { return {*this, 0}; }
    [[nodiscard]] Iterator end() const { return {*this, size()}; }

private:
    friend Keys needs(const ActionKey &action, const Feeds &feeds);
    friend Keys neededBy(const ActionKey &action, const Feeds &feeds);

    explicit Keys(const ActionKey &of)
        : m_stage(of.stage)
        , m_microbatch(of.microbatch)
    {
    }
    void addOwn(ActionKind kind) { m_ownKinds[m_owns++] = kind; }
    void setOthers(ActionKind kind, std::span<const StageId> stages)
    {
        m_otherKind = kind;
        m_others = stages;
    }

    StageId m_stage;
    MicrobatchId m_microbatch;
    std::array<ActionKind, 2> m_ownKinds{};
    std::size_t m_owns = 0;
    ActionKind m_otherKind = ActionKind::Forward;
    std::span<const StageId> m_others;
};

/// The name by which others wait for `action`: a full backward gives all that an input backward gives and goes by its
/// name, every other action goes by its own.
[[nodiscard]] ActionKey resultOf(const ActionKey &action);

/// The results `action` waits for, all of its microbatch:
///   F                   F of the stages that feed its stage
///   I, B                F of its own stage, and I of the stages that this one feeds (F alone where it feeds none)
///   W                   I of its own stage
///   SEND_F, SEND_B      F, I of its own stage
///   RECV_F, RECV_B      SEND_F of the stages that feed its stage, SEND_B of those that it feeds
///   WAIT_SEND_F, ..._B  its own stage's SEND, and the RECV at the other ends
///   WAIT_REDUCE_GRAD    its own stage's REDUCE_GRAD
/// All else waits for nothing. `action` is no compound.
[[nodiscard]] Keys needs(const ActionKey &action, const Feeds &feeds);
Keys needs(const ActionKey &action, const Feeds &&feeds) = delete; // Keys refer to the Feeds

/// The actions that wait for the result of `action`. A backward among them goes by the name of I; it may be a B.
[[nodiscard]] Keys neededBy(const ActionKey &action, const Feeds &feeds);
Keys neededBy(const ActionKey &action, const Feeds &&feeds) = delete;

/// The kinds of results that any action waits for, each once.
[[nodiscard]] std::span<const ActionKind> awaitedKinds();

/// Also of a compound: it begins when all its parts could, but for what a part gives to one after it.
[[nodiscard]] std::vector<ActionKey> needs(const Action &action, const Feeds &feeds);

} // namespace pipescope::schedule
