#include "check/equivalence.h"

#include "check/difference.h"
#include "check/localise.h"
#include "check/output_comparison.h"
#include "check/upstream.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace pipescope::check {

namespace {

std::string referenceText(const import::ImportedModel &model)
{
    return referenceIsLowered(model)
               ? "the unsplit model's imported program, on the same microbatches in the same order"
               : fmt::format("the unsplit model's own {}, on the same microbatches in the same order",
                             model.methodName);
}

// A difference that torch.testing passes over is still one.
std::string closeText(const OutputComparison &comparison, const CheckOptions &options)
{
    return !options.tolerance && comparison.closeByTorch()
               ? "; torch.testing.assert_close would call it close, but on the CPU a split changes no bit; tolerances "
                 "that you give decide in its place"
               : "";
}

std::string explain(const std::optional<report::Divergence> &first, MicrobatchId microbatch,
                    const report::Difference &difference)
{
    if (first)
        return fmt::format("stage {}, microbatch {}: {} is the first node whose result differs ({}{}{})",
                           first->stage.value, first->microbatch.value, first->nodeName, first->difference.kind,
                           first->difference.worst.empty() ? "" : ", ", first->difference.worst);
    return fmt::format(
        "microbatch {} differs ({}{}{}), but not when its stages are run one after another: the difference "
        "depends on timing, or the unsplit method computes something the imported program does not",
        microbatch.value, difference.kind, difference.worst.empty() ? "" : ", ", difference.worst);
}

// The first node that differs, for all outputs together and for each that is not equal.
class FirstNodes
{
public:
    FirstNodes(const import::ImportedModel &model, const partition::Partition &partition,
               const std::vector<std::vector<c10::IValue>> &microbatches, const CheckOptions &options,
               std::stop_token stop, const Progress &progress)
        : m_model(model)
        , m_partition(partition)
        , m_microbatches(microbatches)
        , m_options(options)
        , m_stop(std::move(stop))
        , m_progress(progress)
    {
    }

    using Found = Result<std::optional<report::Divergence>>;

    /// In the first microbatch that differs.
    Found ofAll(MicrobatchId microbatch)
    {
        Found found =
            localise(m_model, m_model, m_partition, m_microbatches, microbatch, m_options, m_stop, {}, m_progress);
        if (found && *found)
            m_known.push_back(**found);
        return found;
    }

    /// A node that was found for others is the output's too where it is on the way to it; else it is looked for, which
    /// takes as long as the first time and is done for a few outputs only.
    Found of(const ComparedOutput &output)
    {
        const std::vector<bool> upstream =
            upstreamOf(m_model.graph, outputValue(m_model.graph, output.result, output.places));
        for (const report::Divergence &known : m_known) {
            const int position = graph::positionOf(m_model.graph, known.node);
            if (known.microbatch == output.firstDifferent && upstream[static_cast<std::size_t>(position)])
                return std::optional(known);
        }
        if (m_searches == MostSearches)
            return std::optional<report::Divergence>();
        ++m_searches;
        Found found = localise(m_model, m_model, m_partition, m_microbatches, output.firstDifferent, m_options, m_stop,
                               upstream, m_progress);
        if (found && *found)
            m_known.push_back(**found);
        return found;
    }

private:
    static constexpr int MostSearches = 4;

    const import::ImportedModel &m_model;
    const partition::Partition &m_partition;
    const std::vector<std::vector<c10::IValue>> &m_microbatches;
    const CheckOptions &m_options;
    const std::stop_token m_stop;
    const Progress &m_progress;
    std::vector<report::Divergence> m_known;
    int m_searches = 0;
};

Status addFirstNodes(report::Equivalence &result, const OutputComparison &comparison, MicrobatchId firstDifferent,
                     const CheckOptions &options, FirstNodes firstNodes)
{
    auto first = firstNodes.ofAll(firstDifferent);
    if (!first)
        return first.error();
    result.first = std::move(*first);
    result.explanation = explain(result.first, firstDifferent, result.byMicrobatch[firstDifferent.index()]) +
                         closeText(comparison, options);
    if (!result.first) // nor would it be found for one of them
        return Success{};
    for (std::size_t i = 0; i < result.byOutput.size(); ++i) {
        if (result.byOutput[i].difference.equal)
            continue;
        auto own = firstNodes.of(comparison.outputs()[i]);
        if (!own)
            return own.error();
        result.byOutput[i].first = std::move(*own);
    }
    return Success{};
}

// Of those that were run, where state is carried from one to the next.
MicrobatchId firstThatDiffers(const report::Equivalence &result, const std::vector<MicrobatchId> &order)
{
    const auto found = std::find_if(order.begin(), order.end(), [&](MicrobatchId microbatch) {
        return !result.byMicrobatch[microbatch.index()].equal;
    });
    return found == order.end() ? MicrobatchId{} : *found;
}

} // namespace

Result<report::Equivalence> checkEquivalence(const import::ImportedModel &model, const partition::Partition &partition,
                                             const std::vector<std::vector<c10::IValue>> &microbatches,
                                             const std::vector<std::vector<c10::IValue>> &reference,
                                             const std::vector<std::vector<c10::IValue>> &outputs,
                                             const CheckOptions &options, std::stop_token stop,
                                             const Progress &progress)
{
    PIPESCOPE_ASSERT(reference.size() == outputs.size() && outputs.size() == microbatches.size());
    report::Equivalence result;
    result.reference = referenceText(model);
    OutputComparison comparison(options);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        report::Difference difference = comparison.add(reference[i], outputs[i]);
        result.overall = worse(result.overall, difference);
        result.byMicrobatch.push_back(std::move(difference));
    }
    const MicrobatchId firstDifferent = firstThatDiffers(result, orderOf(options, outputs.size()));
    if (!comparison.unknown().empty() && !firstDifferent.valid()) // nobody can say that they differ either
        return Error{ErrorCode::Unsupported, comparison.unknown(), "comparing with the unsplit model", {}};
    for (const ComparedOutput &output : comparison.outputs())
        result.byOutput.push_back(output.answer);
    result.moreOutputs = comparison.more();
    if (!firstDifferent.valid())
        return result;
    const Status added = addFirstNodes(result, comparison, firstDifferent, options,
                                       FirstNodes(model, partition, microbatches, options, std::move(stop), progress));
    if (!added)
        return added.error();
    if (!comparison.unknown().empty())
        result.explanation += fmt::format("; {}", comparison.unknown());
    return result;
}

} // namespace pipescope::check
