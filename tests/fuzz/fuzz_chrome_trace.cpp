// Any bytes as a trace file: reading ends with a trace or an error, what else it is can be told, a trace's own text
// reads back the same, and whatever was read can be counted and drawn.
#include "trace/chrome_trace.h"
#include "trace/json_look.h"
#include "trace/text_timeline.h"
#include "trace/trace_stats.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace pipescope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char *>(data), size);
    const trace::JsonLook look = trace::lookAtJson(text);
    PIPESCOPE_ASSERT(!toText(look).empty());
    const auto read = trace::parseChromeJson(text);
    PIPESCOPE_ASSERT(!read || (look.hasOwn && look.hasEvents));
    if (!read) {
        PIPESCOPE_ASSERT(read.error().code == ErrorCode::InvalidFile && !read.error().message.empty());
        return 0;
    }
    const trace::Stats stats = traceStats(*read);
    PIPESCOPE_ASSERT(stats.boundSeconds >= 0 && stats.makespanSeconds >= 0);
    PIPESCOPE_ASSERT(stats.ranks.size() == static_cast<std::size_t>(read->ranks));
    // Writing takes a few lines per rank: few ranks keep a run short.
    if (read->ranks > 16)
        return 0;
    PIPESCOPE_ASSERT(!textTimeline(*read, 40, true).empty());
    const auto again = trace::parseChromeJson(toChromeJson(*read));
    PIPESCOPE_ASSERT(again && *again == *read);
    return 0;
}
