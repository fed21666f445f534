// How a word of --split reads: names of the model go first, then our own notation. Finding a place and naming it both
// ask here, so that they agree. Private to partition/.
#pragma once

#include "graph/model_graph.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace pipescope::partition {

inline constexpr std::string_view MarkersWord = "markers";
inline constexpr std::string_view EndSuffix = ":end";

struct SplitWord
{
    enum class Kind {
        Node,    ///< before the node `name`
        Before,  ///< before the calls of the module `name`, if there is one
        After,   ///< after them
        Markers, ///< at the author's markers
        Count,   ///< so many stages, which the balancer takes; `name` is the number
        Faulty,  ///< `name` says what is wrong
    };
    Kind kind = Kind::Before;
    std::string name;  ///< without quotes
    std::string other; ///< of a name that our notation takes for something else: the word for that, in a sentence

    friend bool operator==(const SplitWord &, const SplitWord &) = default;
};

/// Reads words as names of one graph, which must outlive it.
class SplitWordReader
{
public:
    explicit SplitWordReader(const graph::ModelGraph &graph);

    /// Of a module that the method does not call only our notation is read, where the word has a meaning there.
    [[nodiscard]] SplitWord read(std::string_view given) const;

    /// Nullptr where no node has the name.
    [[nodiscard]] const graph::Node *node(std::string_view name) const;
    /// Whether the model has a module of that name, called or not.
    [[nodiscard]] bool hasModule(std::string_view fqn) const { return m_modules.contains(fqn); }

private:
    [[nodiscard]] SplitWord readNotation(std::string_view word) const;
    [[nodiscard]] SplitWord readQuotedName(std::string_view word) const;
    [[nodiscard]] std::string otherMeaning(std::string_view word) const;

    const graph::ModelGraph &m_graph;
    std::unordered_map<std::string_view, NodeId> m_nodes;
    std::unordered_set<std::string_view> m_modules;
    std::unordered_set<std::string_view> m_called; // outside of ifs and loops
};

} // namespace pipescope::partition
