#include "engine/distinct_outputs.h"

#include "tensor/compare.h"

#include <algorithm>
#include <utility>

namespace pipescope::engine {

namespace {

bool isSame(const c10::IValue &a, const c10::IValue &b)
{
    const tensor::Comparison comparison = tensor::compare(a, b);
    return comparison.bitwise || !comparison.unknown.empty();
}

bool isSame(const DistinctOutputs::Outputs &a, const DistinctOutputs::Outputs &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto &some, const auto &others) {
        return std::equal(some.begin(), some.end(), others.begin(), others.end(),
                          [](const c10::IValue &one, const c10::IValue &other) { return isSame(one, other); });
    });
}

} // namespace

void DistinctOutputs::add(Outputs outputs)
{
    const int run = m_runs++;
    for (Kept &kept : m_kept)
        if (isSame(kept.outputs, outputs))
            return kept.runs.push_back(run);
    m_kept.push_back({std::move(outputs), {run}});
}

} // namespace pipescope::engine
