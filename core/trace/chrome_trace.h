// Traces as Chrome JSON, which Perfetto and chrome://tracing open: one process per rank with named tracks for compute,
// send and receive, flow arrows per (microbatch, value), a memory counter.
#pragma once

#include "base/result.h"
#include "trace/event.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace pipescope::trace {

[[nodiscard]] std::string toChromeJson(const Trace &trace);

/// Reads back what toChromeJson wrote (not any Chrome trace). Error: InvalidFile saying what is missing where.
Result<Trace> parseChromeJson(std::string_view text);

} // namespace pipescope::trace
