#include "engine/model_inputs.h"

#include "import/specialised_inputs.h"
#include "tensor/make_input.h"

#include <algorithm>
#include <string>
#include <utility>

namespace pipescope::engine {

namespace {

int positionOf(const graph::ModelGraph &graph, const std::string &argument)
{
    const auto named = std::find_if(graph.arguments.begin(), graph.arguments.end(),
                                    [&](const graph::Argument &one) { return one.name == argument; });
    return static_cast<int>(named - graph.arguments.begin());
}

} // namespace

Result<std::vector<c10::IValue>> makeModelInputs(const import::ImportedModel &model,
                                                 const std::vector<plan::InputSpec> &inputs, std::uint64_t seed)
{
    tensor::DeclaredArguments declared{model.graph.arguments, import::argumentTypes(model), &model.graph};
    for (plan::InputSpec &specialised : import::specialisedInputs(model))
        declared.right.emplace(positionOf(model.graph, specialised.name), std::move(specialised.value));
    Result<std::vector<c10::IValue>> values = tensor::makeInputs(declared, model.defaults, inputs, seed);
    if (values)
        if (Status fits = import::checkSpecialised(model, *values); !fits)
            return fits.error();
    return values;
}

} // namespace pipescope::engine
