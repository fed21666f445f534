#include "archive/code_tokens.h"

#include <algorithm>
#include <fmt/format.h>

namespace pipescope::archive {

namespace {

bool isNameStart(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80) != 0;
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

} // namespace

CodeReader::CodeReader(std::string_view code, std::string where)
    : m_code(code)
    , m_where(std::move(where))
{
}

Result<bool> CodeReader::next(CodeStatement &statement)
{
    statement.words.clear();
    while (m_problem == nullptr && skipBlanks()) {
        if (m_newStatement) {
            if (!statement.words.empty())
                return true;
            m_newStatement = false;
            statement.line = m_line;
            statement.indentation = static_cast<int>(m_at - m_lineBegin);
            m_problem = m_guard.beginStatement(statement.indentation);
        }
        if (m_problem == nullptr)
            readWord(statement);
    }
    if (m_problem != nullptr)
        return Error{m_problemCode,
                     fmt::format("{} in line {} of {}", m_problem, m_line, m_where),
                     fmt::format("{}:{}", m_where, m_line),
                     {}};
    return !statement.words.empty();
}

/// To the next word; false at the end or at a problem.
bool CodeReader::skipBlanks()
{
    while (m_problem == nullptr && m_at < m_code.size()) {
        const char c = m_code[m_at];
        if (c == '\n') {
            m_newStatement = m_newStatement || m_depth == 0;
            endLine();
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
            ++m_at;
        } else if (c == '#') {
            m_at = std::min(m_code.find('\n', m_at), m_code.size());
        } else if (m_code.substr(m_at, 2) == "\\\n") {
            ++m_at;
            endLine();
        } else {
            return true;
        }
    }
    return false;
}

void CodeReader::endLine()
{
    ++m_at;
    ++m_line;
    m_lineBegin = m_at;
    if (++m_emptyLines > MaxEmptyLines)
        m_problem = "there are too many empty lines";
}

void CodeReader::readWord(CodeStatement &statement)
{
    m_emptyLines = 0;
    const char c = m_code[m_at];
    CodeWord word;
    if (isNameStart(c))
        word = {CodeWord::Kind::Name, readWhile([](char d) { return isNameStart(d) || isDigit(d); })};
    else if (isDigit(c))
        word = {CodeWord::Kind::Number, readNumber()};
    else if (c == '"' || c == '\'')
        word = {CodeWord::Kind::String, readString(c)};
    else if (c > ' ' && c < 0x7f)
        word = {CodeWord::Kind::Sign, readSign(c)};
    else
        m_problem = "there is a byte that is not text";
    if (word.kind == CodeWord::Kind::Name && word.text.size() > MaxCodeName) {
        m_problem = "a name is longer than 64 KiB";
        m_problemCode = ErrorCode::Unsupported;
    }
    if (m_problem == nullptr)
        m_problem = m_guard.see(word.text);
    statement.words.push_back(word);
}

template <class Predicate>
std::string_view CodeReader::readWhile(Predicate belongs)
{
    const std::size_t begin = m_at;
    while (m_at < m_code.size() && belongs(m_code[m_at]))
        ++m_at;
    return m_code.substr(begin, m_at - begin);
}

std::string_view CodeReader::readNumber()
{
    char before = '\0';
    return readWhile([&](char c) {
        const bool exponentSign = (c == '+' || c == '-') && (before == 'e' || before == 'E');
        before = c;
        return isDigit(c) || isNameStart(c) || c == '.' || exponentSign;
    });
}

std::string_view CodeReader::readString(char quote)
{
    const std::size_t begin = m_at;
    const std::string three(3, quote);
    const std::string end = m_code.substr(m_at, 3) == three ? three : std::string(1, quote);
    m_at += end.size();
    while (m_at < m_code.size() && m_code.substr(m_at, end.size()) != end) {
        if (m_code[m_at] == '\n') {
            if (end.size() == 1)
                break;
            ++m_line;
        }
        m_at += m_code[m_at] == '\\' ? 2 : 1;
    }
    if (m_at >= m_code.size() || m_code[m_at] == '\n') {
        m_problem = "a string does not end";
        return {};
    }
    m_at += end.size();
    return m_code.substr(begin, m_at - begin);
}

std::string_view CodeReader::readSign(char c)
{
    if (c == '(' || c == '[' || c == '{')
        ++m_depth;
    if ((c == ')' || c == ']' || c == '}') && --m_depth < 0)
        m_problem = "a bracket is closed that was not opened";
    const std::size_t length = m_code.substr(m_at, 2) == "->" ? 2 : 1;
    m_at += length;
    return m_code.substr(m_at - length, length);
}

} // namespace pipescope::archive
