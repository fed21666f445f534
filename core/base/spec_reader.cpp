#include "base/spec_reader.h"

#include "base/text.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <fmt/format.h>
#include <set>
#include <system_error>
#include <utility>

namespace pipescope {

namespace {

constexpr std::string_view Blanks = " \t\r\n";

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

} // namespace

Status SpecReader::checkLength() const
{
    if (m_text.size() > MaxLength)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("the text is {} long; at most {} are read",
                                 formatBytes(static_cast<std::int64_t>(m_text.size())),
                                 formatBytes(static_cast<std::int64_t>(MaxLength))),
                     {},
                     {}};
    return Success{};
}

void SpecReader::skipBlanks()
{
    m_position = std::min(m_text.find_first_not_of(Blanks, m_position), m_text.size());
}

bool SpecReader::atEnd()
{
    skipBlanks();
    return m_position == m_text.size();
}

char SpecReader::peek()
{
    return atEnd() ? '\0' : m_text[m_position];
}

bool SpecReader::take(char wanted)
{
    if (atEnd() || m_text[m_position] != wanted)
        return false;
    m_lastRead = m_position++;
    return true;
}

std::string_view SpecReader::takeWhile(const std::function<bool(char, std::size_t)> &accepted)
{
    skipBlanks();
    m_lastRead = m_position;
    while (m_position < m_text.size() && accepted(m_text[m_position], m_position - m_lastRead))
        ++m_position;
    return m_text.substr(m_lastRead, m_position - m_lastRead);
}

std::string_view SpecReader::word()
{
    return takeWhile([](char c, std::size_t at) { return isLetter(c) || (at > 0 && isDigit(c)); });
}

std::string_view SpecReader::dottedWord()
{
    return takeWhile([](char c, std::size_t at) { return isLetter(c) || (at > 0 && (isDigit(c) || c == '.')); });
}

std::string_view SpecReader::number()
{
    char previous = '\0';
    const bool begins = isDigit(peek()) || peek() == '-' || peek() == '+' || peek() == '.';
    return takeWhile([&](char c, std::size_t at) {
        const bool sign = (c == '-' || c == '+') && (at == 0 || previous == 'e' || previous == 'E');
        previous = c;
        return begins && (sign || isDigit(c) || isLetter(c) || c == '.');
    });
}

std::string_view SpecReader::until(std::string_view stops)
{
    skipBlanks();
    m_lastRead = m_position;
    m_position = std::min(m_text.find_first_of(stops, m_position), m_text.size());
    return trimmed(m_text.substr(m_lastRead, m_position - m_lastRead));
}

Result<std::string> SpecReader::quoted()
{
    const char quote = peek();
    if (!isQuote(quote))
        return expected("a string in quotes");
    const std::size_t begin = m_position;
    ReadQuoted read = readQuoted(m_text, begin);
    m_position = read.end;
    if (read.fault == QuoteFault::Escape)
        return expected(R"(\\, \', \", \n, \r, \t or \xHH after a backslash)");
    m_lastRead = begin;
    if (read.fault == QuoteFault::NoEnd)
        return wrong(fmt::format("the string that begins with {} has no end", quote));
    return std::move(read.text);
}

Result<std::string> SpecReader::key()
{
    if (isQuote(peek()))
        return quoted();
    const std::string_view plain = dottedWord();
    if (plain.empty())
        return expected("a name");
    return std::string(plain);
}

template <class T>
Result<T> SpecReader::integer(std::string_view what)
{
    std::string_view text = number();
    if (text.starts_with('+'))
        text.remove_prefix(1);
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc::result_out_of_range)
        return wrong(fmt::format("{} is too large or too small for {}", text, what));
    if (error != std::errc() || end != text.data() + text.size()) {
        m_position = m_lastRead;
        return expected(what);
    }
    return value;
}

template Result<int> SpecReader::integer<int>(std::string_view);
template Result<std::int64_t> SpecReader::integer<std::int64_t>(std::string_view);
template Result<std::uint64_t> SpecReader::integer<std::uint64_t>(std::string_view);

Status SpecReader::items(char close, const std::function<Status()> &item)
{
    if (m_depth == MaxDepth)
        return wrong(fmt::format("nested more than {} deep", MaxDepth));
    ++m_depth;
    while (!take(close)) {
        if (auto ok = item(); !ok)
            return ok;
        if (!take(',') && peek() != close)
            return expected(fmt::format("',' or '{}'", close));
    }
    --m_depth;
    return Success{};
}

Status SpecReader::entries(const std::function<Status(std::string key)> &value)
{
    std::set<std::string> known;
    return items('}', [&]() -> Status {
        Result<std::string> name = key();
        if (!name)
            return name.error();
        if (!known.insert(*name).second)
            return wrong(fmt::format("{} is given twice", quotedText(*name)));
        if (!take(':'))
            return expected("':'");
        return value(*std::move(name));
    });
}

std::string SpecReader::columnOf(std::size_t position) const
{
    return fmt::format("column {}", displayWidth(m_text.substr(0, position)) + 1);
}

Error SpecReader::expected(std::string_view what, std::string_view extra)
{
    skipBlanks();
    const std::string column = columnOf(m_position);
    std::string found = "the end";
    if (m_position < m_text.size()) {
        const std::size_t begin = m_position;
        std::string_view seen = takeWhile([](char c, std::size_t) { return isLetter(c) || isDigit(c) || c == '.'; });
        if (seen.empty())
            seen = m_text.substr(begin, std::max<std::size_t>(1, utf8SequenceLength(m_text.substr(begin))));
        const bool unprintable = utf8SequenceLength(seen) == 0 || static_cast<unsigned char>(seen[0]) < 0x20;
        found = unprintable ? fmt::format("byte {:#04x}", static_cast<unsigned char>(seen[0]))
                            : fmt::format("'{}'", seen.substr(0, 40));
        m_position = begin;
    }
    return {ErrorCode::InvalidArgument,
            fmt::format("expected {}, found {} at {}.{}", what, found, column, extra),
            column,
            {}};
}

Error SpecReader::wrong(std::string_view problem) const
{
    const std::string column = columnOf(std::min(m_lastRead, m_text.size()));
    return {ErrorCode::InvalidArgument, fmt::format("{} at {}", problem, column), column, {}};
}

std::string keyText(std::string_view key)
{
    SpecReader reader(key);
    return !key.empty() && reader.dottedWord() == key ? std::string(key) : quotedText(key);
}

} // namespace pipescope
