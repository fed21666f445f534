// Opening a model file. Loading a TorchScript file runs code in it (`__setstate__`); structure_only.h reads without.
#pragma once

#include "base/progress.h"
#include "base/result.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <torch/csrc/jit/api/module.h>
#include <vector>

namespace pipescope::import {

class ModelFile;

/// What a file is, by its first bytes and, for zip archives, by the names inside.
enum class FileKind {
    TorchScript,      ///< torch.jit.save
    TorchScriptLite,  ///< _save_for_lite_interpreter with its code kept (.ptl); loads as TorchScript
    LiteWithoutCode,  ///< bytecode only: flatbuffer, or an archive with its code left out
    EarlyTorchScript, ///< torch.jit.save of 2018 and 2019, which describes the model in model.json
    ExecuTorch,       ///< .pte
    StateDict,        ///< torch.save of tensors, a state dict or any object of Python's
    LegacyPickle,     ///< torch.save before 1.6
    TorchPackage,     ///< torch.package
    ExportedProgram,  ///< torch.export.save, .pt2
    Safetensors,
    Onnx,
    Plan,          ///< a Pipescope plan
    ZipOfModels,   ///< a zip archive with files in it that have a model's ending
    GitLfsPointer, ///< what Git has in place of a large file that was not fetched
    Text,
    Empty,
    Unknown,
};

[[nodiscard]] std::string_view fileKindName(FileKind kind);
/// Error: NotFound, or InvalidFile when it cannot be read.
Result<FileKind> recogniseFile(const std::filesystem::path &path);
/// Of one that is open.
Result<FileKind> recogniseFile(const ModelFile &file);

/// Loads operator libraries first (dlopen), then the model, to the CPU. Registers Pipescope's markers once.
/// Errors: NotFound; InvalidFile naming what the file is instead and what to do ("this is a state dict; save the model
/// with torch.jit.save ..."), or where it is damaged; Unsupported for unknown operators, naming them and what loads
/// them; ModelFailed where code of the file failed that loading runs.
Result<torch::jit::Module> loadModule(const std::filesystem::path &path,
                                      const std::vector<std::string> &opLibraries = {});

struct LoadedFile
{
    torch::jit::Module module;
    FileKind kind = FileKind::TorchScript;
    std::string sha256; ///< of the bytes it was loaded from
    /// Whether the path still leads to these very bytes, told without reading them. Keeps the file open.
    std::function<bool()> isCurrent;
    std::vector<std::string> notes; ///< what loading changed, for the user
};

/// As loadModule, and with its hash. A file whose hash is not the one expected ("" for any) is refused before LibTorch
/// or a library sees anything: InvalidFile. So is one that is written or replaced while it is being loaded. Cancelled
/// where `stop` is requested before loading, which cannot be interrupted. Says how far reading and loading are.
Result<LoadedFile> loadFile(const std::filesystem::path &path, const std::vector<std::string> &opLibraries,
                            const std::string &expectedSha256, const std::stop_token &stop = {},
                            const Progress &progress = {});

/// pippy::_pipe_split and pipescope::split survive TorchScript as CONSERVATIVE no-ops; pipescope::boundary is an
/// identity. Done once per process; harmless when called again.
void registerMarkers();

} // namespace pipescope::import
