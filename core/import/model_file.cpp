#include "import/model_file.h"

#include "base/file.h"
#include "base/file_errors.h"
#include "base/sha256.h"

#include <algorithm>
#include <array>
#include <caffe2/serialize/read_adapter_interface.h>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <istream>
#include <memory>
#include <optional>
#include <streambuf>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace pipescope::import {

/// What tells a file from another, and from itself before it was written to.
struct FileIdentity
{
    dev_t device = 0;
    ino_t inode = 0;
    off_t size = 0;
    std::int64_t modifiedNs = 0;
    std::int64_t changedNs = 0;

    friend bool operator==(const FileIdentity &, const FileIdentity &) = default;
};

namespace {

/// So much is read without a word.
constexpr std::size_t MostUntold = 16 << 20;

/// Parts of the file are read twice.
double partOf(std::uint64_t read, std::uint64_t size)
{
    return std::min(1.0, static_cast<double>(read) / static_cast<double>(size));
}

FileIdentity identityFrom(const struct stat &status)
{
    const auto nanoseconds = [](const timespec &time) {
        return std::int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
    };
    return {status.st_dev, status.st_ino, status.st_size, nanoseconds(status.st_mtim), nanoseconds(status.st_ctim)};
}

} // namespace

class ModelFile::Descriptor
{
public:
    /// Takes the open file over.
    Descriptor(int number, const FileIdentity &identity)
        : m_number(number)
        , m_identity(identity)
    {
    }
    ~Descriptor() { ::close(m_number); }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;

    /// As it was when it was opened.
    [[nodiscard]] const FileIdentity &identity() const { return m_identity; }
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(m_identity.size); }
    [[nodiscard]] std::optional<FileIdentity> identityNow() const
    {
        struct stat status = {};
        return ::fstat(m_number, &status) == 0 ? std::optional(identityFrom(status)) : std::nullopt;
    }

    /// Fewer bytes than asked for at the end of the file, and where reading fails.
    std::size_t read(std::uint64_t position, char *buffer, std::size_t count) const
    {
        std::size_t done = 0;
        while (done < count) {
            const ssize_t got = ::pread(m_number, buffer + done, count - done, static_cast<off_t>(position + done));
            if (got < 0 && errno == EINTR)
                continue;
            if (got <= 0)
                break;
            done += static_cast<std::size_t>(got);
        }
        return done;
    }

private:
    const int m_number;
    const FileIdentity m_identity;
};

class ModelFile::Reader : public caffe2::serialize::ReadAdapterInterface
{
public:
    Reader(std::shared_ptr<const Descriptor> descriptor, Progress progress)
        : m_descriptor(std::move(descriptor))
        , m_progress(std::move(progress))
    {
    }

    [[nodiscard]] std::size_t size() const override { return m_descriptor->size(); }
    std::size_t read(std::uint64_t position, void *buffer, std::size_t count, const char *) const override
    {
        std::size_t done = 0;
        while (done < count) {
            const std::size_t piece = std::min(count - done, MostUntold);
            const std::size_t got = m_descriptor->read(position + done, static_cast<char *>(buffer) + done, piece);
            done += got;
            tell(got);
            if (got < piece)
                break;
        }
        return done;
    }

private:
    /// Much is read that is very little: a record's header is.
    void tell(std::size_t got) const
    {
        m_read += got;
        m_untold += got;
        if (!m_progress || m_untold < MostUntold)
            return;
        m_untold = 0;
        m_progress("loading the model", partOf(m_read, m_descriptor->size()));
    }

    std::shared_ptr<const Descriptor> m_descriptor;
    Progress m_progress;
    mutable std::uint64_t m_read = 0;
    mutable std::size_t m_untold = 0;
};

/// The file read in pieces of one buffer.
class ModelFile::Stream : public std::istream
{
public:
    explicit Stream(std::shared_ptr<const Descriptor> descriptor)
        : std::istream(nullptr)
        , m_buffer(std::move(descriptor))
    {
        rdbuf(&m_buffer);
    }

private:
    class Buffer : public std::streambuf
    {
    public:
        explicit Buffer(std::shared_ptr<const Descriptor> descriptor)
            : m_descriptor(std::move(descriptor))
        {
        }

