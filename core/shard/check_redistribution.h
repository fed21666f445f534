// Which redistributions are refused, and in which words.
#pragma once

#include "base/result.h"
#include "shard/redistribution.h"

namespace pipescope::shard {

/// The errors of planRedistribution().
[[nodiscard]] Status checkRedistribution(const Layout &from, const Layout &to, AskedBy askedBy);

} // namespace pipescope::shard
