// The plain ModelGraph of a specialised method, and the tables that lead from its ids back to the jit graph.
#pragma once

#include "import/imported_model.h"
#include "import/specialise.h"

namespace pipescope::import {

/// Fills graph.values, nodes, order, arguments, outputs, calls and markers, and model.nodes and values, from
/// specialised.graph; removes markers and call marks from it. model.module and methodName must be set.
void describeGraph(Specialised specialised, ImportedModel &model);

/// Fills graph.modules and graph.parameters from the module; parameters refer to the values describeGraph made.
void describeModules(ImportedModel &model);

} // namespace pipescope::import
