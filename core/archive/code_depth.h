// How deep a parser would have to recurse over a text: one level for each open bracket and block, and one for each word
// of a term, since chains like a.b.c and 1 + 2 + 3 become trees as deep as they are long.
#pragma once

#include <string_view>
#include <vector>

namespace pipescope::archive {

inline constexpr int MaxBrackets = 200;                ///< open at one place
inline constexpr int MaxIndentations = 100;            ///< blocks open at one place
inline constexpr int MaxWordsInTerm = 4000;            ///< between two commas, the terms around included
inline constexpr int MaxWordsInStatement = 10'000'000; ///< a list of constants can be long
inline constexpr int MaxEmptyLines = 1000;             ///< in a row
inline constexpr int MaxElifs = 500;                   ///< in one file

class CodeDepth
{
public:
    /// Each returns what is too deep, or nullptr.
    const char *beginStatement(int indentation);
    const char *see(std::string_view word);

private:
    void leaveTerm();

    std::vector<int> m_terms{0}; ///< words of the current term, for each open bracket
    std::vector<int> m_indentations;
    int m_inTerms = 0; ///< sum of m_terms
    int m_inStatement = 0;
    int m_elifs = 0;
};

} // namespace pipescope::archive
