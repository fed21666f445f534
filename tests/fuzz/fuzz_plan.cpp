// Any bytes as a plan file: parsing ends with a valid plan or an error, and the plan's own JSON reads back the same.
#include "plan/plan_file.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace pipescope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto plan = plan::parsePlan({reinterpret_cast<const char *>(data), size});
    if (!plan) {
        PIPESCOPE_ASSERT(plan.error().code == ErrorCode::InvalidFile && !plan.error().message.empty());
        return 0;
    }
    PIPESCOPE_ASSERT(validatePlan(*plan));
    const auto again = plan::parsePlan(toJson(*plan));
    PIPESCOPE_ASSERT(again && toJson(*again) == toJson(*plan));
    return 0;
}
