#include "import/load.h"

#include "import/archive/archive_content.h"
#include "import/file_advice.h"
#include "import/load_error.h"
#include "import/operator_library.h"
#include "tensor/torch_guard.h"

#include <fmt/format.h>
#include <torch/csrc/jit/serialization/import.h>

namespace pipescope::import {

Result<torch::jit::Module> loadModule(const std::filesystem::path &path, const std::vector<std::string> &opLibraries)
{
    for (const std::string &library : opLibraries)
        if (auto ok = loadOperatorLibrary(library); !ok)
            return ok.error();
    const Result<FileKind> kind = recogniseFile(path);
    if (!kind)
        return kind.error();
    if (!hasModel(*kind))
        return notAModel(*kind, path);
    const Result<ArchiveContent> content = readContent(path);
    if (!content)
        return content.error();
    if (!content->damagedTensors.empty())
        return Error{
            ErrorCode::InvalidFile,
            fmt::format("'{}' is damaged: {}; copy or save it again", path.string(), content->damagedTensors.front()),
            path.string(),
            {}};
    registerMarkers();
    auto module = tensor::guardTorch(ErrorCode::InvalidFile, path.string(),
                                     [&] { return torch::jit::load(path.string(), c10::kCPU); });
    if (!module)
        return loadError(module.error(), path);
    return module;
}

} // namespace pipescope::import
