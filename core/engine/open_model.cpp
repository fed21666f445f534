#include "engine/open_model.h"

#include "engine/kept_model.h"
#include "engine/specialising.h"
#include "import/import_method.h"
#include "import/load.h"
#include "import/specialised_inputs.h"

#include <cstdio>
#include <map>
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
    if (context.kept != nullptr)
        context.kept->forget();
    tell(context, "loading the model");
    Result<import::LoadedFile> file =
        import::loadFile(source.path, source.opLibraries, source.expectedSha256, context.stop, context.progress);
    if (!file)
        return file.error();
    if (Status go = checkStop(context); !go)
        return go.error();
    for (const std::string &note : file->notes)
        warnings.add(note);
    tell(context, "importing the method");
    Result<std::map<int, c10::IValue>> constants = import::constantsOf(file->module, source.method, source.specialised);
    if (!constants)
        return source.isPlanned ? ofPlannedValue(constants.error(), source.specialised) : constants.error();
    Result<import::ImportedModel> imported =
        import::importMethod(file->module, source.method, context.stop, *constants);
    if (!imported)
        return imported.error();
    for (const std::string &note : imported->notes)
        warnings.add(note);
    if (Status go = checkStop(context); !go)
        return go.error();
    return OpenedModel{*std::move(imported), file->kind, std::move(file->sha256), std::move(file->isCurrent)};
}

} // namespace pipescope::engine
