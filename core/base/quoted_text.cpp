#include "base/quoted_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace pipescope {

namespace {

int hexValue(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/// What the escape at `position`, after its backslash, stands for; `position` moves past it. Nothing where none is.
std::optional<char> readEscape(std::string_view text, std::size_t &position)
{
    constexpr std::string_view Escapes = "\\'\"nrt";
    constexpr std::string_view Meanings = "\\'\"\n\r\t";
    const char escape = position < text.size() ? text[position] : '\0';
    if (const std::size_t known = Escapes.find(escape); known != std::string_view::npos) {
        ++position;
        return Meanings[known];
    }
    if (escape != 'x' || position + 2 >= text.size())
        return std::nullopt;
    const int high = hexValue(text[position + 1]);
    const int low = hexValue(text[position + 2]);
    if (high < 0 || low < 0)
        return std::nullopt;
    position += 3;
    return static_cast<char>(high * 16 + low);
}

} // namespace

std::size_t utf8SequenceLength(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char lead = byte(0);
    if (lead < 0x80)
        return 1;
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4 || text.size() < length)
        return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80)
            return 0;
    }
    const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
    const bool outside = (lead == 0xED && byte(1) > 0x9F) || (lead == 0xF4 && byte(1) > 0x8F);
    return overlong || outside ? 0 : length;
}

bool isUtf8(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t length = utf8SequenceLength(text);
        if (length == 0)
            return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string quotedText(std::string_view text, char quote)
{
    std::string result(1, quote);
    while (!text.empty()) {
        const std::size_t length = utf8SequenceLength(text);
        const char c = text[0];
        if (c == quote || c == '\\')
            result += std::string{'\\', c};
        else if (c == '\n' || c == '\r' || c == '\t')
            result += c == '\n' ? "\\n" : c == '\r' ? "\\r" : "\\t";
        else if (length == 0 || static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else
            result += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(1, length));
    }
    return result + quote;
}

ReadQuoted readQuoted(std::string_view text, std::size_t position)
{
    const char quote = text[position++];
    ReadQuoted read;
    while (position < text.size()) {
        const char c = text[position++];
        if (c == quote) {
            read.end = position;
            return read;
        }
        if (c != '\\') {
            read.text += c;
            continue;
        }
        const std::optional<char> meant = readEscape(text, position);
        if (!meant) {
            read.fault = QuoteFault::Escape;
            read.end = position;
            return read;
        }
        read.text += *meant;
    }
    read.fault = QuoteFault::NoEnd;
    read.end = text.size();
    return read;
}

} // namespace pipescope
