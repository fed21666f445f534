// Who may read a file that takes another's place: those who might read the other, and from its first byte on.
#pragma once

#include <filesystem>

namespace pipescope {

/// Makes `file` empty, for what is to take the place of `target`: with the permissions of that, and the owner's to
/// read and write. What was at `file` is gone. Nothing where the target is no regular file; a file that cannot be made
/// is told to whoever writes to it.
void makeLike(const std::filesystem::path &file, const std::filesystem::path &target);

/// Gives `file` the permissions of `target`, where that is a regular file.
void keepPermissions(const std::filesystem::path &target, const std::filesystem::path &file);

} // namespace pipescope
