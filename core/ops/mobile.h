// Operators and classes that optimize_for_mobile puts in the place of PyTorch's own. A LibTorch without the backend
// they are for (XNNPACK, Vulkan, Metal) does not know them, and no library adds them to it.
#pragma once

#include <string_view>

namespace pipescope::ops {

/// Of an operator ("prepacked::linear_clamp_run") or a class ("torch.classes.xnnpack.LinearOpContext").
[[nodiscard]] bool isForMobile(std::string_view name);

} // namespace pipescope::ops
