#include "import/load_error.h"

#include "base/text.h"
#include "import/structure_only.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string_view>

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

Error unknownOperators(std::string_view text, Error error, const std::filesystem::path &path)
{
    std::vector<std::string> names;
    if (const auto structure = readStructure(path))
        names = structure->unknownOperators;
    const std::string first(between(text, "Unknown builtin op: ", ".\n "));
    if (std::find(names.begin(), names.end(), first) == names.end())
        names.insert(names.begin(), first);
    error.code = ErrorCode::Unsupported;
    error.message = fmt::format("'{}' calls {} this LibTorch does not know: {}; load the library that registers {}, or "
                                "look at the structure only",
                                path.string(), names.size() == 1 ? "an operator" : "operators", fmt::join(names, ", "),
                                names.size() == 1 ? "it" : "them");
    return error;
}

} // namespace

Error loadError(const Error &thrown, const std::filesystem::path &path)
{
    const std::string text = thrown.message + "\n" + thrown.details;
    const std::string place = placeInArchive(text);
    Error error{ErrorCode::InvalidFile, {}, place.empty() ? path.string() : path.string() + ": " + place, text};
    if (text.find("Unknown builtin op: ") != std::string::npos)
        return unknownOperators(text, std::move(error), path);
    if (const auto name = between(text, "Unknown type name '", "'");
        name.find("torch.classes.") != std::string_view::npos) {
        error.code = ErrorCode::Unsupported;
        error.message =
            fmt::format("'{}' holds objects of {}, a class this LibTorch does not know; load the library that "
                        "registers it, or look at the structure only",
                        path.string(), name.substr(name.find("torch.classes.")));
        return error;
    }
    error.message =
        fmt::format("'{}' cannot be loaded{}: {}; where the file is whole, save the model again with a PyTorch "
                    "near the one used here",
                    path.string(), place.empty() ? "" : " (" + place + ")", firstLine(thrown.message));
    return error;
}

} // namespace pipescope::import
