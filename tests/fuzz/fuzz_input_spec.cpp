// Any text: parsing ends with a spec or an error, and a spec's own text reads back with the same text.
#include "plan/input_spec.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace pipescope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto spec = plan::parseInputSpec({reinterpret_cast<const char *>(data), size});
    if (!spec) {
        PIPESCOPE_ASSERT(spec.error().code == ErrorCode::InvalidArgument && !spec.error().message.empty());
        return 0;
    }
    // Texts are compared, because a NaN is not equal to itself.
    const auto again = plan::parseInputSpec(toText(*spec));
    PIPESCOPE_ASSERT(again && toText(*again) == toText(*spec));
    return 0;
}
