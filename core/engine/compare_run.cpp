#include "engine/compare_run.h"

#include "check/equivalence.h"
#include "check/separability.h"

#include <fmt/format.h>

namespace pipescope::engine {

namespace {

using Outputs = std::vector<std::vector<c10::IValue>>;

check::CheckOptions checkOptions(const plan::Plan &plan)
{
    check::CheckOptions options;
    if (plan.rtol && plan.atol)
        options.tolerance = tensor::Tolerance{*plan.rtol, *plan.atol};
    options.threads = plan.threadsPerRank;
    options.seed = plan.seed;
    options.grad = plan.grad;
    return options;
}

Status askSeparability(const PipelineSetup &setup, const Outputs &reference, report::RunReport &report,
                       const JobContext &context)
{
    tell(context, "comparing with the whole batch");
    Result<report::Separability> separability =
        check::checkSeparability(setup.model, setup.arguments, setup.chunks.args, reference, setup.plan.outputChunks,
                                 checkOptions(setup.plan), context.stop, context.progress);
    if (separability) {
        report.separability = *std::move(separability);
        return Success{};
    }
    const Error &error = separability.error();
    if (error.code == ErrorCode::Cancelled || error.code == ErrorCode::Internal)
        return error;
    report.separabilityUnknown = error.message;
    return Success{};
}

} // namespace

Status compareRun(const PipelineSetup &setup, const MeasuredRun &measured, report::RunReport &report,
                  const JobContext &context)
{
    const check::CheckOptions options = checkOptions(setup.plan);
    Result<Outputs> reference =
        check::runReference(setup.model, setup.chunks.args, options, context.stop, context.progress);
    if (!reference)
        return reference.error();
    tell(context, "comparing with the unsplit model");
    Result<report::Equivalence> equivalence = check::checkEquivalence(
        setup.model, setup.partition, setup.chunks.args, *reference, measured.outputs, options, context.stop);
    if (!equivalence)
        return equivalence.error();
    report.equivalence = *std::move(equivalence);
    return askSeparability(setup, *reference, report, context);
}

} // namespace pipescope::engine
