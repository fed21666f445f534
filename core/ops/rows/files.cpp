// Files of the machine that the program runs on.
#include "ops/rows/families.h"

namespace pipescope::ops {

namespace {

constexpr Operator Files[] = {
    {.name = "aten::from_file", .role = Role::UsesFiles},
    {.name = "aten::save", .role = Role::UsesFiles},
};

} // namespace

std::span<const Operator> files()
{
    return Files;
}

} // namespace pipescope::ops
