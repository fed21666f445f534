#include "support/torch/model_text.h"

namespace pipescope::testing {

examples::ScriptText modelText(std::string_view classes)
{
    return examples::ScriptText(examples::layersSource() + std::string(classes));
}

examples::Weights modelWeights()
{
    return examples::Weights(7);
}

torch::jit::Module withLinears(const examples::ScriptText &text, const char *className,
                               const std::vector<const char *> &names, std::int64_t width, examples::Attributes others)
{
    examples::Weights weights = modelWeights();
    for (const char *name : names)
        others.emplace_back(name, examples::linear(text, weights, width, width)._ivalue());
    return text.make(className, others);
}

torch::jit::Module fourLinears(const examples::ScriptText &text, std::int64_t width)
{
    return withLinears(text, "Layers", {"0", "1", "2", "3"}, width);
}

} // namespace pipescope::testing
