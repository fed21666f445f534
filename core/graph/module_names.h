// Which modules are around something. A dotted name (FQN) is a list of names joined by dots, and a name may hold dots
// itself: a packed parameter that was hoisted to the model is called "conv1._packed_params". So the modules around it
// are looked up among the modules there are, and no text is cut at dots.
#pragma once

#include "graph/model_graph.h"

#include <string_view>
#include <unordered_set>

namespace pipescope::graph {

/// Of the modules that a graph lists and those that it calls. The graph must outlive it.
class ModuleNames
{
public:
    explicit ModuleNames(const ModelGraph &graph);

    [[nodiscard]] bool has(std::string_view fqn) const { return m_names.contains(fqn); }
    /// The innermost module that `fqn` is inside of, a module or something that one holds; "" is the model. It is a
    /// part of the text that was given. Where a module "a" and one "a.b" both hold what "a.b.c" can name, "a.b".
    [[nodiscard]] std::string_view around(std::string_view fqn) const;

private:
    std::unordered_set<std::string_view> m_names; // into the graph
};

} // namespace pipescope::graph
