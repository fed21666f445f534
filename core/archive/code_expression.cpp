#include "archive/code_expression.h"

#include <algorithm>
#include <array>

namespace pipescope::archive {

namespace {

using TermKind = CodeTerm::Kind;
using WordKind = CodeWord::Kind;

bool isOneOf(std::string_view text, std::span<const std::string_view> all)
{
    return std::find(all.begin(), all.end(), text) != all.end();
}

bool isPrefix(const CodeWord &word)
{
    constexpr std::array<std::string_view, 4> Prefixes{"-", "+", "~", "not"};
    return word.kind != WordKind::String && isOneOf(word.text, Prefixes);
}

bool isInfix(const CodeWord &word)
{
    constexpr std::array<std::string_view, 19> Infixes{"+", "-", "*", "/",  "%",   "@",  "<",  ">",  "=",  "!",
                                                       "&", "|", "^", "if", "and", "or", "in", "is", "not"};
    return word.kind != WordKind::String && (isOneOf(word.text, Infixes) || word.text == "else");
}

/// By descent; the words' own guard (code_depth.h) bounds how deep.
class Parser
{
public:
    explicit Parser(std::span<const CodeWord> words)
        : m_words(words)
    {
    }

    std::optional<CodeExpression> run()
    {
        std::vector<TermRef> items;
        bool hasComma = false;
        while (m_at < m_words.size() && !m_failed) {
            items.push_back(expression());
            if (m_at < m_words.size()) {
                hasComma = true;
                expect(",");
            }
        }
        if (m_failed || items.empty())
            return std::nullopt;
        m_result.root = hasComma ? add({TermKind::Tuple, {}, std::move(items), {}}) : items.front();
        return std::move(m_result);
    }

private:
    TermRef add(CodeTerm term)
    {
        m_result.terms.push_back(std::move(term));
        return TermRef{static_cast<int>(m_result.terms.size()) - 1};
    }

    [[nodiscard]] bool at(std::string_view sign) const
    {
        return m_at < m_words.size() && m_words[m_at].kind != WordKind::String && m_words[m_at].text == sign;
    }

    bool skip(std::string_view sign)
    {
        const bool there = at(sign);
        m_at += there ? 1 : 0;
        return there;
    }

    void expect(std::string_view sign) { m_failed = m_failed || !skip(sign); }

    TermRef expression()
    {
        std::vector<TermRef> operands{operand()};
        std::string_view sign;
        while (!m_failed && m_at < m_words.size() && isInfix(m_words[m_at])) {
            if (sign.empty())
                sign = m_words[m_at].text;
            while (m_at < m_words.size() && isInfix(m_words[m_at])) // "==", "is not", "* -"
                ++m_at;
            operands.push_back(operand());
        }
        return operands.size() == 1 ? operands.front() : add({TermKind::Infix, sign, std::move(operands), {}});
    }

    TermRef operand()
    {
        while (m_at < m_words.size() && isPrefix(m_words[m_at]))
            ++m_at;
        TermRef term = primary();
        while (!m_failed && m_at < m_words.size()) {
            if (skip(".")) {
                term = attribute(term);
            } else if (skip("(")) {
                term = call(term);
            } else if (skip("[")) {
                CodeTerm index{TermKind::Index, {}, {term}, {}};
                items("]", index);
                term = add(std::move(index));
            } else {
                break;
            }
        }
        return term;
    }

    TermRef attribute(TermRef of)
    {
        if (m_at >= m_words.size() || m_words[m_at].kind != WordKind::Name) {
            m_failed = true;
            return of;
        }
        return add({TermKind::Attribute, m_words[m_at++].text, {of}, {}});
    }

    TermRef call(TermRef callee)
    {
        CodeTerm term{TermKind::Call, {}, {callee}, {}};
        while (!m_failed && !skip(")")) {
            skip("*"); // f(*args)
            const bool isNamed = m_at + 1 < m_words.size() && m_words[m_at].kind == WordKind::Name &&
                                 m_words[m_at + 1].text == "=" &&
                                 (m_at + 2 >= m_words.size() || m_words[m_at + 2].text != "=");
            term.names.push_back(isNamed ? m_words[m_at].text : std::string_view());
            m_at += isNamed ? 2 : 0;
            term.items.push_back(expression());
            if (!at(")"))
                expect(",");
        }
        return add(std::move(term));
    }

    TermRef primary()
    {
        if (m_failed || m_at >= m_words.size()) {
            m_failed = true;
            return {};
        }
        const CodeWord &word = m_words[m_at++];
        if (word.kind == WordKind::Name)
            return add({TermKind::Name, word.text, {}, {}});
        if (word.kind == WordKind::Number || word.kind == WordKind::String) {
            while (m_at < m_words.size() && m_words[m_at].kind == WordKind::String) // "a" "b" is one string
                ++m_at;
            return add({TermKind::Literal, word.text, {}, {}});
        }
        if (word.text == "(")
            return inBrackets();
        CodeTerm term{word.text == "{" ? TermKind::Dict : TermKind::List, {}, {}, {}};
        if (word.text != "[" && word.text != "{")
            m_failed = true;
        else
            items(word.text == "[" ? "]" : "}", term);
        return add(std::move(term));
    }

    TermRef inBrackets()
    {
        CodeTerm tuple{TermKind::Tuple, {}, {}, {}};
        const bool hasComma = items(")", tuple);
        return tuple.items.size() == 1 && !hasComma ? tuple.items.front() : add(std::move(tuple));
    }

    /// Up to the closing bracket; true where there was more than one, or a comma. "[1:, 2]" leaves places empty.
    bool items(std::string_view end, CodeTerm &term)
    {
        bool hasComma = false;
        while (!m_failed && !skip(end)) {
            if (skip(",") || skip(":")) {
                hasComma = true;
                continue;
            }
            if (m_at >= m_words.size()) {
                m_failed = true;
                break;
            }
            term.items.push_back(expression());
            if (!at(end) && !at(",") && !at(":"))
                m_failed = true;
        }
        return hasComma;
    }

    std::span<const CodeWord> m_words;
    std::size_t m_at = 0;
    bool m_failed = false;
    CodeExpression m_result;
};

} // namespace

std::optional<CodeExpression> parseExpression(std::span<const CodeWord> words)
{
    return Parser(words).run();
}

} // namespace pipescope::archive
