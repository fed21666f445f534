// The ranks that meet in one collective, in the order in which it joins and adds what they bring.
#pragma once

#include "base/ids.h"
#include "base/result.h"

#include <string>
#include <vector>

namespace pipescope::comm {

using Line = std::vector<RankId>;

/// Whether `self` may call a collective on this line among so many ranks. Errors, InvalidArgument: no rank at all, a
/// rank that there is not, a rank that stands twice, a line without `self`.
Status checkLine(const Line &line, RankId self, int ranks);

/// "[0, 2, 4]".
[[nodiscard]] std::string lineText(const Line &line);

/// "rank 2", "ranks 0, 1 and 3". At least one rank.
[[nodiscard]] std::string ranksText(const std::vector<RankId> &ranks);

} // namespace pipescope::comm
