// The statements of one function, one after another with a look at the next, and its head taken apart.
#pragma once

#include "archive/code_index.h"
#include "archive/code_tokens.h"

#include <span>
#include <string_view>
#include <vector>

namespace pipescope::outline {

struct CodeParameter
{
    std::string_view name;
    std::string_view type;        ///< as written; "" for none
    std::string_view defaultText; ///< "" for none
};

/// Of "def name(self: T, x: Tensor=1) -> Tensor:", self included.
[[nodiscard]] std::vector<CodeParameter> parametersOf(const archive::CodeStatement &head);

/// The first line of a statement, without what stands before and behind it, cut to a length that can be shown.
[[nodiscard]] std::string_view firstLine(const archive::CodeStatement &statement);

/// Where the words of an assignment are divided: the position of its "=", or of words.size() where there is none.
[[nodiscard]] std::size_t assignmentIn(std::span<const archive::CodeWord> words);

class CodeBody
{
public:
    explicit CodeBody(const archive::CodeFunction &function, const std::string &record);

    /// False at the end, and where the rest is no code.
    [[nodiscard]] bool hasNext() const { return m_has; }
    [[nodiscard]] const archive::CodeStatement &next() const { return m_next; }
    archive::CodeStatement take();
    /// In the record.
    [[nodiscard]] int lineOf(const archive::CodeStatement &statement) const { return m_line + statement.line - 1; }
    [[nodiscard]] const std::string &record() const { return m_record; }

private:
    void read();

    archive::CodeReader m_reader;
    archive::CodeStatement m_next;
    bool m_has = false;
    int m_line;
    const std::string &m_record;
};

} // namespace pipescope::outline
