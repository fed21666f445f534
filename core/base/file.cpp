#include "base/file.h"

#include "base/commit.h"
#include "base/file_errors.h"
#include "base/file_mode.h"
#include "base/file_sync.h"
#include "base/links.h"
#include "base/sha256.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <system_error>
#include <unistd.h>

namespace pipescope {

namespace fs = std::filesystem;

Status checkReadable(const fs::path &path)
{
    std::error_code ec;
    const fs::file_status status = fs::status(path, ec);
    if (status.type() == fs::file_type::not_found)
        return Error{ErrorCode::NotFound, fmt::format("there is no file '{}'", path.string()), path.string(), {}};
    if (!fs::status_known(status)) // a folder on the way that may not be entered, a name too long, links in a circle
        return cannotRead(path, ec.message());
    if (!fs::is_regular_file(status))
        return cannotRead(path, fs::is_directory(status) ? "it is a folder" : "it is not a regular file");
    if (::access(path.c_str(), R_OK) != 0)
        return cannotRead(path, std::strerror(errno));
    return Success{};
}

Result<std::string> readFile(const fs::path &path, std::uintmax_t limit)
{
    if (auto ok = checkReadable(path); !ok)
        return ok.error();
    const auto tooLong = [&] {
        return cannotRead(path, fmt::format("it is longer than the {} bytes such a file may have", limit));
    };
    std::error_code unknown;
    if (const auto size = fs::file_size(path, unknown); !unknown && size > limit)
        return tooLong();
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return cannotRead(path, std::strerror(errno));
    std::string bytes;
    std::array<char, 1 << 16> buffer{};
    while (in.read(buffer.data(), buffer.size()) || in.gcount() > 0) {
        bytes.append(buffer.data(), static_cast<std::size_t>(in.gcount()));
        if (bytes.size() > limit) // one that grows
            return tooLong();
    }
    if (in.bad())
        return cannotRead(path, std::strerror(errno));
    return bytes;
}

Status writeFileVia(const fs::path &path, const std::function<Status(const fs::path &)> &produce)
{
    const fs::path target = followLinks(path);
    std::error_code unknown;
    if (fs::exists(target, unknown) && !fs::is_regular_file(target, unknown))
        return cannotWrite(path, "it is not a regular file");
    const fs::path temporary = target.string() + fmt::format(".{}.part", ::getpid());
    makeLike(temporary, target);
    Status produced = produce(temporary);
    std::error_code ec;
    const Commit commit;
    if (produced)
        produced = syncFile(temporary, path);
    if (produced) {
        keepPermissions(target, temporary);
        fs::rename(temporary, target, ec);
        if (!ec) {
            syncFolder(target.parent_path());
            return Success{};
        }
        produced = cannotWrite(path, ec.message());
    }
    std::error_code ignored;
    fs::remove(temporary, ignored);
    return produced;
}

Status writeFile(const fs::path &path, std::string_view bytes)
{
    return writeFileVia(path, [&](const fs::path &temporary) -> Status {
        errno = 0;
        std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        out.close();
        if (!out)
            return cannotWrite(path, errno != 0 ? std::strerror(errno) : "the write failed");
        return Success{};
    });
}

Result<std::string> fileSha256(const fs::path &path, const std::stop_token &stop)
{
    if (auto ok = checkReadable(path); !ok)
        return ok.error();
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return cannotRead(path, std::strerror(errno));
    Sha256 hash;
    std::array<char, 1 << 16> buffer{};
    while (in.read(buffer.data(), buffer.size()) || in.gcount() > 0) {
        if (stop.stop_requested())
            return Error{ErrorCode::Cancelled, "stopped while reading the file", path.string(), {}};
        hash.add({buffer.data(), static_cast<std::size_t>(in.gcount())});
    }
    if (in.bad())
        return cannotRead(path, std::strerror(errno));
    return hash.finish();
}

} // namespace pipescope
