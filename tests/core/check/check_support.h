// What the tests of core/check share: a model imported, cut and given microbatches.
#pragma once

#include "check/equivalence.h"
#include "import/import_method.h"
#include "partition/partition.h"
#include "tensor/chunks.h"

#include <ATen/ATen.h>
#include <QtCore/qlogging.h>

namespace pipescope::testing {

using Values = std::vector<c10::IValue>;

inline import::ImportedModel imported(const torch::jit::Module &module)
{
    auto model = import::importMethod(module);
    if (!model)
        qFatal("%s", model.error().message.c_str());
    return std::move(*model);
}

/// Cut before the node at `position`.
inline partition::Partition cutAt(const import::ImportedModel &model, int position)
{
    auto partition = partition::makePartition(model.graph, {position});
    if (!partition)
        qFatal("%s", partition.error().message.c_str());
    return std::move(*partition);
}

inline std::vector<Values> microbatches(const Values &whole, int count)
{
    auto chunks = tensor::splitArgsKwargsIntoChunks(whole, {}, count);
    if (!chunks)
        qFatal("%s", chunks.error().message.c_str());
    return chunks->args;
}

inline at::Tensor rows(std::int64_t count, std::int64_t width = 16)
{
    return at::linspace(-1, 1, count * width).reshape({count, width});
}

} // namespace pipescope::testing
