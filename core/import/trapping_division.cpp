#include "import/trapping_division.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace pipescope::import {

bool mayTrap(const torch::jit::Node &node)
{
    static const c10::Symbol divmod = c10::Symbol::fromQualString("aten::divmod");
    const c10::Symbol kind = node.kind();
    if (kind != c10::aten::remainder && kind != c10::aten::floordiv && kind != divmod)
        return false;
    const auto operands = node.inputs();
    return operands.size() == 2 && std::all_of(operands.begin(), operands.end(), [](const torch::jit::Value *operand) {
               return operand->type()->isSubtypeOf(*c10::NumberType::get()) &&
                      operand->type()->kind() != c10::TypeKind::FloatType;
           });
}

const char *trapOf(const c10::IValue &dividend, const c10::IValue &divisor)
{
    if (!dividend.isInt() || !divisor.isInt())
        return nullptr;
    if (divisor.toInt() == 0)
        return "integer division or modulo by zero";
    const bool overflows = dividend.toInt() == std::numeric_limits<std::int64_t>::min() && divisor.toInt() == -1;
    return overflows ? "the smallest 64-bit integer is divided by -1, which is larger than all of them" : nullptr;
}

} // namespace pipescope::import
