#include "partition/split_point.h"

#include "base/quoted_text.h"
#include "base/text.h"
#include "partition/split_word.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <unordered_map>

namespace pipescope::partition {

namespace {

using graph::ModelGraph;
using graph::ModuleCall;
using Calls = std::vector<const ModuleCall *>;

class PointNamer
{
public:
    explicit PointNamer(const ModelGraph &graph)
        : m_graph(graph)
        , m_reader(graph)
    {
        for (const ModuleCall &call : graph.calls) {
            if (call.inside.valid() || call.fqn.empty())
                continue;
            ++m_timesCalled[call.fqn];
            if (call.begin == call.end)
                continue;
            m_beginning[call.begin].push_back(&call);
            m_ending[call.end].push_back(&call);
        }
        for (auto *side : {&m_beginning, &m_ending}) {
            for (auto &[position, calls] : *side)
                std::stable_sort(calls.begin(), calls.end(), [](const ModuleCall *a, const ModuleCall *b) {
                    return a->end - a->begin > b->end - b->begin;
                });
        }
    }

    SplitPoint name(const Cut &cut) const
    {
        const graph::Node &node = m_graph.at(cut.position);
        SplitPoint point{nameWord(node.name), node.fqn, cut};
        if (const auto beginning = m_beginning.find(cut.position); beginning != m_beginning.end())
            nameAfter(beginning->second, {}, point);
        else if (const auto ending = m_ending.find(cut.position); ending != m_ending.end())
            nameAfter(ending->second, EndSuffix, point);
        return point;
    }

private:
    void nameAfter(const Calls &outermostFirst, std::string_view suffix, SplitPoint &point) const
    {
        point.fqn = outermostFirst.front()->fqn;
        for (const ModuleCall *call : outermostFirst) {
            const std::string id = nameWord(call->fqn) + std::string(suffix);
            const SplitWord meant{suffix.empty() ? SplitWord::Kind::Before : SplitWord::Kind::After, call->fqn, {}};
            if (m_timesCalled.at(call->fqn) == 1 && m_reader.read(id) == meant) {
                point.id = id;
                point.fqn = call->fqn;
                return;
            }
        }
    }

    const ModelGraph &m_graph;
    SplitWordReader m_reader;
    std::unordered_map<std::string, int> m_timesCalled; // at the top level
    std::map<int, Calls> m_beginning;                   // by position, outermost first
    std::map<int, Calls> m_ending;
};

} // namespace

std::string nameWord(std::string_view name)
{
    const bool isPlain = !name.empty() && !isQuote(name.front()) && trimmed(name) == name && isUtf8(name) &&
                         std::none_of(name.begin(), name.end(), [](unsigned char c) { return c == ',' || c < 0x20; });
    return isPlain ? std::string(name) : quotedText(name, '"');
}

Result<std::vector<std::string>> separateWords(std::string_view text)
{
    std::vector<std::string> words;
    std::size_t begin = 0;
    while (true) {
        std::size_t at = std::min(text.find_first_not_of(" \t\r\n", begin), text.size());
        if (at < text.size() && isQuote(text[at])) {
            const ReadQuoted quoted = readQuoted(text, at);
            if (quoted.fault == QuoteFault::NoEnd)
                return Error{ErrorCode::InvalidArgument,
                             fmt::format("the name that begins with {} has no end: {}; a name that has a quote itself "
                                         "is written in the other quotes",
                                         text[at], text.substr(at)),
                             std::string(text),
                             {}};
            at = quoted.end;
        }
        const std::size_t comma = text.find(',', at);
        words.emplace_back(trimmed(text.substr(begin, comma == std::string_view::npos ? comma : comma - begin)));
        if (comma == std::string_view::npos)
            return words;
        begin = comma + 1;
    }
}

std::vector<SplitPoint> splitPoints(const ModelGraph &graph)
{
    const PointNamer namer(graph);
    std::vector<SplitPoint> points;
    for (const Cut &cut : allCuts(graph))
        points.push_back(namer.name(cut));
    return points;
}

} // namespace pipescope::partition
