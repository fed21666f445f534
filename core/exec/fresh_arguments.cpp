#include "exec/fresh_arguments.h"

#include "exec/written_values.h"
#include "tensor/ivalue_tree.h"

#include <ATen/ATen.h>
#include <algorithm>

namespace pipescope::exec {

std::vector<c10::IValue> freshArguments(const graph::ModelGraph &graph, const std::vector<c10::IValue> &arguments)
{
    std::vector<c10::IValue> fresh = arguments;
    const std::vector<ValueId> written = writtenInPlace(graph);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        if (!std::binary_search(written.begin(), written.end(), graph.arguments[i].value))
            continue;
        fresh[i] = tensor::mapLeaves(fresh[i], [](const c10::IValue &leaf) {
            return leaf.isTensor() && leaf.toTensor().defined() ? c10::IValue(leaf.toTensor().clone()) : leaf;
        });
    }
    return fresh;
}

} // namespace pipescope::exec
