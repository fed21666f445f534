#include "outline/operator_words.h"

#include "ops/operator.h"

#include <fmt/format.h>

namespace pipescope::outline {

std::string operatorOfSign(std::string_view sign)
{
    const ops::Operator *known = ops::findByCode(sign);
    return known != nullptr ? std::string(known->name) : fmt::format("prim::{}", sign);
}

std::string operatorOfWord(std::string_view word)
{
    const ops::Operator *known = ops::findByCode(word);
    return known != nullptr ? std::string(known->name) : std::string();
}

} // namespace pipescope::outline
