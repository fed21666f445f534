#include "import/load_failure.h"

#include "archive/zip_names.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <vector>

namespace pipescope::import {

std::optional<Error> failureOfItsCode(std::string_view text, std::string_view message, const std::string &place,
                                      const std::filesystem::path &path)
{
    if (text.find("The following operation failed in the TorchScript interpreter.") == std::string_view::npos)
        return std::nullopt;
    return Error{
        ErrorCode::ModelFailed,
        fmt::format("'{}' runs code of its own when it is loaded, which failed{}: {}; the file is not damaged: "
                    "that code wants something that is not so here, which whoever made the file knows",
                    path.string(), place.empty() ? "" : " (" + place + ")", message),
        place.empty() ? path.string() : path.string() + ": " + place, std::string(text)};
}

std::string_view mobileAdvice()
{
    return "that is of a model made for phones by optimize_for_mobile (XNNPACK, Vulkan or Metal); save the model again "
           "without it, with torch.jit.save(torch.jit.script(model), 'model.pt'); its structure can be looked at";
}

bool isOfOldPyTorch(const std::filesystem::path &path)
{
    // torch.jit.save writes it since 2.1, beside all else.
    static constexpr std::string_view Since = ".data/serialization_id";
    const Result<std::vector<std::string>> names = archive::zipNames(path);
    return names &&
           std::none_of(names->begin(), names->end(), [](const std::string &name) { return name.ends_with(Since); });
}

} // namespace pipescope::import
