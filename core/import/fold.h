// Deciding at import what does not depend on inputs.
#pragma once

#include <ATen/core/ivalue.h>
#include <optional>
#include <torch/csrc/jit/ir/ir.h>
#include <vector>

namespace pipescope::import {

/// Whether an attribute's value can be written into the program: None, bool, int, float, complex, string, device, and
/// tuples of these. Lists and dicts can be changed by the model and are not.
[[nodiscard]] bool isPlainConstant(const c10::IValue &value);

/// The same value of the same type. Never of floats and what holds them: two that are equal may differ, as 0 and -0 do.
[[nodiscard]] bool isSameConstant(const c10::IValue &a, const c10::IValue &b);

/// What is known of an operand of a node.
struct KnownOperand
{
    std::optional<c10::IValue> constant;
    c10::TypePtr type;    ///< that the operand belongs to, as narrow as is known; may be null
    bool isFresh = false; ///< `constant` is a list or dict that was made for this node and nothing else sees
};

/// The result of a one-output node, where running it now is the same as running it later: no effect, no random numbers,
/// no tensors, a plain constant but no text as result. Of constant operands, of tuples and fresh lists too; of
/// `isinstance` and `is None` also where the operand's type decides. A constant is cast only to a type that it has: the
/// cast to another is in code that is never reached, and its operators take that type.
[[nodiscard]] std::optional<c10::IValue> foldNode(const torch::jit::Node &node,
                                                  const std::vector<KnownOperand> &operands);

} // namespace pipescope::import
