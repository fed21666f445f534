// Values fitted to the types TorchScript declares: an int where a float is wanted becomes one, lists get their types.
#pragma once

#include "base/result.h"

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type_base.h>
#include <string>

namespace pipescope::tensor {

/// The type that a text names; null where it names a class, which only the model knows.
[[nodiscard]] c10::TypePtr typeFromText(const std::string &declared);

/// `value` as something of the declared type, or the reason why it is none: "must be List[Tensor], got int (3)", with
/// the place inside the value as `where` ("[1]['mask']"). A named tuple is made from a tuple or list in order, or from
/// a dict of its fields; a device from its name; a member of an enumeration from its name. Null takes any value: the
/// model itself is the judge.
Result<c10::IValue> fitType(const c10::IValue &value, const c10::TypePtr &declared);

/// What to write on the command line for a declared type: "float32[2,3]", "1", "[float32[2,3]]".
[[nodiscard]] std::string exampleOf(const c10::TypePtr &declared);

/// The type as its reader knows it: "Pair(a: Tensor, b: int)" for a named tuple, "Box" for a class.
[[nodiscard]] std::string shownType(const c10::Type &type);

/// Why nobody can write a value of the type: "Box is a class of the model, ..."; "" where one can be written.
[[nodiscard]] std::string whyNotWritten(const c10::TypePtr &declared);

} // namespace pipescope::tensor
