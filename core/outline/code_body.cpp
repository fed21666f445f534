#include "outline/code_body.h"

#include <algorithm>
#include <utility>

namespace pipescope::outline {

namespace {

using archive::CodeWord;

constexpr std::size_t LongestLine = 200;

bool isSign(const CodeWord &word, std::string_view signs)
{
    return word.kind == CodeWord::Kind::Sign && word.text.size() == 1 &&
           signs.find(word.text) != std::string_view::npos;
}

/// All that is written from one word to another.
std::string_view written(std::span<const CodeWord> words)
{
    if (words.empty())
        return {};
    const char *begin = words.front().text.data();
    return {begin, static_cast<std::size_t>(words.back().text.data() + words.back().text.size() - begin)};
}

CodeParameter parameterOf(std::span<const CodeWord> words)
{
    const auto at = [&](std::string_view sign) {
        return std::find_if(words.begin(), words.end(), [&](const CodeWord &word) { return isSign(word, sign); });
    };
    const auto equals = at("=");
    const auto colon = std::find_if(words.begin(), equals, [](const CodeWord &word) { return isSign(word, ":"); });
    CodeParameter parameter{words.front().text, {}, {}};
    if (colon != equals)
        parameter.type = written({colon + 1, equals});
    if (equals != words.end())
        parameter.defaultText = written({equals + 1, words.end()});
    return parameter;
}

} // namespace

std::vector<CodeParameter> parametersOf(const archive::CodeStatement &head)
{
    std::vector<CodeParameter> parameters;
    const std::span<const CodeWord> words(head.words);
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool ends = isSign(words[i], ")]}");
        depth -= ends ? 1 : 0;
        if ((depth == 0 && ends) || (depth == 1 && isSign(words[i], ","))) {
            if (begin < i && words[begin].kind == CodeWord::Kind::Name)
                parameters.push_back(parameterOf(words.subspan(begin, i - begin)));
            begin = i + 1;
            if (depth == 0)
                break;
        }
        if (isSign(words[i], "([{") && ++depth == 1)
            begin = i + 1;
    }
    return parameters;
}

std::string_view firstLine(const archive::CodeStatement &statement)
{
    std::string_view text = written(statement.words);
    text = text.substr(0, std::min(text.find('\n'), text.size()));
    if (text.size() > LongestLine) {
        std::size_t end = LongestLine;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) // not within a character
            --end;
        text = text.substr(0, end);
    }
    return text.substr(0, text.find_last_not_of(" \t\r") + 1);
}

std::size_t assignmentIn(std::span<const CodeWord> words)
{
    int depth = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        depth += isSign(words[i], "([{") ? 1 : isSign(words[i], ")]}") ? -1 : 0;
        if (depth != 0 || !isSign(words[i], "="))
            continue;
        const bool isComparison =
            (i > 0 && isSign(words[i - 1], "=<>!")) || (i + 1 < words.size() && isSign(words[i + 1], "="));
        if (!isComparison)
            return i;
    }
    return words.size();
}

CodeBody::CodeBody(const archive::CodeFunction &function, const std::string &record)
    : m_reader(function.code, record)
    , m_line(function.line)
    , m_record(record)
{
    read();
}

archive::CodeStatement CodeBody::take()
{
    archive::CodeStatement taken = std::move(m_next);
    read();
    return taken;
}

void CodeBody::read()
{
    m_next = {};
    const Result<bool> more = m_reader.next(m_next);
    m_has = more && *more;
}

} // namespace pipescope::outline
