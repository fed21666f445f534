#include "engine/place_stages.h"

#include "engine/failed_run.h"
#include "exec/profile.h"
#include "partition/balance.h"
#include "partition/split_point.h"

namespace pipescope::engine {

namespace {

Status measureCosts(PipelineSetup &setup, const JobContext &context)
{
    exec::ProfileOptions options;
    options.threads = setup.plan.threadsPerRank;
    options.grad = setup.plan.grad;
    options.seed = setup.plan.seed;
    if (setup.chunks.args.size() > 1)
        options.microbatch = MicrobatchId{0};
    Status measured =
        exec::profile(setup.model, setup.freshMicrobatches().front(), options, context.stop, context.progress);
    return measured ? measured : Status(explainFailure(measured.error(), setup, context));
}

Result<std::vector<int>> balancedCuts(PipelineSetup &setup, int stages, const JobContext &context, Warnings &warnings)
{
    if (setup.chunks.args.empty())
        warnings.add(
            "no inputs were given, so the stages are balanced by the bytes of their parameters and constants, and not "
            "by measured time");
    else if (Status measured = measureCosts(setup, context); !measured)
        return measured.error();
    return partition::balanceStages(setup.model.graph, stages);
}

Result<std::vector<int>> namedCuts(const PipelineSetup &setup, Warnings &warnings)
{
    std::vector<std::string> notes;
    Result<std::vector<int>> cuts = partition::resolveSplits(setup.model.graph, setup.plan.splits, &notes);
    for (const std::string &note : notes)
        warnings.add(note);
    return cuts;
}

} // namespace

Result<std::optional<int>> stagesToBalance(const report::RunRequest &request, const graph::ModelGraph &graph)
{
    return request.balanceInto ? request.balanceInto : partition::stagesAskedFor(graph, request.plan.splits);
}

Status placeStages(PipelineSetup &setup, std::optional<int> balanceInto, const JobContext &context, Warnings &warnings)
{
    Result<std::vector<int>> cuts =
        balanceInto ? balancedCuts(setup, *balanceInto, context, warnings) : namedCuts(setup, warnings);
    if (!cuts)
        return cuts.error();
    Result<partition::Partition> partition = partition::makePartition(setup.model.graph, *cuts);
    if (!partition)
        return partition.error();
    setup.partition = *std::move(partition);
    setup.plan.splits = report::splitWords(setup.model.graph, setup.partition.cuts);
    return Success{};
}

} // namespace pipescope::engine
