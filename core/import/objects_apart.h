// Objects of TorchScript classes that a method makes for itself, as torchvision's ImageList: their fields stand for
// them. LibTorch has no such pass.
#pragma once

#include <memory>
#include <torch/csrc/jit/ir/ir.h>

namespace pipescope::import {

/// Removes each object that is made in `graph`, is used for its fields only, and gets them where it is made: reading a
/// field becomes the value that was last assigned to it before. Objects in fields of such objects too, and in tuples
/// that are taken apart again. Calls must be inlined, also those of `__init__`.
///
/// An object that leaves the method (is returned, put into a list, a dict or an attribute, given to a call, chosen by
/// an if or kept by a loop) stays, as does one with a field that is assigned inside an if or loop, or read before it is
/// assigned.
void takeObjectsApart(const std::shared_ptr<torch::jit::Graph> &graph);

} // namespace pipescope::import
