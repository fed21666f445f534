// What a dotted name (FQN) leads to in a loaded module. A name in it may hold dots itself, as that of a packed
// parameter which was hoisted to the model, "conv1._packed_params": so it is looked up and not cut at dots.
#pragma once

#include "base/result.h"

#include <string>
#include <torch/csrc/jit/api/module.h>
#include <vector>

namespace pipescope::import {

/// The names that `fqn` is made of: those of modules and other class objects inside one another, and last that of one
/// of them or of an attribute. None for "", the module itself. Errors: NotFound; Unsupported where two attributes have
/// this one FQN ("c" of a module "a.b" and "b.c" of a module "a").
Result<std::vector<std::string>> attributePath(const torch::jit::Module &module, const std::string &fqn);

} // namespace pipescope::import
