#include "archive/code_depth.h"

namespace pipescope::archive {

const char *CodeDepth::beginStatement(int indentation)
{
    m_terms.assign(1, 0);
    m_inTerms = 0;
    m_inStatement = 0;
    while (!m_indentations.empty() && m_indentations.back() > indentation)
        m_indentations.pop_back();
    if (m_indentations.empty() || m_indentations.back() < indentation)
        m_indentations.push_back(indentation);
    return m_indentations.size() > MaxIndentations ? "blocks are nested too deep" : nullptr;
}

const char *CodeDepth::see(std::string_view word)
{
    if (++m_inStatement > MaxWordsInStatement)
        return "a statement is too long";
    if (word == "elif" && ++m_elifs > MaxElifs)
        return "there are too many branches";
    m_inTerms += 1;
    m_terms.back() += 1;
    switch (word.size() == 1 ? word[0] : '\0') {
    case '(':
    case '[':
    case '{':
        m_terms.push_back(0);
        break;
    case ')':
    case ']':
    case '}':
        leaveTerm();
        if (m_terms.size() > 1)
            m_terms.pop_back();
        break;
    case ',':
        leaveTerm();
        break;
    default:
        break;
    }
    if (m_terms.size() > MaxBrackets)
        return "brackets are nested too deep";
    return m_inTerms > MaxWordsInTerm ? "an expression is too long" : nullptr;
}

void CodeDepth::leaveTerm()
{
    m_inTerms -= m_terms.back();
    m_terms.back() = 0;
}

} // namespace pipescope::archive
