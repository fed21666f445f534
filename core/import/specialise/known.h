// What the walk over the original graphs knows of their values, and the constants that it follows through tuples,
// containers and branches. Decides nothing about nodes: fold.h does. Private to import/specialise.
#pragma once

#include "import/fold.h"

#include <ATen/core/ivalue.h>
#include <optional>
#include <string>
#include <torch/csrc/jit/ir/ir.h>
#include <unordered_map>
#include <vector>

namespace pipescope::import {

/// What is known of a value of the original graphs. At least one part is set.
struct Known
{
    torch::jit::Value *value = nullptr;             // in the new graph
    c10::intrusive_ptr<c10::ivalue::Object> module; // a module reached by attribute names
    std::string fqn;                                // of that module
    std::optional<c10::IValue> constant;
    c10::TypePtr type = nullptr;                        // of a held value whose attribute is declared wider
    std::vector<std::optional<c10::IValue>> items = {}; // of a tuple that is not a constant: those that are
};

[[nodiscard]] Known knownValue(torch::jit::Value *value);
[[nodiscard]] Known knownConstant(c10::IValue constant);

/// Of the graph of one function: its values, and those around the block that is walked.
using Frame = std::unordered_map<const torch::jit::Value *, Known>;

/// The operands of a node, as foldNode takes them. A list or dict of constants that is made for this node alone, as in
/// `mode in ["sum", "mean"]`, is a constant.
[[nodiscard]] std::vector<KnownOperand> knownOperands(const torch::jit::Node &node, const Frame &frame);

/// Whether the node is a cast to a type that the operand has already.
[[nodiscard]] bool isNoCast(const torch::jit::Node &node, const Known &operand);

/// Keeps the constants among the items of a tuple that is put together.
void keepItems(const torch::jit::Node &tupleConstruct, Frame &frame);
/// Takes a constant tuple apart. Whether it was one.
bool unpackConstant(const torch::jit::Node &tupleUnpack, Frame &frame);
/// Of a tuple that is not a constant, the results that are items which are.
void unpackItems(const torch::jit::Node &tupleUnpack, Frame &frame);
/// Takes a constant item of a tuple. Whether it was one.
bool indexItem(const torch::jit::Node &tupleIndex, Frame &frame);

/// The constant that result `index` of an if is, whichever branch is taken.
[[nodiscard]] std::optional<c10::IValue> sameInBothBranches(const torch::jit::Node &node, std::size_t index,
                                                            const Frame &frame);

} // namespace pipescope::import
