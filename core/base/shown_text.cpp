#include "base/shown_text.h"

#include <cstddef>
#include <fmt/format.h>

namespace pipescope {

namespace {

bool isControl(unsigned char c)
{
    return c < 0x20 || c == 0x7f;
}

/// U+0080 to U+009F, of which a terminal takes one for the beginning of a command.
bool beginsC1(std::string_view text)
{
    return text.size() >= 2 && text[0] == '\xc2' && static_cast<unsigned char>(text[1]) >= 0x80 &&
           static_cast<unsigned char>(text[1]) < 0xa0;
}

/// Bytes of a colour at the beginning, as "\x1b[32m"; 0 where none is.
std::size_t colourLength(std::string_view text)
{
    if (!text.starts_with("\x1b["))
        return 0;
    const std::size_t end = text.find_first_not_of("0123456789;", 2);
    return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

std::string escaped(char c)
{
    switch (c) {
    case '\n':
        return "\\n";
    case '\r':
        return "\\r";
    case '\t':
        return "\\t";
    default:
        return fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
}

} // namespace

std::string shownText(std::string_view text)
{
    std::string shown;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (beginsC1(text.substr(i)))
            shown += fmt::format("\\u{:04x}", static_cast<unsigned char>(text[++i]));
        else if (isControl(static_cast<unsigned char>(text[i])))
            shown += escaped(text[i]);
        else
            shown += text[i];
    }
    return shown;
}

std::string shownLines(std::string_view text, Colours colours)
{
    std::string shown;
    while (!text.empty()) {
        std::size_t kept = colours == Colours::Kept ? colourLength(text) : 0;
        if (kept == 0 && (text[0] == '\n' || text[0] == '\t'))
            kept = 1;
        shown += text.substr(0, kept);
        text.remove_prefix(kept);
        if (kept > 0)
            continue;
        const std::size_t end = text.find_first_of("\n\t\x1b", 1);
        shown += shownText(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end);
    }
    return shown;
}

} // namespace pipescope
