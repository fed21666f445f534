// Any bytes as the pickle of a tensor file, with a small storage for every key: what they are read as holds together,
// and comes back when it is written.
#include "tensor_bytes.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace pipescope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const tests::ReadBytes read = tests::readAsTensors({reinterpret_cast<const char *>(data), size});
    PIPESCOPE_ASSERT(read.fault.empty());
    return 0;
}
