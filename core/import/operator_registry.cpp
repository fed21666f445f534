#include "import/operator_registry.h"

#include "tensor/torch_guard.h"

#include <torch/csrc/jit/frontend/builtin_functions.h>
#include <torch/csrc/jit/runtime/operator.h>

namespace pipescope::import {

bool isKnownOperator(const std::string &name)
{
    const auto known = tensor::guardTorch(ErrorCode::Internal, name, [&] {
        const c10::Symbol symbol = c10::Symbol::fromQualString(name);
        return !torch::jit::getAllOperatorsFor(symbol).empty() ||
               !torch::jit::getAllBuiltinFunctionsFor(symbol).empty();
    });
    return known && *known;
}

} // namespace pipescope::import
