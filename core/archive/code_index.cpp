#include "archive/code_index.h"

#include "archive/code_listing.h"

namespace pipescope::archive {

namespace {

constexpr int NotInside = -1;

/// Of the line that a statement begins.
const char *lineBegin(const CodeStatement &statement)
{
    return statement.words.front().text.data() - statement.indentation;
}

} // namespace

Status CodeIndex::add(std::string_view code, const std::string &record)
{
    const std::string file = qualifierOf(record);
    m_records.push_back(record);
    CodeReader reader(code, record);
    CodeStatement statement;
    std::string owner = file;
    int classIndentation = NotInside;
    CodeFunction *open = nullptr; // the function that the statements are in
    int openIndentation = NotInside;
    while (true) {
        const Result<bool> more = reader.next(statement);
        if (!more)
            return more.error();
        const char *here = *more ? lineBegin(statement) : code.data() + code.size();
        if (openIndentation != NotInside && (!*more || statement.indentation <= openIndentation)) {
            if (open != nullptr)
                open->code = {open->code.data(), static_cast<std::size_t>(here - open->code.data())};
            open = nullptr;
            openIndentation = NotInside;
        }
        if (!*more)
            return Success{};
        if (openIndentation != NotInside)
            continue;
        if (statement.indentation <= classIndentation) {
            classIndentation = NotInside;
            owner = file;
        }
        const std::string_view first = statement.words.front().text;
        if (first == "class" && statement.words.size() > 1) {
            owner = file + "." + std::string(statement.words[1].text);
            classIndentation = statement.indentation;
        } else if (first == "def" && statement.words.size() > 2) {
            const CodeFunction function{code.substr(static_cast<std::size_t>(here - code.data())), statement.line,
                                        static_cast<int>(m_records.size()) - 1};
            const auto [found, added] = m_owners[owner].try_emplace(statement.words[1].text, function);
            open = added ? &found->second : nullptr;
            openIndentation = statement.indentation;
        }
    }
}

const CodeFunction *CodeIndex::find(std::string_view owner, std::string_view name) const
{
    const auto functions = m_owners.find(owner);
    if (functions == m_owners.end())
        return nullptr;
    const auto function = functions->second.find(name);
    return function == functions->second.end() ? nullptr : &function->second;
}

} // namespace pipescope::archive
