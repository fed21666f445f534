#include "engine/open_model.h"

#include "base/file.h"
#include "import/import_method.h"
#include "import/load.h"

#include <cstdio>
#include <string>
#include <torch/csrc/jit/runtime/print_handler.h>

namespace pipescope::engine {

Status checkStop(const JobContext &context)
{
    if (context.stop.stop_requested())
        return Error{ErrorCode::Cancelled, "stopped", {}, {}};
    return Success{};
}

void tell(const JobContext &context, std::string_view step, double fraction)
{
    if (context.progress)
        context.progress(step, fraction);
}

namespace {

/// Standard output is for results; what a model prints goes where progress and warnings go.
void sendPrintsToStandardError()
{
    torch::jit::setPrintHandler([](const std::string &text) { std::fwrite(text.data(), 1, text.size(), stderr); });
}

} // namespace

Result<OpenedModel> openModel(const ModelSource &source, const JobContext &context, Warnings &warnings)
{
    sendPrintsToStandardError();
    tell(context, "loading the model");
    Result<torch::jit::Module> module = import::loadModule(source.path, source.opLibraries);
    if (!module)
        return module.error();
    if (Status go = checkStop(context); !go)
        return go.error();
    Result<std::string> sha256 = fileSha256(source.path, context.stop);
    if (!sha256)
        return sha256.error();
    tell(context, "importing the method");
    Result<import::ImportedModel> imported = import::importMethod(*module, source.method, context.stop);
    if (!imported)
        return imported.error();
    for (const std::string &note : imported->notes)
        warnings.add(note);
    if (Status go = checkStop(context); !go)
        return go.error();
    return OpenedModel{*std::move(imported), *std::move(sha256)};
}

} // namespace pipescope::engine
