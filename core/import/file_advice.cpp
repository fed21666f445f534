#include "import/file_advice.h"

#include "archive/zip_names.h"
#include "base/text.h"
#include "import/pickled_class.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace pipescope::import {

namespace {

constexpr std::string_view SaveFromPython =
    "save the model itself in Python with torch.jit.save(torch.jit.script(model), 'model.pt')";

std::string beginningOf(const std::filesystem::path &path, std::size_t size)
{
    std::ifstream in(path, std::ios::binary);
    std::string bytes(size, '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(size));
    bytes.resize(static_cast<std::size_t>(in.gcount()));
    return bytes;
}

std::string gitLfsAdvice(const std::filesystem::path &path)
{
    const std::string text = beginningOf(path, 4096);
    const std::size_t at = text.find("\nsize ");
    std::int64_t size = 0;
    const char *begin = text.data() + std::min(text.size(), at == std::string::npos ? at : at + 6);
    const bool isKnown = std::from_chars(begin, text.data() + text.size(), size).ec == std::errc() && size >= 0;
    return fmt::format("is a Git LFS pointer: the file it stands for{} was not fetched; run `git lfs pull` in its "
                       "repository, or download the file itself",
                       isKnown ? fmt::format(" ({})", formatBytes(size)) : std::string());
}

std::string zipAdvice(const std::filesystem::path &path)
{
    constexpr std::size_t Most = 3;
    std::vector<std::string> models;
    if (const auto names = archive::zipNames(path))
        std::copy_if(names->begin(), names->end(), std::back_inserter(models), isModelName);
    const std::size_t more = models.size() > Most ? models.size() - Most : 0;
    models.resize(models.size() - more);
    return fmt::format("is a zip archive that holds '{}'{}; unpack it first (unzip FILE), and give what comes out",
                       fmt::join(models, "', '"), more > 0 ? fmt::format(" and {} more", more) : std::string());
}

bool beginsLikeJson(const std::filesystem::path &path)
{
    const std::string bytes = beginningOf(path, 4096);
    std::string_view text = bytes;
    if (text.starts_with("\xEF\xBB\xBF")) // a byte order mark
        text.remove_prefix(3);
    text = trimmed(text);
    return text.starts_with('{') || text.starts_with('[');
}

std::string textAdvice(const std::filesystem::path &path)
{
    if (beginsLikeJson(path))
        return "is JSON, and no plan: that is an object with the key 'pipescopePlan'. "
               "A trace opens in the window, `pipescope`; a model is written by torch.jit.save";
    return fmt::format("is a text file, not a TorchScript model; if it is Python code that builds the model, {}",
                       SaveFromPython);
}

std::string unknownAdvice(const std::filesystem::path &path)
{
    if (beginningOf(path, 2) == "\x1f\x8b")
        return "is packed by gzip; unpack it first: gunzip FILE";
    return "is of no kind known here; a TorchScript model written by torch.jit.save is needed";
}

std::string stateDictAdvice(const std::filesystem::path &path)
{
    if (const std::string className = pickledClass(path); !className.empty())
        return fmt::format("holds Python objects that torch.save pickled, a {} among them, whose code is not in "
                           "the file; load it in Python with torch.load(..., weights_only=False), then {}",
                           className, SaveFromPython);
    return fmt::format(
        "holds tensors or a state dict written by torch.save, weights without the code that uses them; {}",
        SaveFromPython);
}

/// For the kinds of which the kind alone says enough; "" for the others.
std::string adviceFor(FileKind kind)
{
    switch (kind) {
    case FileKind::TorchScript:
    case FileKind::TorchScriptLite:
        return "is a TorchScript model";
    case FileKind::LiteWithoutCode:
        return "is a model of the lite interpreter without its code, which cannot be split; save the scripted model "
               "with "
               "torch.jit.save, or with _save_for_lite_interpreter without flatbuffer";
    case FileKind::EarlyTorchScript:
        return "is a TorchScript model as PyTorch wrote them in 2018 and 2019 (with a model.json); load it in Python "
               "with torch.jit.load and save it again with torch.jit.save";
    case FileKind::ExecuTorch:
        return fmt::format("is an ExecuTorch program (.pte), which is not TorchScript; {}", SaveFromPython);
    case FileKind::LegacyPickle:
        return fmt::format(
            "was written by torch.save before PyTorch 1.6 and holds Python objects, which only Python can "
            "read; load it there with torch.load, then {}",
            SaveFromPython);
    case FileKind::TorchPackage:
        return fmt::format(
            "is a torch.package, whose code is Python; import it with torch.package.PackageImporter, then {}",
            SaveFromPython);
    case FileKind::ExportedProgram:
        return fmt::format("is a program of torch.export (.pt2), which is not TorchScript; {}", SaveFromPython);
    case FileKind::Safetensors:
        return fmt::format(
            "is a safetensors file, weights without the code that uses them; load them into the model, then {}",
            SaveFromPython);
    case FileKind::Onnx:
        return fmt::format("is an ONNX model; {}", SaveFromPython);
    case FileKind::Plan:
        return "is a Pipescope plan, not a model; give it to `run` or `check`";
    case FileKind::Empty:
        return "is empty; save or copy the model again";
    case FileKind::StateDict:
    case FileKind::ZipOfModels:
    case FileKind::GitLfsPointer:
    case FileKind::Text:
    case FileKind::Unknown:
        break;
    }
    return {};
}

std::string adviceFor(FileKind kind, const std::filesystem::path &path)
{
    switch (kind) {
    case FileKind::StateDict:
        return stateDictAdvice(path);
    case FileKind::ZipOfModels:
        return zipAdvice(path);
    case FileKind::GitLfsPointer:
        return gitLfsAdvice(path);
    case FileKind::Text:
        return textAdvice(path);
    case FileKind::Unknown:
        return unknownAdvice(path);
    default:
        return adviceFor(kind);
    }
}

} // namespace

bool isModelName(std::string_view name)
{
    constexpr std::array Endings{".pt", ".pth", ".ptl", ".jit", ".torchscript"};
    return std::any_of(Endings.begin(), Endings.end(), [&](const char *ending) { return name.ends_with(ending); });
}

bool hasModel(FileKind kind)
{
    return kind == FileKind::TorchScript || kind == FileKind::TorchScriptLite;
}

Error notAModel(FileKind kind, const std::filesystem::path &path)
{
    return {ErrorCode::InvalidFile, fmt::format("'{}' {}", path.string(), adviceFor(kind, path)), path.string(), {}};
}

} // namespace pipescope::import
