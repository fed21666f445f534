// Ranks that do not meet, in words: calls that differ, and calls that nobody answers.
#pragma once

#include "base/error.h"
#include "comm/line.h"

#include <string>
#include <vector>

namespace pipescope::comm {

/// A rank's call. Calls of one line that agree have the same `group`.
struct Called
{
    RankId rank;
    int number = 0; ///< among the rank's calls, from 1
    std::string call;
    std::size_t group = 0;
};

/// InvalidArgument: the ranks of a line called different things. Names the first rank of the line that called something
/// else than most of them (than the first of them, where no call has a majority), what it called and what the others
/// called; `details` lists all. `called` is in the order of the line and has at least two groups.
[[nodiscard]] Error disagreement(const std::vector<Called> &called);

/// A rank that waits for others of its line.
struct Stuck
{
    RankId rank;
    int number = 0; ///< of the call in which it waits, among the rank's calls, from 1
    std::string call;
    Line line;
    std::vector<RankId> missing; ///< those of the line that have not called; at least one
};

/// A rank that does not wait in a collective.
struct Away
{
    RankId rank;
    int calls = 0;     ///< it made
    bool ended = true; ///< or it waits for something else
};

/// Deadlock: each rank of `stuck` waits for one that waits, too, or is away. Follows who waits for whom from the
/// earliest call: names the rank that waits for one that has ended, or one of a circle, and what it waits for;
/// `details` lists all. `stuck` is not empty; both by rank.
[[nodiscard]] Error stall(const std::vector<Stuck> &stuck, const std::vector<Away> &away);

} // namespace pipescope::comm
