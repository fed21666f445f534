// The two ends of a conversation as file descriptors: whole messages in, whole messages out.
#pragma once

#include "base/result.h"
#include "protocol/frame.h"
#include "protocol/message.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <stop_token>

namespace pipescope::engine {

class MessageSource
{
public:
    /// The descriptor stays the caller's.
    explicit MessageSource(int descriptor);
    ~MessageSource();
    MessageSource(const MessageSource &) = delete;
    MessageSource &operator=(const MessageSource &) = delete;

    /// Waits for the next message; nullopt at the end of the stream and when `stop` is requested. Error: InvalidFile
    /// for what is no message, or one cut short; after an error of frames nothing more can be read.
    Result<std::optional<protocol::Message>> next(const std::stop_token &stop);

private:
    const int m_descriptor;
    const int m_wake; ///< an eventfd that a requested stop makes readable
    protocol::FrameReader m_frames;
};

class MessageSink
{
public:
    MessageSink(int descriptor, std::uint32_t maxFrameBytes)
        : m_descriptor(descriptor)
        , m_maxFrameBytes(maxFrameBytes)
    {
    }

    /// Writes all of it; may be called from any thread. A message that is too large becomes an error response. False
    /// once the other side is gone.
    bool send(const protocol::Message &message);

private:
    const int m_descriptor;
    const std::uint32_t m_maxFrameBytes;
    std::mutex m_mutex;
    bool m_gone = false;
};

} // namespace pipescope::engine
