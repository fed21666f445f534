// Any text as the code of an archive: listing it, twice for what two records add up to, ends with a listing or an
// error, and the sizes of a listing's types can be told.
#include "archive/code_listing.h"
#include "archive/type_size.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

using namespace pipescope;

namespace {

bool isDescribed(const Status &status)
{
    return status || (status.error().code == ErrorCode::InvalidFile && !status.error().message.empty());
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view code(reinterpret_cast<const char *>(data), size);
    archive::CodeListing listing;
    const Status listed = archive::listCode(code, "code/__torch__.py", listing);
    PIPESCOPE_ASSERT(isDescribed(listed));
    if (!listed)
        return 0;
    const archive::CodeListing once = listing;
    PIPESCOPE_ASSERT(archive::listCode(code, "code/__torch__.py", listing));
    PIPESCOPE_ASSERT(listing.methods.size() == 2 * once.methods.size() &&
                     listing.classes.size() == once.classes.size());
    for (const archive::CodeMethod &method : once.methods)
        PIPESCOPE_ASSERT(method.line > 0 && !method.className.empty() && !method.name.empty());
    for (const auto &[name, count] : once.calls)
        PIPESCOPE_ASSERT(count > 0 && listing.calls[name] == 2 * count);
    PIPESCOPE_ASSERT(isDescribed(checkTypeSizes(once)));
    return 0;
}
