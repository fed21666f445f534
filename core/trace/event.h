// The events of a run as plain values: one for each thing a rank did or waited for.
#pragma once

#include "base/ids.h"
#include "schedule/action_key.h"
#include "schedule/feeds.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::trace {

enum class EventKind {
    Compute, ///< a stage ran a microbatch
    Send,    ///< a value was handed to another stage
    Wait,    ///< the rank had nothing to do until something arrived; see Event::cause
    Receive, ///< a value was taken over (copied, where devices differ)
};

[[nodiscard]] std::string_view kindName(EventKind kind);

/// The kinds of action that a compute may run; the parts of a compound are computes of their own.
inline constexpr std::array ComputeKinds{schedule::ActionKind::Forward, schedule::ActionKind::FullBackward,
                                         schedule::ActionKind::BackwardInput, schedule::ActionKind::BackwardWeight};

/// Why a rank waited.
enum class WaitCause {
    None,
    Input,  ///< a value from another stage had not arrived
    Credit, ///< too many microbatches were under way
    Device, ///< another rank held the device
};

[[nodiscard]] std::string_view causeName(WaitCause cause);

struct Event
{
    EventKind kind = EventKind::Compute;
    RankId rank;
    StageId stage;
    MicrobatchId microbatch;
    schedule::ActionKind action = schedule::ActionKind::Forward; ///< of a compute, of ComputeKinds; else Forward
    std::int64_t beginNs = 0;                                    ///< since the run's start
    std::int64_t endNs = 0;
    StageId peer;           ///< send: to; receive and wait: from; invalid where it does not apply or is not known
    std::string value;      ///< name of the value sent, received or waited for
    std::int64_t bytes = 0; ///< of the tensors in it
    WaitCause cause = WaitCause::None;
    /// Wait for credit: the computation of `peer` with this microbatch gave it by its end. Else invalid.
    MicrobatchId peerMicrobatch;
    schedule::ActionKind peerAction = schedule::ActionKind::Forward; ///< of that computation; of all else Forward

    friend bool operator==(const Event &, const Event &) = default;
};

/// What a compute ran: its identity in a trace. Its text is schedule::toText's.
[[nodiscard]] schedule::ActionKey keyOf(const Event &compute);

/// The computation whose end gave the credit that it waited for.
[[nodiscard]] schedule::ActionKey giverKeyOf(const Event &creditWait);

/// Whether it waited for a credit and says whose end gave it.
[[nodiscard]] bool isCreditWait(const Event &event);

[[nodiscard]] double secondsBetween(std::int64_t beginNs, std::int64_t endNs);
/// How long it took.
[[nodiscard]] double secondsOf(const Event &event);

/// Bytes of tensors allocated and not freed by a rank at a moment.
struct MemorySample
{
    RankId rank;
    std::int64_t timeNs = 0;
    std::int64_t bytes = 0;

    friend bool operator==(const MemorySample &, const MemorySample &) = default;
};

struct Trace
{
    std::string title; ///< model and schedule
    int ranks = 0;
    int stages = 0;
    int microbatches = 0;
    std::vector<std::string> rankNames; ///< "rank 0 (cpu:0)"
    /// Which stages feed which, each edge to a later stage; nullopt where nobody noted it, as in older files.
    std::optional<std::vector<schedule::Feeds::Edge>> feeds;
    std::vector<Event> events;        ///< by begin time
    std::vector<MemorySample> memory; ///< by time

    friend bool operator==(const Trace &, const Trace &) = default;
};

/// Whether the trace has a rank of this number.
[[nodiscard]] bool hasRank(const Trace &trace, RankId rank);

} // namespace pipescope::trace
