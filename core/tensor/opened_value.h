// Values taken apart: what a model returns may be an object of a class of its own, or a value that is still computed.
#pragma once

#include <ATen/core/ivalue.h>

namespace pipescope::tensor {

/// The value with each object of a TorchScript class as a dict of its fields, in their order and by their names, and
/// each future as the value it comes to, which is waited for. Inside tuples, lists and dicts too; no deeper than
/// ivalue_tree.h goes. An object inside itself stays as it is there, as do modules and objects of C++ classes. Passes
/// on what a future failed with.
[[nodiscard]] c10::IValue opened(const c10::IValue &value);

/// Whether it is an object of a TorchScript class, and not a module.
[[nodiscard]] bool isClassObject(const c10::IValue &value);

} // namespace pipescope::tensor
