// Tells the content of a JSON file that turned out to be no trace Pipescope wrote.
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::trace {

struct JsonLook
{
    enum class Root { Object, List, Other };

    Root root = Root::Other;
    std::vector<std::string> keys; ///< of the object, the first few, each cut short where it is long
    std::size_t count = 0;         ///< of all its keys, or of the list's values
    bool hasOwn = false;           ///< the object 'pipescope', by which a trace of ours is known
    bool hasEvents = false;        ///< a list of events as Chrome has them: 'traceEvents', or the list itself
    std::size_t brokenAt = 0;      ///< the byte, from 1, from which on it is no JSON; 0 where all of it is

    /// A trace, and another program's.
    [[nodiscard]] bool isForeignTrace() const { return hasEvents && !hasOwn; }
};

/// Reads all of it once, without making a tree of it; no more of it where `stop` is requested, and what is told then is
/// of nobody's use. A byte order mark before it is skipped.
[[nodiscard]] JsonLook lookAtJson(std::string_view text, const std::stop_token &stop = {});

/// "an object with the keys 'name', 'version' and 7 more", "an empty list", "no JSON from byte 12 on".
[[nodiscard]] std::string toText(const JsonLook &look);

} // namespace pipescope::trace
