// The bodies of messages: the CBOR of one struct each, with everything checked on the way in. What comes from a file or
// a model may be anything, so graphs and traces are also checked for what they refer to.
#pragma once

#include "base/result.h"
#include "protocol/calls.h"

#include <string>
#include <string_view>

namespace pipescope::protocol {

/// For the structs of calls.h, and the requests and reports of report/.
template <class T>
[[nodiscard]] std::string toBody(const T &value);

/// Error: InvalidFile naming the place, "inspection.graph.nodes[3].op: expected text, found number".
template <class T>
Result<T> fromBody(std::string_view body);

} // namespace pipescope::protocol
