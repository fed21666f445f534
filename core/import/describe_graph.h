// The plain ModelGraph of a specialised method, and the tables that lead from its ids back to the jit graph.
#pragma once

#include "base/result.h"
#include "import/imported_model.h"
#include "import/specialise.h"

#include <stop_token>

namespace pipescope::import {

/// Fills graph.values, nodes, order, arguments, outputs, calls and markers, and model.nodes and values, from
/// specialised.graph; removes markers and call marks from it. model.module and methodName must be set.
/// Error: Cancelled, and then `model` is half filled.
Status describeGraph(Specialised specialised, ImportedModel &model, std::stop_token stop);

inline constexpr int MaxDescribedDepth = 64;
inline constexpr std::size_t MaxDescribedModules = 1'000'000;
inline constexpr std::size_t MaxDescribedParameters = 1'000'000;

/// Fills graph.modules and graph.parameters from the module; parameters refer to the values describeGraph made. Modules
/// can hold themselves: what lies past the limits above is left out, and model.notes says so.
void describeModules(ImportedModel &model);

} // namespace pipescope::import
