#include "import/method_signature.h"

#include <ATen/core/function_schema.h>
#include <sstream>

namespace pipescope::import {

std::string signatureOf(const torch::jit::Method &method)
{
    const c10::FunctionSchema &schema = method.function().getSchema();
    std::ostringstream text;
    text << '(';
    for (std::size_t i = 1; i < schema.arguments().size(); ++i)
        text << (i > 1 ? ", " : "") << schema.arguments()[i];
    text << ") -> ";
    for (std::size_t i = 0; i < schema.returns().size(); ++i)
        text << (i > 0 ? ", " : "") << schema.returns()[i].type()->annotation_str();
    return text.str();
}

} // namespace pipescope::import
