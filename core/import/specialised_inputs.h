// The inputs that a graph is specialised for: from how users and plans write them to constants of the graph, and back.
#pragma once

#include "base/result.h"
#include "import/imported_model.h"
#include "plan/input_spec.h"

#include <map>
#include <string>
#include <vector>

namespace pipescope::import {

/// What importMethod takes as constants: of the inputs that are a number, a bool, a text or None, the values that the
/// graph can hold, by argument position. None for a method that is not there. A member of an enumeration is none of
/// these. Errors as tensor::makeInputs, of a name that no argument has and of a value that does not fit.
Result<std::map<int, c10::IValue>> constantsOf(const torch::jit::Module &module, const std::string &method,
                                               const std::vector<plan::InputSpec> &inputs);

/// What the graph is specialised for, by name, as plans write it; in the order of the arguments.
[[nodiscard]] std::vector<plan::InputSpec> specialisedInputs(const ImportedModel &model);

/// Whether the graph is right for these arguments, by position. Error: InvalidArgument with both values and what to do,
/// the argument's name in `where`. NaN is NaN; 0.0 is not -0.0.
Status checkSpecialised(const ImportedModel &model, const std::vector<c10::IValue> &arguments);

} // namespace pipescope::import
