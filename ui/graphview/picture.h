// All that painting needs of a graph, made off the window's thread: places, texts, costs, and what is found where.
#pragma once

#include "graphview/box_facts.h"
#include "graphview/scene_index.h"

#include <QString>
#include <map>
#include <memory>

namespace pipescope::graphview {

struct Picture
{
    std::shared_ptr<const graph::ModelGraph> graph;
    OpenBoxes open;
    Nesting nesting = Nesting::Modules;
    GraphScene scene;
    SceneIndex index;
    std::vector<BoxCosts> costs;  ///< by box
    std::vector<QString> titles;  ///< by box, cut to fit
    std::vector<QString> details; ///< likewise
    std::vector<int> portOfBox;   ///< by box: index of its first port; -1 without any
    std::map<BoxKey, int> boxOfKey;

    /// The box of this key, or -1 where its parent is closed.
    [[nodiscard]] int find(const BoxKey &key) const;
    /// The innermost box shown that a value is made by (an argument's, a node's); -1 for what a model holds.
    [[nodiscard]] int sourceOf(ValueId value) const;
    /// The boxes that take a value, in program order.
    [[nodiscard]] std::vector<int> usersOf(ValueId value) const;
};

/// Null when stopped.
[[nodiscard]] std::shared_ptr<const Picture> makePicture(std::shared_ptr<const graph::ModelGraph> graph,
                                                         const OpenBoxes &open, Nesting nesting, const TextWidth &width,
                                                         LayoutCache &cache, const std::stop_token &stop = {});

} // namespace pipescope::graphview
