#include "exec/file_batch.h"

#include "base/file_errors.h"
#include "base/file_sync.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace pipescope::exec {

namespace fs = std::filesystem;

FileBatch::FileBatch(fs::path folder, fs::path temporary, bool made)
    : m_folder(std::move(folder))
    , m_temporary(std::move(temporary))
    , m_madeFolder(made)
{
}

FileBatch::FileBatch(FileBatch &&other) noexcept
    : m_folder(std::move(other.m_folder))
    , m_temporary(std::exchange(other.m_temporary, {}))
    , m_madeFolder(other.m_madeFolder)
    , m_names(std::move(other.m_names))
{
}

Result<FileBatch> FileBatch::open(const fs::path &folder)
{
    std::error_code ec;
    const bool made = fs::create_directories(folder, ec);
    if (ec)
        return cannotWrite(folder, ec.message());
    const fs::path temporary = folder / fmt::format(".writing-{}", ::getpid());
    fs::remove_all(temporary, ec);
    FileBatch batch(folder, temporary, made);
    fs::create_directory(temporary, ec);
    if (ec)
        return cannotWrite(folder, ec.message());
    return batch;
}

FileBatch::~FileBatch()
{
    if (m_temporary.empty())
        return;
    std::error_code ignored;
    fs::remove_all(m_temporary, ignored);
    if (m_madeFolder && fs::is_empty(m_folder, ignored))
        fs::remove(m_folder, ignored);
}

Status FileBatch::write(const std::string &name, const std::function<Status(std::ostream &)> &produce)
{
    errno = 0;
    std::ofstream out(m_temporary / name, std::ios::binary | std::ios::trunc);
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
    std::error_code ec;
    for (const std::string &name : m_names)
        if (fs::is_directory(m_folder / name, ec))
            return cannotWrite(m_folder / name, "a folder of that name is in the way");
    for (const std::string &name : m_names)
        if (auto ok = syncFile(m_temporary / name, m_folder / name); !ok)
            return ok;
    for (const std::string &name : m_names) {
        fs::rename(m_temporary / name, m_folder / name, ec);
        if (ec)
            return cannotWrite(m_folder / name, ec.message());
    }
    syncFolder(m_folder);
    return Success{};
}

} // namespace pipescope::exec
