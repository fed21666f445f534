// How messages follow one another on a byte stream: the four bytes "PSc1", the payload's length as four bytes, least
// significant first, and the payload. The letters tell a stream that is something else (a login message, a print) from
// one that is ours.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pipescope::protocol {

inline constexpr std::uint32_t MaxFrameBytes = 256U << 20;

/// The payload in its frame. Error: Unsupported for one larger than `maxBytes`.
Result<std::string> frameOf(std::string_view payload, std::uint32_t maxBytes = MaxFrameBytes);

/// Takes a stream in pieces of any size and gives back the payloads. Holds no more than what has arrived.
class FrameReader
{
public:
    explicit FrameReader(std::uint32_t maxBytes = MaxFrameBytes)
        : m_maxBytes(maxBytes)
    {
    }

    void feed(std::string_view bytes) { m_bytes.append(bytes); }

    /// The next payload; nullopt while it has not arrived whole. Error: InvalidFile where the stream is no frame, or
    /// announces one that is too large; what follows cannot be read either, and the same error is given again.
    Result<std::optional<std::string>> next();

    /// Fed and not given back yet.
    [[nodiscard]] std::size_t waitingBytes() const { return m_bytes.size() - m_begin; }
    /// Whether a frame has begun and not ended: at the end of a stream, that it was cut short.
    [[nodiscard]] bool isInsideFrame() const { return waitingBytes() > 0; }

private:
    std::uint32_t m_maxBytes;
    std::string m_bytes;
    std::size_t m_begin = 0; ///< of the next frame
};

} // namespace pipescope::protocol
