#include "import/load.h"

#include "import/archive/archive_content.h"
#include "import/file_advice.h"
#include "import/load_error.h"
#include "import/model_file.h"
#include "import/operator_library.h"
#include "tensor/torch_guard.h"

#include <caffe2/serialize/read_adapter_interface.h>
#include <fmt/format.h>
#include <torch/csrc/jit/serialization/import.h>

namespace pipescope::import {

namespace {

Error anotherFile(const std::filesystem::path &path, const std::string &found, const std::string &expected)
{
    return {ErrorCode::InvalidFile,
            fmt::format("'{}' is another file than the one that was looked at (its SHA-256 is {:.12}..., not "
                        "{:.12}...) and was not loaded; look at it again, and load it if it may run",
                        path.string(), found, expected),
            path.string(),
            {}};
}

std::vector<std::string> deviceNotes(const ArchiveContent &content)
{
    std::vector<std::string> notes;
    for (const auto &[device, tensors] : content.devices)
        notes.push_back(fmt::format("{} tensor{} of the file {} saved on {} and {} mapped to the CPU", tensors,
                                    tensors == 1 ? "" : "s", tensors == 1 ? "was" : "were", device,
                                    tensors == 1 ? "is" : "are"));
    return notes;
}

/// Checks what LibTorch would trust blindly; gives what the user has to know of it.
Result<std::vector<std::string>> checkContent(const ModelFile &file, const std::stop_token &stop)
{
    const std::filesystem::path &path = file.path();
    const Result<ArchiveContent> content = readContent(file, stop);
    if (!content)
        return content.error();
    if (content->damagedTensors.empty())
        return deviceNotes(*content);
    return Error{
        ErrorCode::InvalidFile,
        fmt::format("'{}' is damaged: {}; copy or save it again", path.string(), content->damagedTensors.front()),
        path.string(),
        {}};
}

Status loadLibraries(const std::vector<std::string> &opLibraries)
{
    for (const std::string &library : opLibraries)
        if (auto ok = loadOperatorLibrary(library); !ok)
            return ok.error();
    return Success{};
}

} // namespace

Result<LoadedFile> loadFile(const std::filesystem::path &path, const std::vector<std::string> &opLibraries,
                            const std::string &expectedSha256, const std::stop_token &stop, const Progress &progress)
{
    const Result<ModelFile> file = ModelFile::open(path);
    if (!file)
        return file.error();
    const Result<FileKind> kind = recogniseFile(*file);
    if (!kind)
        return kind.error();
    if (!hasModel(*kind))
        return notAModel(*kind, path);
    Result<std::string> sha256 = file->sha256(stop, progress);
    if (!sha256)
        return sha256.error();
    if (!expectedSha256.empty() && *sha256 != expectedSha256)
        return anotherFile(path, *sha256, expectedSha256);
    if (auto ok = loadLibraries(opLibraries); !ok)
        return ok.error();
    Result<std::vector<std::string>> notes = checkContent(*file, stop);
    if (!notes)
        return notes.error();
    if (auto ok = file->checkUnchanged(); !ok)
        return ok.error();
    registerMarkers();
    auto module = tensor::guardTorch(ErrorCode::InvalidFile, path.string(),
                                     [&] { return torch::jit::load(file->reader(progress), c10::kCPU); });
    if (!module)
        return loadError(module.error(), path);
    if (auto ok = file->checkUnchanged(); !ok)
        return ok.error();
    return LoadedFile{*std::move(module), *kind, *std::move(sha256),
                      [opened = *file] { return bool(opened.checkUnchanged()); }, *std::move(notes)};
}

Result<torch::jit::Module> loadModule(const std::filesystem::path &path, const std::vector<std::string> &opLibraries)
{
    Result<LoadedFile> loaded = loadFile(path, opLibraries, {});
    if (!loaded)
        return loaded.error();
    return std::move(loaded->module);
}

} // namespace pipescope::import
