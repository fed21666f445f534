// Whether a stage can be written as TorchScript at all, asked before anything is written.
#pragma once

#include "base/result.h"
#include "import/imported_model.h"
#include "partition/partition.h"

namespace pipescope::exec {

/// Error: Unsupported naming the held value (a future, generator, stream, custom object without __getstate__ ...) or
/// the node (a call into a module that could not be inlined) that no file can hold.
Status checkSavable(const import::ImportedModel &model, const partition::Stage &stage);

} // namespace pipescope::exec
