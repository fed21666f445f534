#include "base/text.h"
#include "partition/split_point.h"
#include "partition/split_word.h"

#include <charconv>
#include <fmt/format.h>
#include <set>
#include <string_view>
#include <system_error>
#include <unordered_map>

namespace pipescope::partition {

namespace {

using graph::ModelGraph;
using graph::ModuleCall;
using graph::Node;
using Positions = std::vector<int>;

class Resolver
{
public:
    explicit Resolver(const ModelGraph &graph)
        : m_graph(graph)
        , m_reader(graph)
    {
        for (int position = 0; position < graph.size(); ++position)
            m_positions.emplace(graph.at(position).id.value, position);
    }

    SplitWord read(const std::string &word) const { return m_reader.read(word); }

    Result<Positions> positionsOf(const SplitWord &read, const std::string &word, bool alone) const
    {
        switch (read.kind) {
        case SplitWord::Kind::Node:
            return beforeNode(*m_reader.node(read.name), word);
        case SplitWord::Kind::Markers:
            return atMarkers(word);
        case SplitWord::Kind::Count:
            return countError(read.name, word, alone);
        case SplitWord::Kind::Faulty:
            return invalid(read.name, word);
        case SplitWord::Kind::After:
            return atCalls(read.name, word, &ModuleCall::end);
        case SplitWord::Kind::Before:
            break;
        }
        if (read.name.empty())
            return invalid("a split point is empty; name a module or a node", word);
        if (!m_reader.hasModule(read.name) && read.name.find('/') != std::string::npos)
            return unknownNode(read.name, word);
        return atCalls(read.name, word, &ModuleCall::begin);
    }

private:
    static Error unsupported(std::string message, const std::string &word)
    {
        return {ErrorCode::Unsupported, std::move(message), word, {}};
    }

