// One stage as a TorchScript module of its own, ready to be written.
#pragma once

#include "base/result.h"
#include "exec/slice_graph.h"
#include "import/imported_model.h"
#include "partition/partition.h"

#include <torch/csrc/jit/api/module.h>

namespace pipescope::exec {

/// A module whose forward takes stage.inputs in order and returns a tuple of stage.outputs. Parameters, buffers and
/// state have their original dotted names and kinds, and share memory with the model's. Error: Unsupported naming the
/// held value or node that cannot be written to a file.
Result<torch::jit::Module> makeStageModule(const import::ImportedModel &model, const partition::Stage &stage);

} // namespace pipescope::exec
