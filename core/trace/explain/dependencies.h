// Which compute waited for which: an input is followed back through its receive and the send of the same value and
// microbatch to the compute that made it, and a wait for credit to the compute that gave it. Where a trace has no
// transfers at all, stages are taken as a chain.
#pragma once

#include "trace/explain/slice.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pipescope::trace {

struct Lane;
class Explanation;

class Dependencies
{
public:
    Dependencies() = default;
    /// `lanes` as Explanation has them, all slices sorted. Time n log n.
    Dependencies(const Trace &trace, const std::vector<Lane> &lanes);

    /// All slices but waits that a stage has for a microbatch, by begin.
    [[nodiscard]] std::span<const SliceRef> slicesOf(StageId stage, MicrobatchId microbatch) const;

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
    /// Ascending keys of a stage and a microbatch, each with a slice.
    struct Index
    {
        std::vector<std::uint64_t> keys;
        std::vector<SliceRef> refs; // as many, of one key by begin

        [[nodiscard]] std::span<const SliceRef> of(StageId stage, MicrobatchId microbatch) const;
    };
    struct Entry;
    [[nodiscard]] static Index indexOf(std::vector<Entry> entries);

    Index m_slices;  // all but waits
    Index m_credits; // the waits for what this stage and microbatch gave
    bool m_hasTransfers = false;
};

} // namespace pipescope::trace
