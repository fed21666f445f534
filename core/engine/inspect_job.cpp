#include "engine/inspect_job.h"

#include "engine/failed_node.h"
#include "engine/model_inputs.h"
#include "engine/module_costs.h"
#include "engine/open_model.h"
#include "engine/specialising.h"
#include "engine/warnings.h"
#include "exec/profile.h"
#include "exec/written_values.h"
#include "import/load.h"
#include "import/meta_tensors.h"
#include "import/method_signature.h"
#include "import/specialised_inputs.h"
#include "import/structure_only.h"
#include "tensor/torch_guard.h"

#include <algorithm>
#include <fmt/format.h>

namespace pipescope::engine {

namespace {

Result<report::Inspection> readStructureOf(const report::InspectRequest &request, const JobContext &context)
{
    tell(context, "reading the file");
    const auto hash = request.hashLater ? import::FileHash::LeftOutWhereLong : import::FileHash::Taken;
    Result<import::Structure> structure =
        import::readStructure(request.model, context.stop, request.method, hash, context.progress);
    if (!structure)
        return structure.error();
    report::Inspection inspection;
    inspection.structureOnly = true;
    inspection.fileKind = import::fileKindName(structure->kind);
    inspection.hashLeftOut = structure->sha256.empty();
    inspection.sha256 = std::move(structure->sha256);
    inspection.producerVersion = structure->producerVersion;
    inspection.graph = std::move(structure->outline);
    inspection.graph.modules = std::move(structure->modules);
    inspection.graph.parameters = std::move(structure->parameters);
    for (archive::CodeMethod &method : structure->methods) {
        if (method.className == structure->modelClass)
            inspection.methods.push_back({std::move(method.name), std::move(method.signature)});
    }
    inspection.operators = std::move(structure->operators);
    inspection.unknownOperators = std::move(structure->unknownOperators);
    inspection.warnings = std::move(structure->notes);
    return inspection;
}

std::vector<report::MethodInfo> methodsOf(const torch::jit::Module &module)
{
    std::vector<report::MethodInfo> methods;
    for (const torch::jit::Method &method : module.get_methods())
        methods.push_back({method.name(), import::signatureOf(method)});
    return methods;
}

/// FQNs of everything the method may leave changed, sorted.
std::vector<std::string> stateOf(const import::ImportedModel &model)
{
    std::vector<std::string> names;
    for (const import::StateSlot &slot : model.state)
        names.push_back(slot.fqn);
    for (const graph::Node &node : model.graph.nodes)
        names.insert(names.end(), node.stateWritten.begin(), node.stateWritten.end());
    for (const ValueId written : exec::writtenInPlace(model.graph)) {
        const auto held = model.held.find(written);
        if (held != model.held.end() && !held->second.isModule())
            names.push_back(model.graph.value(written).name);
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

Status measure(import::ImportedModel &model, const report::InspectRequest &request, const JobContext &context)
{
    if (Status runnable = import::checkHasValues(model); !runnable)
        return runnable;
    Result<std::vector<c10::IValue>> arguments = makeModelInputs(model, request.inputs, request.seed);
    if (!arguments)
        return arguments.error();
    exec::ProfileOptions options;
    options.threads = request.threads;
    options.grad = request.grad;
    options.seed = request.seed;
    Status measured = exec::profile(model, *arguments, options, context.stop, context.progress);
    if (measured)
        return measured;
    check::CheckOptions replay;
    replay.threads = request.threads;
    replay.grad = request.grad;
    replay.seed = request.seed;
    return withOperands(measured.error(), model, *arguments, replay, context.stop);
}

Result<report::Inspection> inspectLoaded(OpenedModel opened, const report::InspectRequest &request,
                                         const JobContext &context)
{
    import::ImportedModel &model = opened.imported;
    report::Inspection inspection;
    inspection.fileKind = import::fileKindName(opened.kind);
    inspection.sha256 = std::move(opened.sha256);
    inspection.splitPoints = partition::splitPoints(model.graph);
    inspection.specialised = import::specialisedInputs(model);
    if (model.specialised.empty())
        inspection.specialisable = specialisable(model, request.inputs, context);
    if (request.measure && !request.inputs.empty()) {
        if (Status measured = measure(model, request, context); !measured)
            return measured.error();
        inspection.profiled = true;
        inspection.moduleCosts = moduleCosts(model.graph);
    }
    inspection.methods = methodsOf(model.module);
    inspection.operators = countOperators(model.graph);
    inspection.state = stateOf(model);
    inspection.graph = std::move(model.graph);
    return inspection;
}

/// What loading refuses, but reading may still show.
Result<report::Inspection> inspectAnyWay(const report::InspectRequest &request, const JobContext &context,
                                         Warnings &warnings)
{
    if (request.structureOnly)
        return readStructureOf(request, context);
    const Specialising specialising{request.inputs, request.specialised, request.specialise};
    Result<OpenedModel> opened = openModel({request.model, request.method, request.opLibraries, request.expectedSha256,
                                            specialising.inputs(), !specialising.ofInputs},
                                           context, warnings);
    if (opened) {
        if (Status specialised = checkSpecialising(specialising, opened->imported); !specialised)
            return specialised.error();
        return inspectLoaded(*std::move(opened), request, context);
    }
    if (opened.error().code != ErrorCode::Unsupported)
        return opened.error();
    report::InspectRequest reading = request;
    reading.hashLater = false;
    Result<report::Inspection> structure = readStructureOf(reading, context);
    const bool isAnother = structure && !request.expectedSha256.empty() && structure->sha256 != request.expectedSha256;
    if (!structure || isAnother)
        return opened.error();
    structure->loadRefused = true;
    warnings.add(fmt::format("only the structure is shown: {}", opened.error().message));
    return structure;
}

/// Without loading there is nothing to run.
Status checkRequest(const report::InspectRequest &request)
{
    if (!request.structureOnly)
        return Success{};
    if (request.specialise || !request.specialised.empty())
        return Error{ErrorCode::InvalidArgument,
                     "where only the structure is looked at, no branch is decided; do not specialise, or look at all "
                     "of it",
                     "specialised",
                     {}};
    if (!request.inputs.empty())
        return Error{
            ErrorCode::InvalidArgument,
            "where only the structure is looked at, nothing is run; leave out the inputs, or look at all of it",
            "inputs",
            {}};
    if (request.method != "forward")
        return Error{ErrorCode::InvalidArgument,
                     "where only the structure is looked at, all methods are listed and none is chosen; leave it out",
                     "method",
                     {}};
    return Success{};
}

Result<report::Inspection> inspectJob(const report::InspectRequest &request, const JobContext &context)
{
    if (Status valid = checkRequest(request); !valid)
        return valid.error();
    Warnings warnings(context);
    Result<report::Inspection> inspection = inspectAnyWay(request, context, warnings);
    if (!inspection)
        return inspection;
    for (const std::string &note : inspection->warnings)
        warnings.add(note);
    inspection->path = request.model;
    inspection->graph.method = request.method;
    inspection->inputs = request.inputs;
    inspection->warnings = warnings.all();
    return inspection;
}

} // namespace

Result<report::Inspection> inspect(const report::InspectRequest &request, const JobContext &context)
{
    return tensor::guardTorch(ErrorCode::Internal, request.model, [&] { return inspectJob(request, context); });
}

} // namespace pipescope::engine
