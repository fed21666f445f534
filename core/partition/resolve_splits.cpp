#include "base/text.h"
#include "partition/split_point.h"
#include "partition/split_word.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace pipescope::partition {

namespace {

using graph::ModelGraph;
using graph::ModuleCall;
using graph::ModuleInfo;
using graph::Node;
using Positions = std::vector<int>;

class Resolver
{
public:
    explicit Resolver(const ModelGraph &graph)
        : m_graph(graph)
    {
        for (const Node &node : graph.nodes)
            m_nodes.emplace(node.name, node.id);
        for (int position = 0; position < graph.size(); ++position)
            m_positions.emplace(graph.at(position).id.value, position);
        for (const ModuleInfo &module : graph.modules)
            m_modules.emplace(module.fqn);
        for (const ModuleCall &call : graph.calls)
            m_modules.emplace(call.fqn);
    }

    Result<Positions> positionsOf(const std::string &word) const
    {
        if (word.empty())
            return Error{ErrorCode::InvalidArgument, "a split point is empty; name a module or a node", word, {}};
        if (const auto node = m_nodes.find(word); node != m_nodes.end())
            return beforeNode(m_graph.node(node->second), word);
        if (word == MarkersWord)
            return atMarkers();
        if (isStageCount(word))
            return stageCountError(word);
        if (word.ends_with(EndSuffix))
            return atCalls(word.substr(0, word.size() - EndSuffix.size()), word, &ModuleCall::end);
        if (word.find('/') != std::string::npos)
            return unknownNode(word);
        return atCalls(word, word, &ModuleCall::begin);
    }

private:
    static Error unsupported(std::string message, const std::string &word)
    {
        return {ErrorCode::Unsupported, std::move(message), word, {}};
    }

    const Node &topLevel(NodeId id) const
    {
        while (m_graph.node(id).parent.valid())
            id = m_graph.node(id).parent;
        return m_graph.node(id);
    }

    Result<Positions> beforeNode(const Node &node, const std::string &word) const
    {
        if (node.parent.valid()) {
            const Node &outer = topLevel(node.id);
            return unsupported(fmt::format("'{}' is inside {}, which runs as one piece; a model can be split before or "
                                           "after that, not within it",
                                           word, describe(outer)),
                               word);
        }
        return Positions{m_positions.at(node.id.value)};
    }

    Result<Positions> atMarkers() const
    {
        const std::string word(MarkersWord);
        if (m_graph.markers.empty())
            return Error{ErrorCode::NotFound,
                         "the model has no split markers (pipe_split(), pipescope::split or pipescope::boundary); name "
                         "modules or nodes instead",
                         word,
                         {}};
        Positions positions;
        for (const graph::Marker &marker : m_graph.markers) {
            if (marker.inside.valid())
                return unsupported(
                    fmt::format("the split marker{} is inside {}, where no cut can be; move it out of the "
                                "if or loop",
                                marker.name.empty() ? "" : fmt::format(" '{}'", marker.name),
                                describe(m_graph.node(marker.inside))),
                    word);
            positions.push_back(marker.position);
        }
        return positions;
    }

    Error stageCountError(const std::string &word) const
    {
        std::string message = fmt::format("'{}' is a number of stages, not a place to split at", word);
        if (m_modules.contains(word)) {
            message += fmt::format("; the submodule '{}' has to be named by its first node", word);
            for (const ModuleCall &call : m_graph.calls) {
                if (call.fqn == word && !call.inside.valid() && call.begin < call.end) {
                    message += fmt::format(", '{}'", m_graph.at(call.begin).name);
                    break;
                }
            }
        } else {
            message += "; give it alone to have the stages balanced, or name modules or nodes";
        }
        return {ErrorCode::InvalidArgument, std::move(message), word, {}};
    }

    Error unknownNode(const std::string &word) const
    {
        std::vector<std::string> names;
        for (const NodeId id : m_graph.order)
            names.push_back(m_graph.node(id).name);
        return {ErrorCode::NotFound, fmt::format("there is no node '{}'.{}", word, didYouMean(word, names)), word, {}};
    }

    Result<Positions> atCalls(const std::string &fqn, const std::string &word, int ModuleCall::*place) const
    {
        if (fqn.empty() || !m_modules.contains(fqn))
            return unknownModule(fqn, word);
        Positions positions;
        const ModuleCall *nested = nullptr;
        for (const ModuleCall &call : m_graph.calls) {
            if (call.fqn != fqn)
                continue;
            if (call.inside.valid())
                nested = &call;
            else
                positions.push_back(call.*place);
        }
        if (!positions.empty())
            return positions;
        if (nested != nullptr)
            return unsupported(
                fmt::format("'{}' is only called inside {}, which runs as one piece; a model can be split "
                            "before or after that, not within it",
                            fqn, describe(m_graph.node(nested->inside))),
                word);
        return neverCalled(fqn, word);
    }

    Error neverCalled(const std::string &fqn, const std::string &word) const
    {
        std::string message = fmt::format("'{}' is never called by {}, so there is no place before or after it", fqn,
                                          m_graph.method.empty() ? "the method" : m_graph.method);
        for (const ModuleCall &call : m_graph.calls) {
            if (call.fqn.starts_with(fqn + ".") && !call.inside.valid()) {
                message += fmt::format("; name one of its submodules, such as {}", call.fqn);
                break;
            }
        }
        return unsupported(std::move(message), word);
    }

    // The words are upstream's, which its users search for.
    Error unknownModule(const std::string &fqn, const std::string &word) const
    {
        std::string missing;
        for (const std::string &atom : splitText(fqn, '.')) {
            missing += missing.empty() ? atom : "." + atom;
            if (!m_modules.contains(missing))
                break;
        }
        std::vector<std::string> called;
        for (const ModuleCall &call : m_graph.calls) {
            if (!call.inside.valid())
                called.push_back(call.fqn);
        }
        return {ErrorCode::NotFound,
                fmt::format("Specified target {} referenced nonexistent module {}.{}", fqn, missing,
                            didYouMean(fqn, called)),
                word,
                {}};
    }

    const ModelGraph &m_graph;
    std::unordered_map<std::string, NodeId> m_nodes;
    std::unordered_map<int, int> m_positions; // of top-level nodes, by id
    std::unordered_set<std::string> m_modules;
};

} // namespace

Result<std::vector<int>> resolveSplits(const ModelGraph &graph, const std::vector<std::string> &words,
                                       std::vector<std::string> *dropped)
{
    const Resolver resolver(graph);
    const std::vector<Cut> cuts = allCuts(graph);
    std::set<int> chosen;
    std::vector<std::string> empty;
    for (const std::string &given : words) {
        const std::string word(trimmed(given));
        const auto positions = resolver.positionsOf(word);
        if (!positions)
            return positions.error();
        for (const int position : *positions) {
            if (position <= 0 || position >= graph.size() || chosen.contains(position)) {
                empty.push_back(word);
                continue;
            }
            const Cut &cut = cuts[static_cast<std::size_t>(position) - 1];
            if (!cut.legal)
                return Error{
                    ErrorCode::IllegalCut,
                    fmt::format("the model cannot be split before {}: {}", describe(graph.at(position)), cut.reason),
                    word,
                    {}};
            chosen.insert(position);
        }
    }
    if (dropped != nullptr)
        *dropped = std::move(empty);
    return std::vector<int>(chosen.begin(), chosen.end());
}

} // namespace pipescope::partition
