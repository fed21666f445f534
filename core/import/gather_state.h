// State belongs to one stage, so no cut can be made between the first and the last use of an attribute that the model
// assigns. Code that reads an attribute early, or assigns it late, keeps whole networks from being cut.
#pragma once

#include <memory>
#include <torch/csrc/jit/ir/ir.h>

namespace pipescope::import {

/// Moves the uses of attributes of modules towards each other, where nodes that work on tensors stand between them:
/// - an attribute is first read just before what was read is used, or before the attribute may be assigned; read again
///   just after it was used last;
/// - it is assigned as soon as its new value is known, which may move what makes the value (a slice of something made
///   long before, say);
/// - where an if assigns a value made of numbers alone to it (a reset), that becomes an if of its own, with the same
///   condition, just before the attribute is used next. Only of an attribute that nothing else uses before.
/// No attribute is read or assigned in another order than before, and all values stay the same. Where the model fails
/// on the way, other attributes may have been assigned by then.
/// Takes a graph in which attributes of one module are reached through one value (specialise.h). Calls that are left
/// in it may use any attribute, and nothing moves past them.
void gatherState(const std::shared_ptr<torch::jit::Graph> &graph);

} // namespace pipescope::import
