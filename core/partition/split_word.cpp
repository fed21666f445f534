#include "partition/split_word.h"

#include "base/quoted_text.h"
#include "base/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace pipescope::partition {

namespace {

using Kind = SplitWord::Kind;

bool isNumber(std::string_view word)
{
    return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

} // namespace

SplitWordReader::SplitWordReader(const graph::ModelGraph &graph)
    : m_graph(graph)
{
    for (const graph::Node &node : graph.nodes)
        m_nodes.emplace(node.name, node.id);
    for (const graph::ModuleInfo &module : graph.modules)
        m_modules.insert(module.fqn);
    for (const graph::ModuleCall &call : graph.calls) {
        m_modules.insert(call.fqn);
        if (!call.inside.valid())
            m_called.insert(call.fqn);
    }
}

const graph::Node *SplitWordReader::node(std::string_view name) const
{
    const auto found = m_nodes.find(name);
    return found == m_nodes.end() ? nullptr : &m_graph.node(found->second);
}

SplitWord SplitWordReader::read(std::string_view given) const
{
    const std::string_view trimmedWord = trimmed(given);
    for (const std::string_view word : {given, trimmedWord}) {
        if (m_nodes.contains(word))
            return {Kind::Node, std::string(word), {}};
        if (m_called.contains(word) && !word.empty())
            return {Kind::Before, std::string(word), otherMeaning(word)};
    }
    if (!trimmedWord.empty() && isQuote(trimmedWord.front()))
        return readQuotedName(trimmedWord);
    return readNotation(trimmedWord);
}

SplitWord SplitWordReader::readNotation(std::string_view word) const
{
    // A colon in front: surely no name.
    const std::string_view bare = word.starts_with(':') ? word.substr(1) : word;
    if (bare == MarkersWord)
        return {Kind::Markers, {}, {}};
    if (isNumber(bare))
        return {Kind::Count, std::string(bare), {}};
    if (word.ends_with(EndSuffix))
        return {Kind::After, std::string(word.substr(0, word.size() - EndSuffix.size())), {}};
    return {Kind::Before, std::string(word), {}};
}

SplitWord SplitWordReader::readQuotedName(std::string_view word) const
{
    const ReadQuoted read = readQuoted(word);
    if (read.fault == QuoteFault::NoEnd)
        return {Kind::Faulty, fmt::format("the name that begins with {} has no end: {}", word.front(), word), {}};
    if (read.fault == QuoteFault::Escape)
        return {Kind::Faulty,
                fmt::format(R"(after a backslash in a quoted name \, ', ", n, r, t or xHH is expected: {})", word),
                {}};
    const std::string_view rest = trimmed(word.substr(read.end));
    if (rest == EndSuffix)
        return {Kind::After, read.text, {}};
    if (!rest.empty())
        return {Kind::Faulty, fmt::format("after a quoted name only {} can stand: {}", EndSuffix, word), {}};
    return {m_nodes.contains(read.text) ? Kind::Node : Kind::Before, read.text, {}};
}

std::string SplitWordReader::otherMeaning(std::string_view word) const
{
    const SplitWord other = readNotation(word);
    if (word.starts_with(':') && other.kind != Kind::After)
        return {}; // a model with such a name has no other word for it
    if (other.kind == Kind::Count)
        return fmt::format(":{} asks for so many stages, balanced", other.name);
    if (other.kind == Kind::Markers)
        return fmt::format(":{} are the author's markers", MarkersWord);
    if (other.kind == Kind::After && m_called.contains(other.name) && !other.name.empty())
        return fmt::format("{}{} is after the module '{}'", quotedText(other.name, '"'), EndSuffix, other.name);
    return {};
}

} // namespace pipescope::partition
