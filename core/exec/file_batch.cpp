#include "exec/file_batch.h"

#include "base/commit.h"
#include "base/file_errors.h"
#include "base/file_mode.h"
#include "base/file_sync.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

namespace pipescope::exec {

namespace fs = std::filesystem;

FileBatch::FileBatch(fs::path folder, LockedFolder temporary, bool made)
    : m_folder(std::move(folder))
    , m_temporary(std::move(temporary))
    , m_madeFolder(made)
{
}

Result<FileBatch> FileBatch::open(const fs::path &folder)
{
    std::error_code ec;
    const bool made = fs::create_directories(folder, ec);
    if (ec)
        return cannotWrite(folder, ec.message());
    removeLeftOver(folder);
    auto temporary = LockedFolder::make(folder);
    if (!temporary) {
        if (made)
            fs::remove(folder, ec);
        return temporary.error();
    }
    return FileBatch(folder, *std::move(temporary), made);
}

FileBatch::~FileBatch()
{
    if (!m_temporary.remove())
        return; // moved from
    std::error_code ignored;
    if (m_madeFolder && fs::is_empty(m_folder, ignored))
        fs::remove(m_folder, ignored);
}

Status FileBatch::write(const std::string &name, const std::function<Status(std::ostream &)> &produce)
{
    makeLike(m_temporary.path() / name, m_folder / name);
    errno = 0;
    std::ofstream out(m_temporary.path() / name, std::ios::binary | std::ios::trunc);
    Status produced = Success{};
    if (out)
        produced = produce(out);
    out.close();
    if (!out)
        return cannotWrite(m_folder / name, errno != 0 ? std::strerror(errno) : "the write failed");
    m_names.push_back(name);
    return produced;
}

Status FileBatch::commit()
{
    const Commit commit;
    std::error_code ec;
    for (const std::string &name : m_names)
        if (fs::is_directory(m_folder / name, ec))
            return cannotWrite(m_folder / name, "a folder of that name is in the way");
    for (const std::string &name : m_names)
        if (auto ok = syncFile(m_temporary.path() / name, m_folder / name); !ok)
            return ok;
    for (const std::string &name : m_names) {
        keepPermissions(m_folder / name, m_temporary.path() / name);
        fs::rename(m_temporary.path() / name, m_folder / name, ec);
        if (ec)
            return cannotWrite(m_folder / name, ec.message());
    }
    syncFolder(m_folder);
    return Success{};
}

} // namespace pipescope::exec
