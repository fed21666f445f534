// The graph in between: rows filled with nodes and with a dummy for every row that an edge passes. Private to
// layered_layout.
#pragma once

#include "graphview/layered_layout.h"

#include <span>

namespace pipescope::graphview {

/// Vertices below `realCount` are the nodes of the input, the others dummies. Edges that leave one node at one place
/// share their dummies: one line down, a branch for each that takes the value.
struct LayerGraph
{
    /// One edge between neighbouring rows. The ends are measured from the vertices' middles.
    struct Link
    {
        int upper = 0;
        int lower = 0;
        double upperX = 0;
        double lowerX = 0;
    };
    /// An end of a link, seen from the other.
    struct Neighbour
    {
        int vertex = 0;
        double offset = 0; ///< what to add to the neighbour's middle so that the link is straight
    };

    int realCount = 0;
    std::vector<int> rowOf;             ///< by vertex
    std::vector<double> widths;         ///< by vertex; 0 for a dummy
    std::vector<std::vector<int>> rows; ///< vertices from left to right
    std::vector<Link> links;
    std::vector<std::vector<int>> passes; ///< by edge of the input: its dummies from top to bottom
    std::vector<char> drawn;              ///< by edge of the input: 0 for one left out

    [[nodiscard]] int size() const { return static_cast<int>(rowOf.size()); }
    [[nodiscard]] bool isDummy(int vertex) const { return vertex >= realCount; }
    [[nodiscard]] std::span<const Neighbour> above(int vertex) const { return slice(m_above, m_aboveStart, vertex); }
    [[nodiscard]] std::span<const Neighbour> below(int vertex) const { return slice(m_below, m_belowStart, vertex); }

    /// Makes above() and below() from the links.
    void index();

private:
    static std::span<const Neighbour> slice(const std::vector<Neighbour> &all, const std::vector<int> &start,
                                            int vertex)
    {
        const auto at = static_cast<std::size_t>(vertex);
        return std::span(all).subspan(static_cast<std::size_t>(start[at]),
                                      static_cast<std::size_t>(start[at + 1] - start[at]));
    }

    std::vector<Neighbour> m_above;
    std::vector<int> m_aboveStart;
    std::vector<Neighbour> m_below;
    std::vector<int> m_belowStart;
};

/// Rows by longest path; a node that takes nothing stands just above the first that uses it.
[[nodiscard]] LayerGraph makeLayerGraph(const LayeredInput &input);

/// Reorders the rows so that few links cross. False when stopped.
[[nodiscard]] bool orderRows(LayerGraph &graph, const std::stop_token &stop);

/// How often links between neighbouring rows cross.
[[nodiscard]] long long crossings(const LayerGraph &graph);

/// The middle of every vertex, by vertex: near its neighbours', nothing nearer than the spacing says. Empty when
/// stopped.
[[nodiscard]] std::vector<double> placeColumns(const LayerGraph &graph, const Spacing &spacing,
                                               const std::stop_token &stop);

} // namespace pipescope::graphview
