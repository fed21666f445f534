// Any bytes as a schedule file: reading ends with a schedule or an error, a schedule's own text reads back the same,
// and whatever was read can be asked whether it runs.
#include "schedule/forwards_of.h"
#include "schedule/schedule_csv.h"
#include "schedule/validate_schedule.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace pipescope;

namespace {

// Tables by stage and microbatch are as large as this lets them be: small ones keep a run short.
constexpr std::size_t MostCells = 5000;

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto read = schedule::parseCsv({reinterpret_cast<const char *>(data), size}, "fuzz", MostCells);
    if (!read) {
        PIPESCOPE_ASSERT(read.error().code == ErrorCode::InvalidFile && !read.error().message.empty());
        return 0;
    }
    const auto again = schedule::parseCsv(toCsv(*read), "fuzz", MostCells);
    PIPESCOPE_ASSERT(again && *again == *read);

    const schedule::Schedule forward = forwardsOf(*read);
    const Status valid = validateSchedule(*read, {.needsBackward = false});
    if (!valid)
        PIPESCOPE_ASSERT(!valid.error().message.empty());
    // A forward run of what can run can run, and a limit that leaves room for every microbatch changes nothing.
    PIPESCOPE_ASSERT(!valid || validateSchedule(forward, {.needsBackward = false}));
    const int all = read->microbatches;
    PIPESCOPE_ASSERT(static_cast<bool>(valid) ==
                     static_cast<bool>(validateSchedule(*read, {.needsBackward = false, .maxInFlight = all})));
    const Status limited = validateSchedule(forward, {.needsBackward = false, .maxInFlight = 1});
    PIPESCOPE_ASSERT(valid || !limited || forward != *read);
    return 0;
}
