// Traces as Chrome JSON, which Perfetto and chrome://tracing open: one process per rank with named tracks for compute,
// send, receive and wait, flow arrows per (microbatch, value, consumer), a memory counter. docs/trace-format.md has the
// format.
#pragma once

#include "base/result.h"
#include "trace/event.h"

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>

namespace pipescope::trace {

/// One event per line. Text that is not UTF-8 is written with replacement characters.
[[nodiscard]] std::string toChromeJson(const Trace &trace);

/// Reads back exactly what toChromeJson wrote (not any Chrome trace; what others have added to it is skipped). At most
/// `limitBytes` long and with 65 536 ranks and stages. Error: InvalidFile saying what is missing where; Cancelled, soon
/// after `stop` asks for it.
Result<Trace> parseChromeJson(std::string_view text, std::size_t limitBytes = std::size_t{256} << 20,
                              const std::stop_token &stop = {});

} // namespace pipescope::trace
