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

/// What LibTorch would trust blindly.
Status checkContent(const std::filesystem::path &path, const std::stop_token &stop)
{
    const Result<ArchiveContent> content = readContent(path, stop);
    if (!content)
        return content.error();
    if (content->damagedTensors.empty())
        return Success{};
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
                            const std::string &expectedSha256, const std::stop_token &stop)
{
    const Result<FileKind> kind = recogniseFile(path);
    if (!kind)
        return kind.error();
    if (!hasModel(*kind))
        return notAModel(*kind, path);
    const Result<ModelFile> file = ModelFile::open(path);
    if (!file)
        return file.error();
    Result<std::string> sha256 = file->sha256(stop);
    if (!sha256)
        return sha256.error();
    if (!expectedSha256.empty() && *sha256 != expectedSha256)
        return anotherFile(path, *sha256, expectedSha256);
    if (auto ok = loadLibraries(opLibraries); !ok)
        return ok.error();
    if (auto ok = checkContent(path, stop); !ok)
        return ok.error();
    if (auto ok = file->checkUnchanged(); !ok)
        return ok.error();
    registerMarkers();
    auto module = tensor::guardTorch(ErrorCode::InvalidFile, path.string(),
                                     [&] { return torch::jit::load(file->reader(), c10::kCPU); });
    if (!module)
        return loadError(module.error(), path);
    if (auto ok = file->checkUnchanged(); !ok)
        return ok.error();
    return LoadedFile{*std::move(module), *std::move(sha256),
                      [opened = *file] { return bool(opened.checkUnchanged()); }};
}

Result<torch::jit::Module> loadModule(const std::filesystem::path &path, const std::vector<std::string> &opLibraries)
{
    Result<LoadedFile> loaded = loadFile(path, opLibraries, {});
    if (!loaded)
        return loaded.error();
    return std::move(loaded->module);
}

} // namespace pipescope::import
