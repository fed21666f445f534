#include "base/file_errors.h"

#include <fmt/format.h>

namespace pipescope {

namespace fs = std::filesystem;

Error cannotRead(const fs::path &path, std::string_view reason)
{
    return {ErrorCode::InvalidFile, fmt::format("cannot read '{}': {}", path.string(), reason), path.string(), {}};
}

Error cannotWrite(const fs::path &path, std::string_view reason)
{
    return {ErrorCode::WriteFailed, fmt::format("cannot write '{}': {}", path.string(), reason), path.string(), {}};
}

} // namespace pipescope
