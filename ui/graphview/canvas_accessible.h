// What screen readers are told of the graph canvas: its boxes as children, in program order, with name, what they are,
// and whether they are selected and open.
#pragma once

namespace pipescope::graphview {

class GraphCanvas;

/// Makes accessible interfaces for all canvases; does nothing the second time.
void installCanvasAccessibility();

/// Tells that the box the keyboard is at is another, or that all boxes are.
void announceCurrent(GraphCanvas &canvas);
void announceBoxes(GraphCanvas &canvas);

} // namespace pipescope::graphview
