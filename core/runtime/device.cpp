#include "runtime/device.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>

namespace pipescope::runtime {

namespace {

constexpr std::size_t maxDigits = 4;

bool isIndex(std::string_view text)
{
    const bool digits = std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
    return digits && !text.empty() && text.size() <= maxDigits && (text.size() == 1 || text.front() != '0');
}

Status checkDevice(const std::string &device)
{
    const std::size_t colon = device.find(':');
    const std::string_view kind = std::string_view(device).substr(0, colon);
    if (kind == "cuda")
        return Error{ErrorCode::Unsupported,
                     fmt::format("{}: the GPU plug-in is not in this build; use cpu:0, cpu:1, ...", device),
                     device,
                     {}};
    if (kind != "cpu" || colon == std::string::npos || !isIndex(std::string_view(device).substr(colon + 1)))
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("'{}' is not a device; write cpu:0, cpu:1, ..., one for each rank", device),
                     device,
                     {}};
    return Success{};
}

} // namespace

Status checkDevices(const std::vector<std::string> &devices)
{
    if (devices.empty())
        return Error{
            ErrorCode::InvalidArgument, "no device is given; give one for each rank: cpu:0, cpu:1, ...", {}, {}};
    for (std::size_t rank = 0; rank < devices.size(); ++rank) {
        if (auto ok = checkDevice(devices[rank]); !ok)
            return ok.error();
        const auto first = std::find(devices.begin(), devices.end(), devices[rank]) - devices.begin();
        if (static_cast<std::size_t>(first) != rank)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("{} is given to rank {} and to rank {}; each rank needs a device of its own",
                                     devices[rank], first, rank),
                         devices[rank],
                         {}};
    }
    return Success{};
}

} // namespace pipescope::runtime
