// Part of a lowered method as a graph of its own: what stage programs, the stepper and saved stages are made of.
#pragma once

#include "exec/node_mark.h"
#include "import/imported_model.h"

#include <memory>
#include <torch/csrc/jit/ir/ir.h>
#include <vector>

namespace pipescope::exec {

/// Consecutive top-level nodes, order[begin, end), with the values that go in and come out, in order.
struct Slice
{
    int begin = 0;
    int end = 0;
    std::vector<ValueId> inputs;
    std::vector<ValueId> outputs;
    /// Lists and dicts among `inputs` of which the nodes get copies, with the same items.
    std::vector<ValueId> copied{};
};

/// Copies the nodes. Constants they use are copied along, except those among `inputs`, which come in from outside;
/// `inputs` must hold every other value used from outside.
[[nodiscard]] std::shared_ptr<torch::jit::Graph> sliceGraph(const import::ImportedModel &model, const Slice &slice);

/// The same with a mark before every node, nested ones too; the marks are appended to `marks`. Divisions of whole
/// numbers that would end the program fail in it.
[[nodiscard]] std::shared_ptr<torch::jit::Graph> markedGraph(const import::ImportedModel &model, const Slice &slice,
                                                             MarkTable &marks);

} // namespace pipescope::exec
