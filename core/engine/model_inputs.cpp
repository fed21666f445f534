#include "engine/model_inputs.h"

#include "import/specialised_inputs.h"
#include "tensor/make_input.h"

namespace pipescope::engine {

Result<std::vector<c10::IValue>> makeModelInputs(const import::ImportedModel &model,
                                                 const std::vector<plan::InputSpec> &inputs, std::uint64_t seed)
{
    Result<std::vector<c10::IValue>> values = tensor::makeInputs(
        {model.graph.arguments, import::argumentTypes(model), &model.graph}, model.defaults, inputs, seed);
    if (values)
        if (Status fits = import::checkSpecialised(model, *values); !fits)
            return fits.error();
    return values;
}

} // namespace pipescope::engine
