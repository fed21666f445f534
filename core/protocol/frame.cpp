#include "protocol/frame.h"

#include "base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace pipescope::protocol {

namespace {

constexpr std::string_view Mark = "PSc1";
constexpr std::size_t HeaderBytes = 8;

std::uint32_t lengthAt(std::string_view header)
{
    std::uint32_t length = 0;
    for (std::size_t i = HeaderBytes; i-- > Mark.size();)
        length = length << 8 | static_cast<unsigned char>(header[i]);
    return length;
}

/// The beginning of what was found, made safe to print.
std::string shown(std::string_view bytes)
{
    std::string text;
    for (const char c : bytes.substr(0, 40))
        text += c >= ' ' && c <= '~' ? c : '.';
    return text;
}

/// In bytes where its size would read as the limit's does.
std::string sizeText(std::uint64_t size, std::uint64_t other)
{
    std::string text = formatBytes(static_cast<std::int64_t>(size));
    return text == formatBytes(static_cast<std::int64_t>(other)) ? fmt::format("{} bytes", size) : text;
}

Error noFrame(std::string message)
{
    return {ErrorCode::InvalidFile, std::move(message), {}, {}};
}

} // namespace

Result<std::string> frameOf(std::string_view payload, std::uint32_t maxBytes)
{
    if (payload.size() > maxBytes)
        return Error{ErrorCode::Unsupported,
                     fmt::format("a message of {} is larger than the {} that can be sent",
                                 sizeText(payload.size(), maxBytes), sizeText(maxBytes, payload.size())),
                     {},
                     {}};
    std::string frame(Mark);
    for (int byte = 0; byte < 4; ++byte)
        frame += static_cast<char>(payload.size() >> (8 * byte) & 0xff);
    return frame.append(payload);
}

Result<std::optional<std::string>> FrameReader::next()
{
    const std::string_view here = std::string_view(m_bytes).substr(m_begin);
    const std::string_view mark = here.substr(0, Mark.size());
    if (mark != Mark.substr(0, mark.size()))
        return noFrame(fmt::format("what arrived is no message of pipescope-cli: '{}'", shown(here)));
    if (here.size() < HeaderBytes)
        return std::optional<std::string>();
    const std::uint32_t length = lengthAt(here);
    if (length > m_maxBytes)
        return noFrame(fmt::format("a message of {} was announced; {} is the most there may be",
                                   sizeText(length, m_maxBytes), sizeText(m_maxBytes, length)));
    if (here.size() - HeaderBytes < length)
        return std::optional<std::string>();
    std::optional<std::string> payload(here.substr(HeaderBytes, length));
    m_begin += HeaderBytes + length;
    // Moving the rest to the front at every frame would be slow where many small ones arrive at once.
    if (m_begin == m_bytes.size() || m_begin > m_bytes.size() / 2) {
        m_bytes.erase(0, m_begin);
        m_begin = 0;
    }
    return payload;
}

} // namespace pipescope::protocol