    protected:
        int_type underflow() override
        {
            const std::size_t got = m_descriptor->read(m_next, m_bytes.data(), m_bytes.size());
            m_next += got;
            setg(m_bytes.data(), m_bytes.data(), m_bytes.data() + got);
            return got == 0 ? traits_type::eof() : traits_type::to_int_type(*gptr());
        }
        pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override
        {
            const auto here = static_cast<off_type>(m_next) - (egptr() - gptr());
            const off_type begin = from == std::ios_base::beg   ? 0
                                   : from == std::ios_base::cur ? here
                                                                : static_cast<off_type>(m_descriptor->size());
            return seekpos(begin + offset, std::ios_base::in);
        }
        pos_type seekpos(pos_type position, std::ios_base::openmode) override
        {
            if (position < 0)
                return off_type(-1);
            m_next = static_cast<std::uint64_t>(off_type(position));
            setg(nullptr, nullptr, nullptr);
            return position;
        }

    private:
        std::shared_ptr<const Descriptor> m_descriptor;
        std::uint64_t m_next = 0; ///< position of what follows the buffer
        std::array<char, 1 << 14> m_bytes{};
    };

    Buffer m_buffer;
};

ModelFile::ModelFile(std::filesystem::path path, std::shared_ptr<const Descriptor> descriptor)
    : m_path(std::move(path))
    , m_descriptor(std::move(descriptor))
{
}

Result<ModelFile> ModelFile::open(const std::filesystem::path &path)
{
    if (auto ok = checkReadable(path); !ok)
        return ok.error();
    // What stands there may have become a pipe since: opening one to read it would wait for who writes.
    const int number = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (number < 0)
        return cannotRead(path, std::strerror(errno));
    struct stat status = {};
    const int failed = ::fstat(number, &status) == 0 ? 0 : errno;
    if (failed != 0 || !S_ISREG(status.st_mode)) {
        ::close(number);
        return cannotRead(path, failed != 0 ? std::strerror(failed) : "it is not a regular file");
    }
    return ModelFile(path, std::make_shared<const Descriptor>(number, identityFrom(status)));
}

std::uintmax_t ModelFile::size() const
{
    return m_descriptor->size();
}

Result<std::string> ModelFile::head(std::size_t most) const
{
    std::string bytes(std::min(most, m_descriptor->size()), '\0');
    if (m_descriptor->read(0, bytes.data(), bytes.size()) != bytes.size())
        return cannotRead(m_path, "it ends sooner than its length says");
    return bytes;
}

std::unique_ptr<std::istream> ModelFile::stream() const
{
    return std::make_unique<Stream>(m_descriptor);
}

Result<std::string> ModelFile::sha256(const std::stop_token &stop, const Progress &progress) const
{
    Sha256 hash;
    std::array<char, 1 << 16> buffer{};
    std::uint64_t position = 0;
    while (position < m_descriptor->size()) {
        if (stop.stop_requested())
            return Error{ErrorCode::Cancelled, "stopped while reading the file", m_path.string(), {}};
        const std::size_t got = m_descriptor->read(position, buffer.data(), buffer.size());
        if (got == 0)
            return cannotRead(m_path, "it ends sooner than its length says");
        hash.add({buffer.data(), got});
        if (progress && (position + got) / MostUntold > position / MostUntold)
            progress("reading the file", partOf(position + got, m_descriptor->size()));
        position += got;
    }
    return hash.finish();
}

Status ModelFile::checkUnchanged() const
{
    const std::optional<FileIdentity> now = m_descriptor->identityNow();
    if (!now)
        return cannotRead(m_path, std::strerror(errno));
    struct stat there = {};
    const bool isSame = now == m_descriptor->identity() && ::stat(m_path.c_str(), &there) == 0 &&
                        identityFrom(there) == m_descriptor->identity();
    if (isSame)
        return Success{};
    return Error{ErrorCode::InvalidFile,
                 fmt::format("'{}' was written or replaced while it was being loaded; load it again once it is whole",
                             m_path.string()),
                 m_path.string(),
                 {}};
}

std::shared_ptr<caffe2::serialize::ReadAdapterInterface> ModelFile::reader(const Progress &progress) const
{
    return std::make_shared<Reader>(m_descriptor, progress);
}

} // namespace pipescope::import
