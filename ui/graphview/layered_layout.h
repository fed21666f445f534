// Layered layout of one group: every node in a row below all that it depends on, edges running downwards through the
// rows between. Plain numbers in and out; no fonts, no Qt.
//
//   rows by longest path  ->  order within rows (barycentre sweeps)  ->  x by least squares (averaging sweeps)
//
// An edge over more than MaxSpan rows is left out: such hubs (a mask that every layer takes) would need millions of
// points and say little (reference: dot needs minutes there). The caller shows them as ports. The same input gives the
// same output on every run.
#pragma once

#include <optional>
#include <stop_token>
#include <vector>

namespace pipescope::graphview {

inline constexpr int MaxSpan = 24;

enum class Pin {
    Free,
    Top,    ///< in the first row: a port through which a value comes in
    Bottom, ///< in the last row: one through which it goes out
};

struct LayoutNode
{
    double width = 0;
    double height = 0;
    Pin pin = Pin::Free;

    friend bool operator==(const LayoutNode &, const LayoutNode &) = default;
};

/// From a node to one that comes later in the list; the ends are measured from the nodes' middles.
struct LayoutEdge
{
    int from = 0;
    int to = 0;
    double fromX = 0;
    double toX = 0;

    friend bool operator==(const LayoutEdge &, const LayoutEdge &) = default;
};

struct Point
{
    double x = 0;
    double y = 0;

    friend bool operator==(const Point &, const Point &) = default;
};

struct Spacing
{
    double node = 20; ///< between neighbours in a row
    double edge = 14; ///< between an edge that passes and its neighbour
    double row = 36;  ///< between rows
    double line = 44; ///< of a row: nodes up to this height have their middles on one line, higher ones hang from it

    friend bool operator==(const Spacing &, const Spacing &) = default;
};

struct LayeredInput
{
    std::vector<LayoutNode> nodes; ///< in program order
    std::vector<LayoutEdge> edges;
    Spacing spacing;

    friend bool operator==(const LayeredInput &, const LayeredInput &) = default;
};

struct LayeredOutput
{
    std::vector<Point> nodes; ///< top left corners; the whole begins at (0, 0)
    std::vector<int> rows;    ///< by node
    /// By edge, from the bottom of one node to the top of the other, y never falling. Empty for an edge left out: one
    /// over too many rows, or one that does not lead to a later node.
    std::vector<std::vector<Point>> edges;
    double width = 0;
    double height = 0;

    friend bool operator==(const LayeredOutput &, const LayeredOutput &) = default;
};

/// Nullopt when stopped. About linear in nodes and edges. Callable from any thread.
[[nodiscard]] std::optional<LayeredOutput> layOutLayers(const LayeredInput &input, const std::stop_token &stop = {});

} // namespace pipescope::graphview
