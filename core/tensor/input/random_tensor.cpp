#include "tensor/input/random_tensor.h"

#include "base/text.h"
#include "plan/dtypes.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Functions.h>
#include <c10/core/ScalarType.h>
#include <fmt/format.h>
#include <limits>
#include <utility>

namespace pipescope::tensor {

namespace {

constexpr std::int64_t ElementLimit = std::int64_t{1} << 40;

Error unusable(const plan::TensorSpec &spec, std::string message)
{
    return {ErrorCode::InvalidArgument, std::move(message), plan::toText(plan::InputSpec{{}, {spec}}), {}};
}

Status checkSizes(const plan::TensorSpec &spec)
{
    std::int64_t elements = 1;
    for (const std::int64_t size : spec.sizes) {
        if (size < 0)
            return unusable(spec, fmt::format("a size of {} is negative", size));
        if (size > ElementLimit || (size > 0 && elements > ElementLimit / size))
            return unusable(spec, "more than 2^40 elements");
        elements *= size;
    }
    return Success{};
}

Result<at::ScalarType> numberType(const plan::TensorSpec &spec)
{
    const auto type = dtypeFromName(spec.dtype);
    if (!type) {
        return unusable(
            spec, fmt::format("there is no dtype '{}'.{}", spec.dtype, didYouMean(spec.dtype, plan::dtypeWords())));
    }
    if (c10::isQIntType(*type))
        return unusable(spec,
                        fmt::format("a random tensor of dtype {} cannot be made, because a quantized tensor needs "
                                    "a scale; read one from a file instead (x=@file.pt)",
                                    spec.dtype));
    if (!c10::isFloatingType(*type) && !c10::isComplexType(*type) && !c10::isIntegralType(*type, true))
        return unusable(spec, fmt::format("a random tensor of dtype {} cannot be made", spec.dtype));
    return *type;
}

/// First and last integer of a dtype; uint64 is cut off where int64 ends.
std::pair<std::int64_t, std::int64_t> limits(at::ScalarType type)
{
    const auto bits = static_cast<int>(8 * c10::elementSize(type));
    const bool isSigned = c10::isSignedType(type);
    if (bits == 64)
        return {isSigned ? std::numeric_limits<std::int64_t>::min() : 0, std::numeric_limits<std::int64_t>::max()};
    const std::int64_t count = std::int64_t{1} << bits;
    return isSigned ? std::pair{-count / 2, count / 2 - 1} : std::pair{std::int64_t{0}, count - 1};
}

Result<std::pair<std::int64_t, std::int64_t>> integerRange(const plan::TensorSpec &spec, at::ScalarType type)
{
    if (spec.low == 0 && spec.high == 0)
        return std::pair{std::int64_t{0}, std::int64_t{2}};
    if (spec.low >= spec.high)
        return unusable(spec, fmt::format("no integer is >= {} and < {}", spec.low, spec.high));
    const auto [first, last] = limits(type);
    if (spec.low < first || spec.high - 1 > last)
        return unusable(spec, fmt::format("{} holds {} to {}, so it cannot hold all of {} to {}", spec.dtype, first,
                                          last, spec.low, spec.high - 1));
    return std::pair{spec.low, spec.high};
}

/// Numbers are drawn in the dtypes whose generators every build of LibTorch has, and converted.
at::Tensor drawFloats(const plan::TensorSpec &spec, at::ScalarType type, const at::Generator &generator)
{
    at::ScalarType drawn = type;
    if (c10::isComplexType(type))
        drawn = type == at::kComplexDouble ? type : at::kComplexFloat;
    else if (type != at::kDouble)
        drawn = at::kFloat;
    if (spec.reals)
        return at::rand(spec.sizes, generator, at::TensorOptions(drawn))
            .mul_(spec.reals->high - spec.reals->low)
            .add_(spec.reals->low)
            .to(type);
    return at::randn(spec.sizes, generator, at::TensorOptions(drawn)).to(type);
}

} // namespace

std::uint64_t mixKey(std::uint64_t key, std::uint64_t number)
{
    std::uint64_t mixed = key + 0x9E3779B97F4A7C15ULL * (number + 1);
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ULL;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBULL;
    return mixed ^ (mixed >> 31);
}

Result<at::Tensor> randomTensor(const plan::TensorSpec &spec, std::uint64_t key)
{
    const auto type = numberType(spec);
    if (!type)
        return type.error();
    if (auto ok = checkSizes(spec); !ok)
        return ok.error();
    std::pair<std::int64_t, std::int64_t> range{0, 2};
    if (c10::isIntegralType(*type, false)) {
        auto given = integerRange(spec, *type);
        if (!given)
            return given.error();
        range = *given;
    }
    return guardTorch(ErrorCode::InvalidArgument, plan::toText(plan::InputSpec{{}, {spec}}), [&] {
        const at::Generator generator = at::detail::createCPUGenerator(key);
        if (!c10::isIntegralType(*type, true))
            return drawFloats(spec, *type, generator);
        return at::randint(range.first, range.second, spec.sizes, generator, at::TensorOptions(at::kLong)).to(*type);
    });
}

} // namespace pipescope::tensor
