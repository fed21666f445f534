// Where in the code of an archive each function and method stands, so that one can be read when it is called. Nothing
// is compiled and nothing is copied: what is found are parts of the text that was given.
#pragma once

#include "archive/code_tokens.h"
#include "base/result.h"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pipescope::archive {

struct CodeFunction
{
    std::string_view code; ///< from its "def" to its last line
    int line = 0;          ///< of the "def" in the record, 1-based
    int record = 0;        ///< position among those added
};

class CodeIndex
{
public:
    /// `code` must outlive the index; `record` is its name in the archive. Of two of one name the first counts.
    /// Error: InvalidFile; see code_tokens.h.
    Status add(std::string_view code, const std::string &record);

    /// `owner` is a class, "__torch__.model.Block", or for a function the file it stands in,
    /// "__torch__.torch.nn.functional"; null for none.
    [[nodiscard]] const CodeFunction *find(std::string_view owner, std::string_view name) const;
    /// The name of the record that a function stands in.
    [[nodiscard]] const std::string &recordOf(const CodeFunction &function) const
    {
        return m_records[static_cast<std::size_t>(function.record)];
    }

private:
    using Functions = std::map<std::string_view, CodeFunction>;
    std::map<std::string, Functions, std::less<>> m_owners;
    std::vector<std::string> m_records;
};

} // namespace pipescope::archive
