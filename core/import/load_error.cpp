#include "import/load_error.h"

#include "base/text.h"
#include "import/load_failure.h"
#include "import/structure_only.h"
#include "ops/mobile.h"
#include "ops/operator.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>
#include <torch/version.h>

namespace pipescope::import {

namespace {

/// The characters of `text` after `before` up to one of `ends`; "" when `before` is not there.
std::string_view between(std::string_view text, std::string_view before, std::string_view ends)
{
    const std::size_t at = text.find(before);
    if (at == std::string_view::npos)
        return {};
    text.remove_prefix(at + before.size());
    return text.substr(0, text.find_first_of(ends));
}

/// "code/__torch__/model.py:12" from TorchScript's traceback; "" when it names no place in the archive.
std::string placeInArchive(std::string_view text)
{
    const std::size_t at = text.find("File \"code/");
    if (at == std::string_view::npos)
        return {};
    text.remove_prefix(at);
    const std::string_view file = between(text, "File \"", "\"");
    const std::string_view line = between(text, "\", line ", "\n, ");
    return fmt::format("{}:{}", file, line);
}

std::string firstLine(std::string_view text)
{
    std::string line(trimmed(text.substr(0, text.find('\n'))));
    while (!line.empty() && (line.back() == ':' || line.back() == '.'))
        line.pop_back();
    return line;
}

/// About code that LibTorch does not take. Python's torch.jit.load is the same code, so it is no help.
std::string makeItAgain()
{
    return fmt::format(
        "torch.jit.load of PyTorch {} refuses it as well: make the model again from its Python code with "
        "that version, and save it",
        TORCH_VERSION);
}

/// What to do about operators that LibTorch does not know. One of PyTorch's own comes first: no library has it.
std::string whatLoads(const std::vector<std::string> &names, const std::filesystem::path &path)
{
    if (std::any_of(names.begin(), names.end(), ops::isForMobile))
        return std::string(mobileAdvice());
    const auto own = std::find_if(names.begin(), names.end(), [](const auto &name) { return ops::isTorchsOwn(name); });
    if (own != names.end() && isOfOldPyTorch(path))
        return fmt::format("{} was PyTorch's own when the file was written, and was dropped since: {}; its structure "
                           "can be looked at",
                           *own, makeItAgain());
    if (own != names.end())
        return fmt::format(
            "{} is PyTorch's own, so a newer PyTorch than this LibTorch ({}) wrote the file: use a LibTorch "
            "as new as that, or save the model again with this version; its structure can be looked at",
            *own, TORCH_VERSION);
    return fmt::format("load the library that registers {}, or look at the structure only",
                       names.size() == 1 ? "it" : "them");
}

Error unknownOperators(std::string_view text, Error error, const std::filesystem::path &path)
{
    std::vector<std::string> names;
    if (const auto structure = readStructure(path))
        names = structure->unknownOperators;
    const std::string first(between(text, "Unknown builtin op: ", ".\n "));
    if (std::find(names.begin(), names.end(), first) == names.end())
        names.insert(names.begin(), first);
    error.code = ErrorCode::Unsupported;
    error.message =
        fmt::format("'{}' calls {} this LibTorch does not know: {}; {}", path.string(),
                    names.size() == 1 ? "an operator" : "operators", fmt::join(names, ", "), whatLoads(names, path));
    return error;
}

} // namespace

Error loadError(const Error &thrown, const std::filesystem::path &path)
{
    const std::string text = thrown.message + "\n" + thrown.details;
    const std::string place = placeInArchive(text);
    if (auto failure = failureOfItsCode(text, firstLine(thrown.message), place, path))
        return *std::move(failure);
    Error error{ErrorCode::InvalidFile, {}, place.empty() ? path.string() : path.string() + ": " + place, text};
    if (text.find("Unknown builtin op: ") != std::string::npos)
        return unknownOperators(text, std::move(error), path);
    if (const auto name = between(text, "Unknown type name '", "'");
        name.find("torch.classes.") != std::string_view::npos) {
        const std::string_view className = name.substr(name.find("torch.classes."));
        error.code = ErrorCode::Unsupported;
        error.message = fmt::format(
            "'{}' holds objects of {}, a class this LibTorch does not know; {}", path.string(), className,
            ops::isForMobile(className) ? mobileAdvice()
                                        : "load the library that registers it, or look at the structure only");
        return error;
    }
    error.message = fmt::format("'{}' cannot be loaded{}: {}; {}{}", path.string(),
                                place.empty() ? "" : " (" + place + ")", firstLine(thrown.message),
                                place.empty() ? "copy the file again if it may be damaged; where it is whole, " : "",
                                makeItAgain());
    return error;
}

} // namespace pipescope::import
