// Text in quotes, as users write it on the command line and in plans: names and strings with characters in them that
// would mean something else.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace pipescope {

/// Length in bytes of the UTF-8 sequence that `text` begins with; 0 where none does (overlong forms and surrogates are
/// none). `text` is not empty.
[[nodiscard]] std::size_t utf8SequenceLength(std::string_view text);

[[nodiscard]] bool isUtf8(std::string_view text);

/// In quotes, with \\, \n, \r, \t, \xHH and the quote itself after a backslash for what cannot stand for itself, bytes
/// that are no UTF-8 included.
[[nodiscard]] std::string quotedText(std::string_view text, char quote = '\'');

[[nodiscard]] inline bool isQuote(char c)
{
    return c == '\'' || c == '"';
}

enum class QuoteFault {
    None,
    Escape, ///< a backslash that begins no escape
    NoEnd,  ///< the quotes do not close
};

struct ReadQuoted
{
    std::string text; ///< what stands in the quotes; not whole with a fault
    QuoteFault fault = QuoteFault::None;
    std::size_t end = 0; ///< after the closing quote; with a fault after the backslash, or where the text ends
};

/// Reads the string in single or double quotes that begins at `position`, where a quote stands, with the escapes that
/// quotedText() writes.
[[nodiscard]] ReadQuoted readQuoted(std::string_view text, std::size_t position = 0);

} // namespace pipescope
