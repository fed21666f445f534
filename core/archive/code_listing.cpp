#include "archive/code_listing.h"

#include "archive/code_tokens.h"
#include "base/text.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace pipescope::archive {

std::string qualifierOf(std::string_view record)
{
    constexpr std::string_view Folder = "code/";
    constexpr std::string_view Ending = ".py";
    if (record.substr(0, Folder.size()) == Folder)
        record.remove_prefix(Folder.size());
    if (record.size() >= Ending.size() && record.substr(record.size() - Ending.size()) == Ending)
        record.remove_suffix(Ending.size());
    std::string qualifier(record);
    std::replace(qualifier.begin(), qualifier.end(), '/', '.');
    return qualifier;
}

std::optional<std::string> operatorOf(std::span<const std::string_view> path)
{
    if (path.size() == 2 && path[0] == "torch" && path[1] != "device") // torch.device("cpu") is a constant
        return "aten::" + std::string(path[1]);
    if (path.size() == 3 && path[0] == "torch" && path[1] == "autograd")
        return "aten::" + std::string(path[2]);
    if (path.size() == 3 && path[0] == "ops")
        return std::string(path[1]) + "::" + std::string(path[2]);
    return std::nullopt;
}

namespace {

using WordKind = CodeWord::Kind;

class Lister
{
public:
    Lister(const std::string &record, CodeListing &listing)
        : m_qualifier(qualifierOf(record))
        , m_listing(listing)
    {
    }

    void see(const CodeStatement &statement)
    {
        if (statement.indentation <= m_classIndentation)
            leaveClass();
        if (statement.indentation <= m_methodIndentation)
            m_methodIndentation = NotInside;
        const std::string_view first = statement.words[0].text;
        if (first == "class" && statement.words.size() > 1)
            return enterClass(statement);
        if (first == "def" && statement.words.size() > 2)
            return addMethod(statement);
        if (m_methodIndentation == NotInside && first == "__parameters__" && !m_class.empty())
            return addParameters(statement);
        if (m_methodIndentation == NotInside && m_inNamedTuple)
            return addFieldTypes(statement);
        countCalls(statement);
    }

private:
    static constexpr int NotInside = -1;

    void leaveClass()
    {
        m_classIndentation = NotInside;
        m_methodIndentation = NotInside;
        m_inNamedTuple = false;
        m_class.clear();
    }

    void enterClass(const CodeStatement &statement)
    {
        const std::vector<CodeWord> &words = statement.words;
        m_class = m_qualifier + "." + std::string(words[1].text);
        m_classIndentation = statement.indentation;
        CodeClass &added = m_listing.classes[m_class];
        count(sizeof added + m_class.size());
        const bool hasBase = words.size() > 3 && words[2].text == "(" && words[3].kind == WordKind::Name;
        if (hasBase)
            added.base = words[3].text;
        m_inNamedTuple = hasBase && added.base == "NamedTuple"; // here, whatever an earlier class of this name was
    }

    void addMethod(const CodeStatement &statement)
    {
        m_methodIndentation = statement.indentation;
        const std::vector<CodeWord> &words = statement.words;
        const char *begin = words[2].text.data();
        const CodeWord &last = words.back();
        const char *end = last.text == ":" ? last.text.data() : last.text.data() + last.text.size();
        CodeMethod method;
        method.className = m_class.empty() ? m_qualifier : m_class;
        method.name = words[1].text;
        method.signature = signatureText({begin, static_cast<std::size_t>(end - begin)});
        method.line = statement.line;
        count(sizeof method + method.className.size() + method.name.size() + method.signature.size());
        m_listing.methods.push_back(std::move(method));
    }

    /// On one line, and without the type of self, which is the class.
    [[nodiscard]] std::string signatureText(std::string_view written) const
    {
        std::string text;
        for (std::size_t i = 0; i < written.size(); ++i) {
            if (written[i] != '\n') {
                text += written[i];
                continue;
            }
            while (i + 1 < written.size() && (written[i + 1] == ' ' || written[i + 1] == '\t'))
                ++i;
            text += ' ';
        }
        const std::string selfType = ": " + m_class;
        const std::size_t at = text.find(selfType);
        const std::size_t after = at == std::string::npos ? at : at + selfType.size();
        if (!m_class.empty() && after < text.size() && text.find(',') >= after &&
            (text[after] == ',' || text[after] == ')'))
            text.erase(at, selfType.size());
        return text;
    }

    void addParameters(const CodeStatement &statement)
    {
        std::vector<std::string> &parameters = m_listing.classes[m_class].parameters;
        for (const CodeWord &word : statement.words) {
            if (word.kind != WordKind::String || word.text.size() < 2)
                continue;
            parameters.emplace_back(word.text.substr(1, word.text.size() - 2));
            count(sizeof(std::string) + word.text.size());
        }
    }

    /// A field is "name : type", its type made of names, dots and brackets.
    void addFieldTypes(const CodeStatement &statement)
    {
        std::vector<std::string> &types = m_listing.classes[m_class].fieldTypes;
        bool isName = true;
        forEachPath(statement, [&](const std::vector<std::string_view> &path, bool) {
            if (std::exchange(isName, false))
                return;
            types.push_back(fmt::format("{}", fmt::join(path, ".")));
            count(sizeof(std::string) + types.back().size());
        });
    }

    void countCalls(const CodeStatement &statement)
    {
        forEachPath(statement, [&](const std::vector<std::string_view> &path, bool isCalled) {
            const auto name = isCalled ? operatorOf(path) : std::nullopt;
            if (name && ++m_listing.calls[*name] == 1)
                count(sizeof(std::string) + name->size());
        });
    }

    void count(std::size_t bytes) { m_listing.bytes += bytes; }

    /// Each dotted name of a statement that stands alone, and whether it is called.
    template <class Function>
    static void forEachPath(const CodeStatement &statement, Function see)
    {
        const std::vector<CodeWord> &words = statement.words;
        std::vector<std::string_view> path;
        for (std::size_t i = 0; i < words.size(); ++i) {
            const bool continues = i > 0 && words[i - 1].text == ".";
            if (words[i].kind != WordKind::Name || continues)
                continue;
            path.assign(1, words[i].text);
            std::size_t next = i + 1;
            while (next + 1 < words.size() && words[next].text == "." && words[next + 1].kind == WordKind::Name) {
                path.push_back(words[next + 1].text);
                next += 2;
            }
            see(path, next < words.size() && words[next].text == "(");
        }
    }

    std::string m_qualifier;
    CodeListing &m_listing;
    std::string m_class; ///< qualified; "" outside
    bool m_inNamedTuple = false;
    int m_classIndentation = NotInside;
    int m_methodIndentation = NotInside;
};

} // namespace

Status listCode(std::string_view code, const std::string &record, CodeListing &listing, std::size_t mostBytes)
{
    CodeReader reader(code, record);
    Lister lister(record, listing);
    CodeStatement statement;
    while (true) {
        const Result<bool> more = reader.next(statement);
        if (!more)
            return more.error();
        if (!*more)
            return Success{};
        lister.see(statement);
        if (listing.bytes > mostBytes)
            return Error{ErrorCode::InvalidFile,
                         fmt::format("the names in its code are longer than {} together in line {} of {}",
                                     formatBytes(static_cast<std::int64_t>(mostBytes)), statement.line, record),
                         fmt::format("{}:{}", record, statement.line),
                         {}};
    }
}

} // namespace pipescope::archive
