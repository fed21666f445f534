// Where a node comes from: its lines in the author's source, what else stands on them, and the modules whose calls led
// there.
#pragma once

#include "inspector/fact_sheet.h"

namespace pipescope::inspector {

/// "source" with file, line and text, "same line" with the other nodes of it, and "called in" with the modules around
/// the node's own, outermost first as in a traceback. What is not known is left out.
void addSource(FactSheet &sheet, const graph::Node &node, const graph::ModelGraph &graph);

} // namespace pipescope::inspector
