#include "engine/pipeline_setup.h"

#include "engine/chunk_hints.h"
#include "engine/chunking.h"
#include "engine/model_inputs.h"
#include "engine/place_schedule.h"
#include "engine/place_stages.h"
#include "engine/specialising.h"
#include "exec/fresh_arguments.h"
#include "import/meta_tensors.h"
#include "import/specialised_inputs.h"
#include "plan/devices.h"
#include "schedule/schedule_table.h"

#include <fmt/format.h>
#include <optional>

namespace pipescope::engine {

namespace {

/// What can be refused before anything long is done.
Status checkPlan(const plan::Plan &plan)
{
    if (!plan.schedule.starts_with('@')) {
        if (auto entry = schedule::findSchedule(plan.schedule); !entry)
            return entry.error();
    }
    return plan::validatePlan(plan);
}

Result<PipelineSetup> openPlan(const report::RunRequest &request, const JobContext &context, Warnings &warnings)
{
    const plan::Plan &plan = request.plan;
    if (Status valid = checkPlan(plan); !valid)
        return valid.error();
    const Specialising specialising{plan.inputs, plan.specialised, request.specialise};
    Result<OpenedModel> opened = openModel({plan.model, plan.method, plan.opLibraries, request.expectedSha256,
                                            specialising.inputs(), !specialising.ofInputs},
                                           context, warnings);
    if (!opened)
        return opened.error();
    if (Status specialised = checkSpecialising(specialising, opened->imported); !specialised)
        return specialised.error();
    PipelineSetup setup;
    setup.plan = plan;
    setup.model = std::move(opened->imported);
    setup.plan.specialised = import::specialisedInputs(setup.model);
    if (!plan.modelSha256.empty() && plan.modelSha256 != opened->sha256)
        warnings.add(
            fmt::format("'{}' is not the file the plan was made for (SHA-256 {:.12}..., the plan has {:.12}...); its "
                        "split points may mean other places",
                        plan.model, opened->sha256, plan.modelSha256));
    setup.plan.modelSha256 = std::move(opened->sha256);
    return setup;
}

Status cutBatch(PipelineSetup &setup, Warnings &warnings)
{
    if (Status runnable = import::checkHasValues(setup.model); !runnable)
        return runnable;
    const graph::ModelGraph &graph = setup.model.graph;
    Result<std::vector<c10::IValue>> arguments = makeModelInputs(setup.model, setup.plan.inputs, setup.plan.seed);
    if (!arguments)
        return arguments.error();
    setup.arguments = *std::move(arguments);
    Result<tensor::ChunkedArguments> chunks =
        cutArguments(graph.arguments, setup.arguments, setup.plan.inputChunks, setup.plan.microbatches);
    if (!chunks)
        return chunks.error();
    setup.chunks = *std::move(chunks);
    setup.unlikeRows = unlikeRows(graph.arguments, setup.arguments, setup.plan.inputChunks, setup.plan.microbatches);
    if (!setup.chunks.lowered.empty())
        warnings.add(setup.chunks.lowered + otherDimensions(graph.arguments, setup.arguments, setup.plan.inputChunks));
    return Success{};
}

} // namespace

std::vector<std::vector<c10::IValue>> PipelineSetup::freshMicrobatches() const
{
    std::vector<std::vector<c10::IValue>> fresh;
    for (const std::vector<c10::IValue> &microbatch : chunks.args)
        fresh.push_back(exec::freshArguments(model.graph, microbatch));
    return fresh;
}

Result<PipelineSetup> setUpRun(const report::RunRequest &request, const JobContext &context, Warnings &warnings)
{
    Result<PipelineSetup> setup = openPlan(request, context, warnings);
    if (!setup)
        return setup;
    const Result<std::optional<int>> balanceInto = stagesToBalance(request, setup->model.graph);
    if (!balanceInto)
        return balanceInto.error();
    if (Status cut = cutBatch(*setup, warnings); !cut)
        return cut.error();
    if (Status placed = placeStages(*setup, *balanceInto, context, warnings); !placed)
        return placed.error();
    if (Status placed = placeSchedule(*setup); !placed)
        return placed.error();
    return setup;
}

Result<PipelineSetup> setUpSplit(const report::RunRequest &request, const JobContext &context, Warnings &warnings)
{
    Result<PipelineSetup> setup = openPlan(request, context, warnings);
    if (!setup)
        return setup;
    const Result<std::optional<int>> balanceInto = stagesToBalance(request, setup->model.graph);
    if (!balanceInto)
        return balanceInto.error();
    if (*balanceInto && !setup->plan.inputs.empty()) {
        if (Status cut = cutBatch(*setup, warnings); !cut)
            return cut.error();
    }
    if (Status placed = placeStages(*setup, *balanceInto, context, warnings); !placed)
        return placed.error();
    if (setup->plan.devices.empty())
        setup->plan.devices = plan::cpuDevices(static_cast<int>(setup->partition.stages.size()));
    return setup;
}

} // namespace pipescope::engine
