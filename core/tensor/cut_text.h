// Bounds a text that came from a file or a model before it goes into a message.
#pragma once

#include <string>
#include <string_view>

namespace pipescope::tensor {

/// At most `limit` bytes of UTF-8 text, whole code points only, with "..." where something was left out.
[[nodiscard]] inline std::string cutText(std::string_view text, std::size_t limit)
{
    if (text.size() <= limit)
        return std::string(text);
    std::size_t end = limit;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end;
    return std::string(text.substr(0, end)) + "...";
}

} // namespace pipescope::tensor
