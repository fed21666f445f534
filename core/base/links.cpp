#include "base/links.h"

#include <system_error>

namespace pipescope {

namespace fs = std::filesystem;

fs::path followLinks(fs::path path)
{
    constexpr int MostLinks = 40; // as Linux has it
    std::error_code ec;
    for (int i = 0; i < MostLinks && fs::is_symlink(path, ec); ++i) {
        const fs::path target = fs::read_symlink(path, ec);
        if (ec)
            break;
        path = target.is_absolute() ? target : path.parent_path() / target;
    }
    return path;
}

} // namespace pipescope
