#include "plan/devices.h"

#include "base/error.h"
#include "base/text.h"
#include "plan/plan.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <system_error>
#include <utility>

namespace pipescope::plan {

namespace {

Error badDevice(std::string_view text, std::string_view why)
{
    return {ErrorCode::InvalidArgument,
            fmt::format("'{}' {}; write cpu:4 for four CPU devices, or a list like cpu:0,cpu:1", text, why),
            "devices",
            {}};
}

std::optional<int> wholeNumber(std::string_view text)
{
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || number < 0)
        return std::nullopt;
    return number;
}

/// The number after "cpu:".
Result<int> cpuNumber(std::string_view device)
{
    if (device.empty())
        return badDevice(device, "is no device");
    const std::size_t colon = device.find(':');
    const std::string_view kind = device.substr(0, colon);
    if (kind == "cuda")
        return Error{
            ErrorCode::Unsupported, fmt::format("'{}': this build runs on CPU devices only", device), "devices", {}};
    if (kind != "cpu" || colon == std::string_view::npos)
        return badDevice(device, "is no device");
    const std::optional<int> number = wholeNumber(device.substr(colon + 1));
    if (!number)
        return badDevice(device, "has no whole number after the colon");
    if (*number > MostDevices)
        return badDevice(device, fmt::format("is more than the {} devices there can be", MostDevices));
    return *number;
}

Status add(std::vector<std::string> &devices, std::string device)
{
    const auto first = std::find(devices.begin(), devices.end(), device);
    if (first != devices.end())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("{} is given to rank {} and to rank {}; each rank needs a device of its own", device,
                                 first - devices.begin(), devices.size()),
                     "devices",
                     {}};
    devices.push_back(std::move(device));
    return Success{};
}

} // namespace

std::vector<std::string> cpuDevices(int count)
{
    PIPESCOPE_ASSERT(count >= 0);
    std::vector<std::string> devices;
    devices.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        devices.push_back(fmt::format("cpu:{}", i));
    return devices;
}

Result<std::vector<std::string>> parseDevices(std::string_view text)
{
    text = trimmed(text);
    if (text == "cpu")
        return std::vector<std::string>{};
    const bool isList = text.size() >= 2 && text.front() == '[' && text.back() == ']';
    const std::vector<std::string> parts = splitText(isList ? text.substr(1, text.size() - 2) : text, ',');
    if (parts.size() > MostDevices)
        return badDevice(text.substr(0, 40),
                         fmt::format("and so on are more than the {} devices there can be", MostDevices));
    std::vector<std::string> devices;
    for (const std::string &part : parts) {
        Result<int> number = cpuNumber(trimmed(part));
        if (!number)
            return number.error();
        if (parts.size() == 1 && *number > 0 && !isList)
            return cpuDevices(*number);
        if (auto ok = add(devices, fmt::format("cpu:{}", *number)); !ok)
            return ok.error();
    }
    return devices;
}

std::string devicesText(const std::vector<std::string> &devices)
{
    if (devices.empty())
        return "cpu";
    if (devices == cpuDevices(static_cast<int>(devices.size())))
        return fmt::format("cpu:{}", devices.size());
    return devices.size() == 1 ? fmt::format("[{}]", devices.front()) : fmt::format("{}", fmt::join(devices, ", "));
}

} // namespace pipescope::plan
