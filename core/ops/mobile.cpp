#include "ops/mobile.h"

#include <algorithm>
#include <array>

namespace pipescope::ops {

bool isForMobile(std::string_view name)
{
    constexpr std::array<std::string_view, 6> Beginnings{
        "prepacked::",           "vulkan_prepack::",    "metal_prepack::", "torch.classes.xnnpack.",
        "torch.classes.vulkan.", "torch.classes.metal."};
    return std::any_of(Beginnings.begin(), Beginnings.end(),
                       [&](std::string_view beginning) { return name.starts_with(beginning); });
}

} // namespace pipescope::ops
