// Which compute waited for which: an input is followed back through its receive and the send of the same value and
// microbatch to the compute that made it, and a wait for credit to the compute that gave it. Where a trace has no
// transfers at all, an input is what the stages that feed this one computed.
#pragma once

#include "schedule/feeds.h"
#include "trace/explain/slice.h"

#include <optional>
#include <vector>

namespace pipescope::trace {

struct Lane;
class Explanation;
class TraceIndex;

class Dependencies
{
public:
    Dependencies() = default;
    explicit Dependencies(const TraceIndex &index);

    /// The computes whose results `compute` needs, each once. Empty for what is no compute.
    [[nodiscard]] std::vector<SliceRef> producersOf(const Explanation &explained, SliceRef compute) const;
    /// The computes that need the results of `compute`, each once.
    [[nodiscard]] std::vector<SliceRef> consumersOf(const Explanation &explained, SliceRef compute) const;

    /// The compute whose end gave the credit that `compute` waited for; nullopt where it waited for none, and where its
    /// trace does not say.
    [[nodiscard]] std::optional<SliceRef> giverOf(const Explanation &explained, SliceRef compute) const;
    /// Those that waited for the credit `compute` gave, each once.
    [[nodiscard]] std::vector<SliceRef> takersOf(const Explanation &explained, SliceRef compute) const;

    /// All that `compute` could not begin before: producers and giver.
    [[nodiscard]] std::vector<SliceRef> causesOf(const Explanation &explained, SliceRef compute) const;
    /// All that could not begin before `compute` had ended: consumers and takers.
    [[nodiscard]] std::vector<SliceRef> effectsOf(const Explanation &explained, SliceRef compute) const;

private:
    schedule::Feeds m_feeds;
    bool m_hasTransfers = false;
};

} // namespace pipescope::trace
