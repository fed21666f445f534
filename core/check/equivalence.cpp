#include "check/equivalence.h"

#include "check/difference.h"
#include "check/localise.h"

#include <fmt/format.h>

namespace pipescope::check {

namespace {

std::string referenceText(const import::ImportedModel &model)
{
    return referenceIsLowered(model)
               ? "the unsplit model's imported program, on the same microbatches in the same order"
               : fmt::format("the unsplit model's own {}, on the same microbatches in the same order",
                             model.methodName);
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

} // namespace

Result<report::Equivalence> checkEquivalence(const import::ImportedModel &model, const partition::Partition &partition,
                                             const std::vector<std::vector<c10::IValue>> &microbatches,
                                             const std::vector<std::vector<c10::IValue>> &reference,
                                             const std::vector<std::vector<c10::IValue>> &outputs,
                                             const CheckOptions &options, std::stop_token stop)
{
    PIPESCOPE_ASSERT(reference.size() == outputs.size() && outputs.size() == microbatches.size());
    report::Equivalence result;
    result.reference = referenceText(model);
    MicrobatchId firstDifferent;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        PIPESCOPE_ASSERT(reference[i].size() == outputs[i].size());
        report::Difference difference;
        for (std::size_t k = 0; k < outputs[i].size(); ++k)
            difference =
                worse(difference, toDifference(tensor::compare(reference[i][k], outputs[i][k], options.tolerance)));
        result.overall = worse(result.overall, difference);
        if (!difference.equal && !firstDifferent.valid())
            firstDifferent = MicrobatchId{static_cast<int>(i)};
        result.byMicrobatch.push_back(std::move(difference));
    }
    if (!firstDifferent.valid())
        return result;
    auto first = localise(model, model, partition, microbatches, firstDifferent, options, std::move(stop));
    if (!first)
        return first.error();
    result.first = std::move(*first);
    result.explanation = explain(result.first, firstDifferent, result.byMicrobatch[firstDifferent.index()]);
    return result;
}

} // namespace pipescope::check
