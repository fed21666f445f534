// How much memory the results of a method take at once, worked out from what profiling has measured: of values that may
// share memory, the largest counts, from where the first is made to where the last is used. Arguments and what the
// model holds are others' to count. Of what operators take while they compute, a convolution's is known: it works in a
// layout of its own (oneDNN's), on a copy of its data or of its result.
#pragma once

#include "graph/model_graph.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace pipescope::partition {

/// Bytes, of one run on the inputs that were profiled.
class LiveBytes
{
public:
    /// nullopt where the bytes of a result are not known: the model was not profiled.
    [[nodiscard]] static std::optional<LiveBytes> of(const graph::ModelGraph &graph);

    /// The most at once while order[begin, end) run as one stage: what it was given, and what it made and still uses or
    /// hands on.
    [[nodiscard]] std::int64_t peak(int begin, int end) const;
    /// Of the results that are made before a position and used after it: what waits for the stage that begins there.
    [[nodiscard]] std::int64_t across(int position) const;
    /// Of the results that the method returns.
    [[nodiscard]] std::int64_t returned() const;
    /// Of all of them, as autograd keeps them.
    [[nodiscard]] std::int64_t all() const;

private:
    /// Values that may share memory.
    struct Block
    {
        std::int64_t bytes = 0;
        int made = -1;
        std::vector<int> uses; ///< ascending
        bool isReturned = false;
    };
    std::vector<Block> m_blocks;
    std::vector<std::int64_t> m_working; ///< by position: what the node takes while it computes
};

} // namespace pipescope::partition
