#include "check/judge_outputs.h"

#include "check/cause.h"
#include "check/noise_floor.h"
#include "tensor/ivalue_tree.h"
#include "tensor/opened_value.h"
#include "tensor/torch_guard.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace pipescope::check {

namespace {

using Arguments = std::vector<c10::IValue>;

// Beyond this many times what is allowed, a second look at the noise changes nothing.
constexpr double HopelessShare = 1e3;

// The leaves of all outputs, one output after another.
Result<std::vector<c10::IValue>> leavesOf(const Arguments &outputs)
{
    std::vector<c10::IValue> all;
    for (const c10::IValue &output : outputs) {
        const auto leaves = tensor::leaves(tensor::opened(output));
        if (!leaves)
            return leaves.error();
        all.insert(all.end(), leaves->begin(), leaves->end());
    }
    return all;
}

// What noise makes of the leaves, run by run.
class Noise
{
public:
    // A model that fails on moved numbers, or gives other leaves, tells nothing. One that quantizes by the range of
    // its rows jumps by a whole step where a number moves across a tie.
    Status measure(const import::ImportedModel &model, const Arguments &whole, NoisePattern pattern,
                   const CheckOptions &options, const std::stop_token &stop)
    {
        if (quantizesDynamically(model.graph))
            return Success{};
        auto leaves =
            tensor::guardTorch(ErrorCode::ModelFailed, "noise floor", [&]() -> Result<std::vector<c10::IValue>> {
                const auto outputs = movedOutputs(model, whole, pattern, options, stop);
                if (!outputs)
                    return outputs.error();
                return leavesOf(*outputs);
            });
        if (leaves && pattern == NoisePattern::EvenUpFar)
            m_far = std::move(*leaves);
        else if (leaves)
            m_runs.push_back(std::move(*leaves));
        else if (leaves.error().code != ErrorCode::ModelFailed)
            return leaves.error();
        return Success{};
    }

    NoisyLeaf of(std::size_t leaf, std::size_t leaves) const
    {
        NoisyLeaf noisy;
        for (const std::vector<c10::IValue> &run : m_runs)
            if (run.size() == leaves)
                noisy.moved.push_back(run[leaf]);
        if (m_far.size() == leaves)
            noisy.movedFar = m_far[leaf];
        return noisy;
    }

private:
    std::vector<std::vector<c10::IValue>> m_runs;
    std::vector<c10::IValue> m_far;
};

// Of those that can be compared; one that holds where none can. It is loud where any is.
JudgedLeaf worstOf(const std::vector<JoinedLeaf> &leaves, const Noise &noise, const CheckOptions &options)
{
    std::optional<JudgedLeaf> worst;
    bool isLoud = false;
    for (std::size_t i = 0; i < leaves.size(); ++i) {
        if (!leaves[i].unknown.empty())
            continue;
        JudgedLeaf leaf = judge(leaves[i], noise.of(i, leaves.size()), options);
        isLoud = isLoud || leaf.isLoud;
        if (!worst || isWorse(leaf, *worst))
            worst = std::move(leaf);
    }
    JudgedLeaf found = worst.value_or(JudgedLeaf{});
    found.isLoud = isLoud;
    return found;
}

} // namespace

Result<JudgedLeaf> judgeOutputs(const import::ImportedModel &model, const Arguments &whole,
                                const std::vector<JoinedLeaf> &leaves, const CheckOptions &options,
                                const std::stop_token &stop, const Progress &progress)
{
    Noise noise;
    const bool rounds =
        std::any_of(leaves.begin(), leaves.end(), [](const JoinedLeaf &leaf) { return !leaf.joined.empty(); });
    JudgedLeaf worst = worstOf(leaves, noise, options);
    for (const NoisePattern pattern : {NoisePattern::EvenUp, NoisePattern::OddUp, NoisePattern::EvenUpFar}) {
        const bool isWanted = pattern == NoisePattern::EvenUp  ? rounds
                              : pattern == NoisePattern::OddUp ? !worst.holds() && worst.share <= HopelessShare
                                                               : worst.holds() && worst.isLoud;
        if (!isWanted || !rounds)
            continue;
        if (progress)
            progress("measuring the noise floor", -1);
        if (auto ok = noise.measure(model, whole, pattern, options, stop); !ok)
            return ok.error();
        worst = worstOf(leaves, noise, options);
    }
    return worst;
}

} // namespace pipescope::check
