// From a loaded module to a graph that can be cut: our own inliner and lowering (no freezing, no LowerGraph).
#pragma once

#include "base/result.h"
#include "import/imported_model.h"

#include <map>
#include <stop_token>
#include <string>

namespace pipescope::import {

/// Imports one method. The module is not changed.
///
/// - Every call is inlined, keeping FQN, class, call index and source range per node.
/// - Calls through interfaces are resolved by the object really held.
/// - What cannot be resolved stays a call node.
/// - Attributes become inputs; attributes the model assigns stay attributes of an object input.
/// - Branches on constants (self.training, x is None of a constant) are decided.
/// - Markers and module calls become positions.
/// - Arguments that have a value in `constants` (by position without self; plain constants, fold.h) are constants: the
///   graph is right for these values only. They stay arguments. State is gathered (gather_state.h).
///
/// Errors: NotFound for a method (with the names there are); Unsupported naming what; Cancelled soon after `stop` is
/// requested.
Result<ImportedModel> importMethod(const torch::jit::Module &module, const std::string &method = "forward",
                                   const std::stop_token &stop = {}, const std::map<int, c10::IValue> &constants = {});

} // namespace pipescope::import
