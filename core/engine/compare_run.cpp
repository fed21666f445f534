#include "engine/compare_run.h"

#include "check/equivalence.h"
#include "check/separability.h"
#include "engine/check_options.h"
#include "engine/chunk_hints.h"
#include "engine/microbatch_order.h"
#include "tensor/large_blocks.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <utility>

namespace pipescope::engine {

namespace {

using Outputs = std::vector<std::vector<c10::IValue>>;

bool isWorse(const report::Difference &a, const report::Difference &b)
{
    return std::pair(a.equal, a.bitwise) < std::pair(b.equal, b.bitwise);
}

/// "run 2 of 3", "runs 1, 3 and 4 of 5", counted from 1 as progress counts them; "" where all gave the same.
std::string runsText(const DistinctOutputs::Kept &kept, int runs)
{
    constexpr std::size_t most = 8;
    if (std::ssize(kept.runs) == runs)
        return {};
    std::vector<std::string> numbers;
    for (const int run : kept.runs)
        numbers.push_back(std::to_string(run + 1));
    if (numbers.size() == 1)
        return fmt::format("run {} of {}", numbers.front(), runs);
    if (numbers.size() > most)
        return fmt::format("{} of {} runs, the first of them run {}", numbers.size(), runs, numbers.front());
    const std::string last = std::exchange(numbers.back(), {});
    numbers.pop_back();
    return fmt::format("runs {} and {} of {}", fmt::join(numbers, ", "), last, runs);
}

/// The worst answer of all runs. None is worse than the first that is not equal, and to say where a run differs takes
/// long: no other is looked at then.
Result<report::Equivalence> compareOutputs(const PipelineSetup &setup, const Outputs &reference,
                                           const DistinctOutputs &outputs, const check::CheckOptions &options,
                                           const JobContext &context)
{
    std::optional<report::Equivalence> worst;
    for (const DistinctOutputs::Kept &kept : outputs.kept()) {
        Result<report::Equivalence> found =
            check::checkEquivalence(setup.model, setup.partition, setup.chunks.args, reference, kept.outputs, options,
                                    context.stop, context.progress);
        if (!found)
            return found;
        const std::string runs = runsText(kept, outputs.runs());
        if (!found->overall.equal && !runs.empty())
            found->explanation = fmt::format("{}: {}", runs, found->explanation);
        if (!worst || isWorse(found->overall, worst->overall))
            worst = *std::move(found);
        if (!worst->overall.equal)
            break;
    }
    PIPESCOPE_ASSERT(worst);
    return *std::move(worst);
}

Status askSeparability(const PipelineSetup &setup, const Outputs &reference, const check::CheckOptions &options,
                       report::RunReport &report, const JobContext &context)
{
    tell(context, "comparing with the whole batch");
    Result<report::Separability> separability =
        check::checkSeparability(setup.model, setup.arguments, setup.chunks.args, reference, setup.plan.outputChunks,
                                 options, context.stop, context.progress);
    if (separability) {
        report.separability = *std::move(separability);
        const std::string lists =
            listsOfSamples(setup.model.graph.arguments, setup.arguments, setup.plan.inputChunks, reference.front());
        if (!report.separability->holds && !lists.empty())
            report.separability->explanation += "; " + lists;
        return Success{};
    }
    const Error &error = separability.error();
    if (error.code == ErrorCode::Cancelled || error.code == ErrorCode::Internal)
        return error;
    report.separabilityUnknown = error.message;
    return Success{};
}

} // namespace

Status compareRun(const PipelineSetup &setup, MeasuredRun &measured, report::RunReport &report,
                  const JobContext &context)
{
    check::CheckOptions options = checkOptions(setup.plan);
    options.order = microbatchOrder(setup.schedule, StageId{0});
    Result<Outputs> reference =
        check::runReference(setup.model, setup.chunks.args, options, context.stop, context.progress);
    if (!reference)
        return reference.error();
    tell(context, "comparing with the unsplit model");
    Result<report::Equivalence> equivalence = compareOutputs(setup, *reference, measured.outputs, options, context);
    if (!equivalence)
        return equivalence.error();
    report.equivalence = *std::move(equivalence);
    measured.outputs = DistinctOutputs();
    tensor::giveBackKeptBytes(); // what microbatches took is no use to the whole batch
    return askSeparability(setup, *reference, options, report, context);
}

} // namespace pipescope::engine
