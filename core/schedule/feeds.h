// Which stages feed which. A chain where nothing else is known; where the transfers of a partition or a trace are, any
// stage may feed any later ones, and a stage may have no producer. Gradients go the same ways back.
#pragma once

#include "base/ids.h"

#include <compare>
#include <cstddef>
#include <span>
#include <vector>

namespace pipescope::schedule {

class Feeds
{
public:
    struct Edge
    {
        StageId from;
        StageId to;

        friend constexpr auto operator<=>(const Edge &, const Edge &) = default;
    };

    /// No stages.
    Feeds() = default;
    /// Edges may come in any order and several times; their ends are two of the stages.
    Feeds(int stages, std::vector<Edge> edges);
    /// Each stage feeds the next.
    [[nodiscard]] static Feeds chain(int stages);

    [[nodiscard]] int stages() const { return m_stages; }
    /// The stages that feed `stage`, ascending; none for a stage that there is not.
    [[nodiscard]] std::span<const StageId> producersOf(StageId stage) const;
    /// The stages that `stage` feeds, likewise.
    [[nodiscard]] std::span<const StageId> consumersOf(StageId stage) const;

    friend bool operator==(const Feeds &, const Feeds &) = default;

private:
    // A list for each stage, one behind the other: a chain of millions stays small.
    struct Lists
    {
        std::vector<std::size_t> ends; // by stage
        std::vector<StageId> stages;

        void add(StageId of, StageId stage);
        [[nodiscard]] std::span<const StageId> of(StageId stage) const;
        friend bool operator==(const Lists &, const Lists &) = default;
    };

    int m_stages = 0;
    Lists m_producers;
    Lists m_consumers;
};

} // namespace pipescope::schedule
