// Parameters and buffers on the meta device: they have a shape and no values. A model with some can be looked at and
// split, and not run.
#pragma once

#include "base/result.h"
#include "import/imported_model.h"

#include <string>
#include <vector>

namespace pipescope::import {

/// Names of the parameters, buffers and tensor attributes of the method that have no values, in order of the graph's
/// values.
[[nodiscard]] std::vector<std::string> withoutValues(const ImportedModel &model);

/// What is said of `names`, of which there is at least one: how many, the first ones, what cannot be done, what to do.
[[nodiscard]] std::string withoutValuesText(const std::vector<std::string> &names);

/// Errors: Unsupported when the method uses tensors without values, for all that would run it.
[[nodiscard]] Status checkHasValues(const ImportedModel &model);

} // namespace pipescope::import
