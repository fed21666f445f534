// Reads the small texts that users write on the command line and in plans (chunk specs, input specs, placements):
// words, numbers, quoted strings and bracketed lists, with errors that say the column, what was expected and what was
// found.
#pragma once

#include "base/quoted_text.h"
#include "base/result.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace pipescope {

/// Walks over a text; every read skips blanks first. The text must outlive it.
class SpecReader
{
public:
    /// The longest text and the deepest nesting that are accepted, in bytes and brackets.
    static constexpr std::size_t MaxLength = std::size_t{64} * 1024;
    static constexpr int MaxDepth = 64;

    explicit SpecReader(std::string_view text)
        : m_text(text)
    {
    }

    /// Error: the text is longer than MaxLength.
    [[nodiscard]] Status checkLength() const;

    [[nodiscard]] bool atEnd();
    /// The next character; '\0' at the end.
    [[nodiscard]] char peek();
    /// Takes the next character if it is this one.
    [[nodiscard]] bool take(char wanted);
    /// Letters, digits and underscores, not beginning with a digit; empty when there is no word.
    [[nodiscard]] std::string_view word();
    /// As word(), with dots between words.
    [[nodiscard]] std::string_view dottedWord();
    /// The longest run that looks like a number (or "inf", "nan" with a sign); empty when there is none.
    [[nodiscard]] std::string_view number();
    /// Everything up to one of `stops`, or up to the end, without trailing blanks.
    [[nodiscard]] std::string_view until(std::string_view stops);
    /// A string in single or double quotes, with the escapes that quotedText() writes.
    Result<std::string> quoted();
    /// A dotted word or a quoted string.
    Result<std::string> key();
    /// An integer that fits T (int, std::int64_t, std::uint64_t), called `what` in errors.
    template <class T>
    Result<T> integer(std::string_view what);

    /// Reads items up to `close`, separated by commas; one comma may follow the last. The opening bracket was taken.
    Status items(char close, const std::function<Status()> &item);
    /// Reads "key: value" up to '}', likewise; `value` reads what stands after the colon. Error: a key is given twice.
    Status entries(const std::function<Status(std::string key)> &value);
    /// Brackets of items() and entries() that are open.
    [[nodiscard]] int depth() const { return m_depth; }

    /// "expected <what>, found 'x' at column 5"; `where` is "column 5". Extra text, such as a suggestion, goes to the
    /// end.
    [[nodiscard]] Error expected(std::string_view what, std::string_view extra = {});
    /// The same for something that was read already: `problem` says all, the column is that of the last read.
    [[nodiscard]] Error wrong(std::string_view problem) const;

private:
    void skipBlanks();
    [[nodiscard]] std::string_view takeWhile(const std::function<bool(char, std::size_t)> &accepted);
    [[nodiscard]] std::string columnOf(std::size_t position) const;

    std::string_view m_text;
    std::size_t m_position = 0;
    std::size_t m_lastRead = 0; // where the last word, number or string began
    int m_depth = 0;
};

/// The key as it is if it reads back as a dotted word, else quoted.
[[nodiscard]] std::string keyText(std::string_view key);

} // namespace pipescope
