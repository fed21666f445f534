// The words of an archive's code, statement by statement: names, numbers, strings and signs, without any grammar. Also
// the guard in front of LibTorch's own parser, which recurses: text that nests too deep for it is refused here.
#pragma once

#include "archive/code_depth.h"
#include "base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace pipescope::archive {

inline constexpr std::size_t MaxCodeName = 64 << 10; ///< bytes: one name can be that of millions of methods

struct CodeWord
{
    enum class Kind { Name, Number, String, Sign };
    Kind kind = Kind::Sign;
    std::string_view text; ///< into the code; a sign is one character, or "->"
};

struct CodeStatement
{
    int line = 0;        ///< of its first word, 1-based
    int indentation = 0; ///< in blanks
    std::vector<CodeWord> words;
};

class CodeReader
{
public:
    /// `code` must outlive the reader and its words. `where` names the record in errors.
    CodeReader(std::string_view code, std::string where);

    /// The next statement with at least one word; false at the end.
    /// Error: InvalidFile with the line of what is no TorchScript, or of what nests too deep; Unsupported with that of
    /// a name longer than MaxCodeName, which is no damage.
    Result<bool> next(CodeStatement &statement);

private:
    bool skipBlanks();
    void endLine();
    void readWord(CodeStatement &statement);
    std::string_view readNumber();
    std::string_view readString(char quote);
    std::string_view readSign(char c);
    template <class Predicate>
    std::string_view readWhile(Predicate belongs);

    std::string_view m_code;
    std::string m_where;
    std::size_t m_at = 0;
    std::size_t m_lineBegin = 0;
    int m_line = 1;
    int m_depth = 0; ///< brackets open
    int m_emptyLines = 0;
    bool m_newStatement = true;
    const char *m_problem = nullptr;
    ErrorCode m_problemCode = ErrorCode::InvalidFile;
    CodeDepth m_guard;
};

} // namespace pipescope::archive