    static Error invalid(std::string message, const std::string &word)
    {
        return {ErrorCode::InvalidArgument, std::move(message), word, {}};
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

    Result<Positions> atMarkers(const std::string &word) const
    {
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

    Error countError(const std::string &number, const std::string &word, bool alone) const
    {
        if (alone)
            return invalid(fmt::format("'{}' asks for so many stages, and no place for them has been found yet; "
                                       "balance the stages, or name modules or nodes",
                                       word),
                           word);
        return invalid(fmt::format("'{}' is a number of stages, not a place to split at; {}give it alone to have the "
                                   "stages balanced, or name modules or nodes",
                                   word,
                                   m_reader.hasModule(number)
                                       ? fmt::format("{} does not call the module of that name; ", methodName())
                                       : std::string()),
                       word);
    }

    Error unknownNode(const std::string &name, const std::string &word) const
    {
        std::vector<std::string> names = calledModules();
        for (const NodeId id : m_graph.order)
            names.push_back(m_graph.node(id).name);
        // Operators have "::" in their names.
        const bool isNode = name.find("::") != std::string::npos;
        return {ErrorCode::NotFound,
                fmt::format("there is no {} '{}'.{}", isNode ? "node" : "module or node", name,
                            didYouMean(name, names, nameWord)),
                word,
                {}};
    }

    Result<Positions> atCalls(const std::string &fqn, const std::string &word, int ModuleCall::*place) const
    {
        if (fqn.empty() || !m_reader.hasModule(fqn))
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
        std::string message =
            fmt::format("'{}' is never called by {}, so there is no place before or after it", fqn, methodName());
        for (const ModuleCall &call : m_graph.calls) {
            if (call.fqn.starts_with(fqn + ".") && !call.inside.valid()) {
                message += fmt::format("; name one of its submodules, such as {}", nameWord(call.fqn));
                break;
            }
        }
        return unsupported(std::move(message), word);
    }

    // The words are upstream's, which its users search for.
    Error unknownModule(const std::string &fqn, const std::string &word) const
    {
        return {ErrorCode::NotFound,
                fmt::format("Specified target {} referenced nonexistent module {}.{}", fqn, firstMissing(fqn),
                            didYouMean(fqn, calledModules(), nameWord)),
                word,
                {}};
    }

    /// Of "layers.0.fd.w", where the model has "layers.0", "layers.0.fd".
    std::string firstMissing(const std::string &fqn) const
    {
        std::size_t known = fqn.rfind('.');
        while (known != std::string::npos && known > 0 && !m_reader.hasModule(fqn.substr(0, known)))
            known = fqn.rfind('.', known - 1);
        const bool isInside = known != std::string::npos && known > 0;
        return fqn.substr(0, fqn.find('.', isInside ? known + 1 : 0));
    }

    std::string methodName() const { return m_graph.method.empty() ? "the method" : m_graph.method; }

    std::vector<std::string> calledModules() const
    {
        std::vector<std::string> called;
        for (const ModuleCall &call : m_graph.calls) {
            if (!call.inside.valid())
                called.push_back(call.fqn);
        }
        return called;
    }

    const ModelGraph &m_graph;
    SplitWordReader m_reader;
    std::unordered_map<int, int> m_positions; // of top-level nodes, by id
};

constexpr std::string_view WhyNone =
    "(nothing runs before it, or after it, or it is where another one is)"; // of a place without a stage

/// What is to be said of a word whose `places` began `stages` stages; "" for nothing.
std::string placesNote(const SplitWord &read, const std::string &word, std::size_t places, std::size_t stages)
{
    if (places == 1)
        return stages == 1 ? std::string()
                           : fmt::format("the split '{}' makes no stage of its own {} and was left out", word, WhyNone);
    const bool isOne = places - stages == 1;
    const std::string begin =
        fmt::format("{} of these begin{} a stage; the other{} of {} own {} and {} left out",
                    stages == 0 ? "none" : std::to_string(stages), stages == 1 ? "s" : "",
                    isOne ? " makes none" : "s make none", isOne ? "its" : "their", WhyNone, isOne ? "was" : "were");
    if (read.kind == SplitWord::Kind::Markers)
        return stages == places ? std::string() : fmt::format("the model has {} markers: {}", places, begin);
    const std::string_view side = read.kind == SplitWord::Kind::After ? "after" : "before";
    return fmt::format("the split '{}' is {} places, {} each call of '{}': {}", word, places, side, read.name,
                       stages == places ? "each begins a stage" : begin);
}

} // namespace

Result<std::optional<int>> stagesAskedFor(const ModelGraph &graph, const std::vector<std::string> &words)
{
    if (words.size() != 1)
        return std::optional<int>{};
    const SplitWord read = SplitWordReader(graph).read(words.front());
    if (read.kind != SplitWord::Kind::Count)
        return std::optional<int>{};
    int count = 0;
    const char *last = read.name.data() + read.name.size();
    const auto [end, error] = std::from_chars(read.name.data(), last, count);
    if (error != std::errc() || count < 1)
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format("expected a number of stages from 1 to as many as there are nodes, found {}", read.name),
            words.front(),
            {}};
    return std::optional(count);
}

Result<std::vector<int>> resolveSplits(const ModelGraph &graph, const std::vector<std::string> &words,
                                       std::vector<std::string> *notes)
{
    const Resolver resolver(graph);
    const std::vector<Cut> cuts = allCuts(graph);
    std::set<int> chosen;
    std::vector<std::string> said;
    for (const std::string &given : words) {
        const SplitWord read = resolver.read(given);
        const std::string word(trimmed(given));
        const auto positions = resolver.positionsOf(read, word, words.size() == 1);
        if (!positions)
            return positions.error();
        std::size_t stages = 0;
        for (const int position : *positions) {
            if (position <= 0 || position >= graph.size() || chosen.contains(position))
                continue;
            const Cut &cut = cuts[static_cast<std::size_t>(position) - 1];
            if (!cut.legal)
                return Error{
                    ErrorCode::IllegalCut,
                    fmt::format("the model cannot be split before {}: {}", describe(graph.at(position)), cut.reason),
                    word,
                    {}};
            chosen.insert(position);
            ++stages;
        }
        if (!read.other.empty())
            said.push_back(fmt::format("the split '{}' is the module of that name; {}", word, read.other));
        if (std::string note = placesNote(read, word, positions->size(), stages); !note.empty())
            said.push_back(std::move(note));
    }
    if (notes != nullptr)
        *notes = std::move(said);
    return std::vector<int>(chosen.begin(), chosen.end());
}

} // namespace pipescope::partition
