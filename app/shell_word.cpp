#include "shell_word.h"

#include <algorithm>
#include <cctype>
#include <fmt/format.h>

namespace pipescope::app {

namespace {

bool isPlain(char c)
{
    constexpr std::string_view Marks = "_@%+=:,./-";
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isalnum(byte) != 0 || Marks.find(c) != std::string_view::npos;
}

} // namespace

std::string shellWord(std::string_view text)
{
    if (!text.empty() && std::all_of(text.begin(), text.end(), isPlain))
        return std::string(text);
    if (text.find('\'') == std::string_view::npos)
        return fmt::format("'{}'", text);
    if (text.find_first_of("\"$`\\!") == std::string_view::npos)
        return fmt::format("\"{}\"", text);
    std::string word = "'";
    for (const char c : text)
        word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

} // namespace pipescope::app
