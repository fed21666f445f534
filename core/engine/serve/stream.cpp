#include "engine/serve/stream.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <variant>

namespace pipescope::engine {

namespace {

using protocol::Message;

Error brokenStream(std::string_view reason)
{
    return {ErrorCode::InvalidFile, fmt::format("the conversation ended: {}", reason), {}, {}};
}

/// Whether all bytes were written.
bool writeAll(int descriptor, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno != EINTR)
            return false;
        if (written > 0)
            bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return true;
}

} // namespace

MessageSource::MessageSource(int descriptor)
    : m_descriptor(descriptor)
    , m_wake(::eventfd(0, EFD_CLOEXEC))
{
    PIPESCOPE_ASSERT(m_wake >= 0);
}

MessageSource::~MessageSource()
{
    ::close(m_wake);
}

Result<std::optional<Message>> MessageSource::next(const std::stop_token &stop)
{
    const std::stop_callback wake(stop, [this] { ::eventfd_write(m_wake, 1); });
    while (true) {
        const Result<std::optional<std::string>> frame = m_frames.next();
        if (!frame)
            return frame.error();
        if (*frame) {
            Result<Message> message = protocol::messageFrom(**frame);
            if (!message)
                return message.error();
            return std::optional(*std::move(message));
        }
        std::array<pollfd, 2> ready{{{m_descriptor, POLLIN, 0}, {m_wake, POLLIN, 0}}};
        if (::poll(ready.data(), ready.size(), -1) < 0 && errno != EINTR)
            return brokenStream(std::strerror(errno));
        if (stop.stop_requested())
            return std::optional<Message>();
        if (ready[0].revents == 0)
            continue;
        std::array<char, 65536> bytes{};
        const ssize_t count = ::read(m_descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno != EINTR && errno != EAGAIN)
            return brokenStream(std::strerror(errno));
        if (count == 0 && m_frames.isInsideFrame())
            return brokenStream("the last message was cut short");
        if (count == 0)
            return std::optional<Message>();
        if (count > 0)
            m_frames.feed({bytes.data(), static_cast<std::size_t>(count)});
    }
}

bool MessageSink::send(const Message &message)
{
    Result<std::string> frame = protocol::frameOf(protocol::toBytes(message), m_maxFrameBytes);
    if (const auto *response = std::get_if<protocol::Response>(&message); !frame && response != nullptr)
        frame = protocol::frameOf(protocol::toBytes(protocol::Response{response->id, frame.error()}), m_maxFrameBytes);
    const std::lock_guard lock(m_mutex);
    m_gone = m_gone || (frame && !writeAll(m_descriptor, *frame));
    return !m_gone;
}

} // namespace pipescope::engine
