#include "engine/model_inputs.h"

#include "tensor/make_input.h"

namespace pipescope::engine {

Result<std::vector<c10::IValue>> makeModelInputs(const import::ImportedModel &model,
                                                 const std::vector<plan::InputSpec> &inputs, std::uint64_t seed)
{
    return tensor::makeInputs({model.graph.arguments, import::argumentTypes(model), &model.graph}, model.defaults,
                              inputs, seed);
}

} // namespace pipescope::engine
