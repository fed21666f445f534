// Any bytes as a zip archive: its names are read, or it is called damaged.
#include "archive/zip_names.h"

#include <cstddef>
#include <cstdint>
#include <sstream>

using namespace pipescope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    std::istringstream file(std::string(reinterpret_cast<const char *>(data), size));
    const auto names = archive::zipNames(file, "fuzz");
    if (!names) {
        PIPESCOPE_ASSERT(names.error().code == ErrorCode::InvalidFile && !names.error().message.empty());
        return 0;
    }
    std::size_t bytes = 0;
    for (const std::string &name : *names)
        bytes += name.size();
    PIPESCOPE_ASSERT(bytes + 46 * names->size() <= size);
    return 0;
}
