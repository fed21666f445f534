// Any text: parsing ends with a spec or an error, and a spec's own text reads back as the same spec.
#include "microbatch/chunk_spec.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace pipescope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto spec = microbatch::parseChunkSpec({reinterpret_cast<const char *>(data), size});
    if (!spec) {
        PIPESCOPE_ASSERT(spec.error().code == ErrorCode::InvalidArgument && !spec.error().message.empty());
        return 0;
    }
    const auto again = microbatch::parseChunkSpec(toText(*spec));
    PIPESCOPE_ASSERT(again && *again == *spec);
    return 0;
}
