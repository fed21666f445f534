#include "check/judged_leaf.h"

#include "tensor/difference/compare_tensors.h"
#include "tensor/ivalue_tree.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <tuple>
#include <utility>

namespace pipescope::check {

namespace {

constexpr double Infinity = std::numeric_limits<double>::infinity();

// Differences up to this many times the noise are noise (algorithms.md 6.2: 4 to 8).
constexpr double NoiseFactor = 4;
// Noise above this is no measure for the other parts of a leaf, and must grow as numbers are moved farther. Of ties
// that lie close to each other four times as many are crossed then, so it need not grow by as much.
constexpr double LoudNoise = 1e-4;
constexpr double LeastGrowth = 2;

// Of many parts of few numbers some differ by more than they usually would: by so much more, for `count` numbers each.
double spread(std::size_t parts, std::int64_t count)
{
    return 1 +
           std::sqrt(2 * std::log(static_cast<double>(parts)) / static_cast<double>(std::max<std::int64_t>(count, 1)));
}

double ratio(double of, double to)
{
    if (of == 0)
        return 0;
    return to == 0 ? Infinity : of / to;
}

// What noise makes of the leaf; the leaf itself where it makes another shape or type of it, or what is not finite.
at::Tensor quiet(const c10::IValue &moved, const at::Tensor &whole)
{
    if (moved.isDouble())
        return at::scalar_tensor(moved.toDouble(), whole.options());
    if (!tensor::isDefinedTensor(moved) || moved.toTensor().is_nested())
        return whole;
    const at::Tensor numbers = tensor::plain(moved.toTensor());
    if (numbers.sizes() != whole.sizes() || numbers.scalar_type() != whole.scalar_type())
        return whole;
    return at::where(at::isfinite(numbers).logical_and(at::isfinite(whole)), numbers, whole);
}

// By part, the largest that any of the runs shows; 0 where it is large and does not grow.
std::vector<double> noiseOf(const JoinedLeaf &leaf, const NoisyLeaf &noisy)
{
    const auto normsOf = [&leaf](const c10::IValue &run) {
        return partNorms(leaf.whole, quiet(run, leaf.whole), leaf.rows);
    };
    std::vector<double> noise;
    for (const c10::IValue &run : noisy.moved) {
        const std::vector<PartNorm> norms = normsOf(run);
        noise.resize(norms.size());
        for (std::size_t i = 0; i < norms.size(); ++i)
            noise[i] = std::max(noise[i], norms[i].difference);
    }
    if (!noisy.movedFar || noise.empty())
        return noise;
    const std::vector<PartNorm> far = normsOf(*noisy.movedFar);
    for (std::size_t i = 0; i < far.size(); ++i)
        if (noise[i] > LoudNoise * far[i].size && far[i].difference < LeastGrowth * noise[i])
            noise[i] = 0;
    return noise;
}

// Fewer numbers say little of how noisy their part usually is.
constexpr std::int64_t FewNumbers = 64;

// What noise usually is beside the size of a part, by dimension: the median, so that no loud part speaks for others.
std::map<int, double> usualNoise(const std::vector<PartNorm> &parts, const std::vector<double> &noise)
{
    std::map<int, std::vector<double>> ratios;
    for (std::size_t i = 0; i < noise.size(); ++i)
        if (parts[i].size > 0)
            ratios[parts[i].part.dim].push_back(noise[i] / parts[i].size);
    std::map<int, double> usual;
    for (auto &[dim, all] : ratios) {
        const auto middle = all.begin() + static_cast<std::ptrdiff_t>((all.size() - 1) / 2);
        std::nth_element(all.begin(), middle, all.end());
        usual[dim] = std::min(LoudNoise, *middle);
    }
    return usual;
}

void judge(JudgedLeaf &judged, const at::Tensor &actual, const std::vector<double> &noise, double rounding)
{
    const JoinedLeaf &leaf = judged.joined;
    const std::vector<PartNorm> parts = partNorms(leaf.whole, actual, leaf.rows);
    const std::map<int, double> usual = usualNoise(parts, noise);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const PartNorm &part = parts[i];
        const auto ofOthers = part.count < FewNumbers ? usual.find(part.part.dim) : usual.end();
        const double own =
            std::max(noise.empty() ? 0 : noise[i], ofOthers == usual.end() ? 0 : ofOthers->second * part.size);
        const double noisy = NoiseFactor * spread(parts.size(), part.count) * own;
        const double share = ratio(part.difference, std::max(rounding * part.size, noisy));
        const bool byRounding = part.difference <= rounding * part.size;
        judged.isLoud = judged.isLoud || (!byRounding && share <= 1 && own > LoudNoise * part.size);
        if (share < judged.share || (share == judged.share && i > 0))
            continue;
        judged.part = part.part;
        judged.relL2 = ratio(part.difference, part.size);
        judged.noiseFloor = ratio(own, part.size);
        judged.share = share;
    }
}

} // namespace

std::string JudgedLeaf::partText() const
{
    return joined.whole.defined() ? check::partText(part, joined.whole.dim()) : std::string();
}

JudgedLeaf judge(JoinedLeaf leaf, const NoisyLeaf &noisy, const CheckOptions &options)
{
    JudgedLeaf judged;
    judged.joined = std::move(leaf);
    const JoinedLeaf &joined = judged.joined;
    if (!joined.why.empty() || joined.joined.empty()) { // nothing that is judged by its size
        judged.relL2 = judged.share = joined.close ? 0 : Infinity;
        return judged;
    }
    const std::vector<double> noise = noiseOf(joined, noisy);
    for (const at::Tensor &actual : joined.joined)
        judge(judged, actual, noise, options.tolerance ? 0 : roundingAllowance(joined.whole.scalar_type()));
    if (joined.close)
        judged.share = std::min(judged.share, 1.0);
    return judged;
}

bool isWorse(const JudgedLeaf &b, const JudgedLeaf &a)
{
    const auto severity = [](const JudgedLeaf &leaf) {
        return std::tuple(!leaf.holds(), leaf.share, leaf.joined.maxAbsError, leaf.relL2);
    };
    return severity(a) < severity(b);
}

} // namespace pipescope::check
