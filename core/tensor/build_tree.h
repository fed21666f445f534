// Makes containers of IValues with the narrowest element type TorchScript has for what they hold.
#pragma once

#include <ATen/core/ivalue.h>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::tensor {

[[nodiscard]] c10::IValue makeTuple(std::vector<c10::IValue> items);

/// List[Tensor], List[int], ... where all items agree, List[Any] where they do not, List[Tensor] without items.
[[nodiscard]] c10::IValue makeList(const std::vector<c10::IValue> &items);

/// Dict[str, T] likewise; a name given twice keeps its first place and its last value, as in Python.
[[nodiscard]] c10::IValue makeDict(const std::vector<std::pair<std::string, c10::IValue>> &entries);

/// As `elementType` where every item is one, else the type all items have in common, else Any.
[[nodiscard]] c10::TypePtr commonType(const std::vector<c10::IValue> &items, const c10::TypePtr &elementType);

} // namespace pipescope::tensor
