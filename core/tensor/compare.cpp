#include "tensor/compare.h"

#include "tensor/cut_text.h"
#include "tensor/difference/compare_tensors.h"
#include "tensor/ivalue_tree.h"
#include "tensor/opened_value.h"
#include "tensor/torch_guard.h"

#include <ATen/Functions.h>
#include <ATen/core/Dict.h>
#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace pipescope::tensor {

namespace {

constexpr std::size_t WorstTextLimit = 120;

bool isNested(const c10::IValue &value)
{
    return isDefinedTensor(value) && value.toTensor().is_nested();
}

/// What stands in a nested tensor's place along its first dimension: it has no sizes of its own.
std::vector<c10::IValue> partsOf(const c10::IValue &nested)
{
    std::vector<c10::IValue> parts;
    for (const at::Tensor &part : nested.toTensor().detach().unbind())
        parts.emplace_back(part);
    return parts;
}

bool isNumber(const c10::IValue &value)
{
    return value.isBool() || value.isInt() || value.isDouble() || value.isComplexDouble();
}

Comparison different(Difference difference, const c10::IValue &expected, const c10::IValue &actual)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    Comparison result{false, false, infinity, infinity, infinity, difference, 1, {}, {}};
    result.worst = fmt::format("expected {}, got {}", cutText(describeValue(expected), WorstTextLimit),
                               cutText(describeValue(actual), WorstTextLimit));
    return result;
}

Comparison notKnown(std::string why)
{
    Comparison result = different(Difference::Values, {}, {});
    result.worst = fmt::format("the values cannot be compared: {}", why);
    result.unknown = std::move(why);
    return result;
}

/// Whether values of this kind are equal where what they hold is; of others only identity can be told.
bool hasContents(const c10::IValue &value)
{
    return value.isNone() || value.isString() || value.isDevice() || value.isEnum() || value.isTensor() ||
           isNumber(value);
}

at::Tensor asTensor(const c10::IValue &number)
{
    if (number.isBool())
        return at::scalar_tensor(number.toBool(), at::TensorOptions(at::kBool));
    const at::Scalar scalar = number.toScalar();
    return at::scalar_tensor(scalar, at::TensorOptions(scalar.type()));
}

Comparison compareLeaves(const c10::IValue &expected, const c10::IValue &actual, std::optional<Tolerance> tolerance)
{
    if (isNested(expected) != isNested(actual))
        return different(Difference::Structure, expected, actual);
    if (isDefinedTensor(expected) && isDefinedTensor(actual))
        return compareTensors(expected.toTensor(), actual.toTensor(), tolerance);
    if (isTree(expected) || isTree(actual) || isDefinedTensor(expected) || isDefinedTensor(actual))
        return different(Difference::Structure, expected, actual);
    if (isNumber(expected) && isNumber(actual) && expected.tagKind() == actual.tagKind())
        return compareTensors(asTensor(expected), asTensor(actual), tolerance);
    if (isNumber(expected) && isNumber(actual))
        return different(Difference::Dtype, expected, actual);
    if (expected.tagKind() != actual.tagKind())
        return different(Difference::Values, expected, actual);
    if (expected.is(actual))
        return {};
    if (!hasContents(expected))
        return notKnown(fmt::format("nothing is known of what a {} holds", expected.tagKind()));
    return expected == actual ? Comparison{} : different(Difference::Values, expected, actual);
}

class TreeComparison
{
public:
    explicit TreeComparison(std::optional<Tolerance> tolerance)
        : m_tolerance(tolerance)
    {
    }

    Comparison total;   // of what can be compared
    Comparison unknown; // the first that cannot

    void walk(const c10::IValue &expected, const c10::IValue &actual, const std::string &path, int depth)
    {
        if (depth > TreeDepthLimit)
            add(different(Difference::Structure, expected, actual), path);
        else if (expected.isTuple() && actual.isTuple())
            walkItems(expected.toTupleRef().elements().vec(), actual.toTupleRef().elements().vec(), path, depth);
        else if (expected.isList() && actual.isList())
            walkItems(expected.toListRef().vec(), actual.toListRef().vec(), path, depth);
        else if (expected.isGenericDict() && actual.isGenericDict())
            walkEntries(expected, actual, path, depth);
        else if (isNested(expected) && isNested(actual))
            walkItems(partsOf(expected), partsOf(actual), path, depth);
        else
            add(compareLeaves(expected, actual, m_tolerance), path);
    }

private:
    void walkItems(const std::vector<c10::IValue> &expected, const std::vector<c10::IValue> &actual,
                   const std::string &path, int depth)
    {
        if (expected.size() != actual.size()) {
            Comparison lengths = different(Difference::Structure, {}, {});
            lengths.worst = fmt::format("expected {} items, got {}", expected.size(), actual.size());
            add(std::move(lengths), path);
            return;
        }
        for (std::size_t i = 0; i < expected.size(); ++i)
            walk(expected[i], actual[i], fmt::format("{}[{}]", path, i), depth + 1);
    }

    void walkEntries(const c10::IValue &expected, const c10::IValue &actual, const std::string &path, int depth)
    {
        const c10::impl::GenericDict a = expected.toGenericDict();
        const c10::impl::GenericDict b = actual.toGenericDict();
        for (const auto &entry : a) {
            const std::string key =
                entry.key().isString() ? fmt::format("'{}'", entry.key().toStringRef()) : describeValue(entry.key());
            const auto found = b.find(entry.key());
            if (found == b.end()) {
                Comparison missing = different(Difference::Structure, {}, {});
                missing.worst = fmt::format("expected the key {}, which is missing", key);
                add(std::move(missing), path);
                continue;
            }
            walk(entry.value(), found->value(), fmt::format("{}[{}]", path, key), depth + 1);
        }
        if (b.size() > a.size())
            add(different(Difference::Structure, expected, actual), path);
    }

    void add(Comparison leaf, const std::string &path)
    {
        if (!leaf.unknown.empty()) { // it says nothing, neither yes nor no
            if (unknown.unknown.empty())
                unknown = std::move(leaf);
            return;
        }
        const bool worse =
            std::pair(leaf.difference, leaf.maxAbsError) > std::pair(total.difference, total.maxAbsError);
        total.bitwise = total.bitwise && leaf.bitwise;
        total.close = total.close && leaf.close;
        total.maxRelError = std::max(total.maxRelError, leaf.maxRelError);
        total.relL2 = std::max(total.relL2, leaf.relL2);
        if (worse || (total.worst.empty() && !leaf.worst.empty())) {
            total.difference = leaf.difference;
            total.scale = leaf.scale;
            const bool inside = leaf.worst.starts_with("at (");
            total.worst = path.empty() ? leaf.worst : fmt::format("{}{}{}", path, inside ? " " : ": ", leaf.worst);
        }
        total.maxAbsError = std::max(total.maxAbsError, leaf.maxAbsError);
    }

    std::optional<Tolerance> m_tolerance;
};

} // namespace

Tolerance defaultTolerance(at::ScalarType type)
{
    if (c10::isQIntType(type))
        return {1.3e-6, 1e-5};
    switch (c10::toRealValueType(type)) {
    case at::kHalf:
        return {1e-3, 1e-5};
    case at::kBFloat16:
        return {1.6e-2, 1e-5};
    case at::kFloat:
        return {1.3e-6, 1e-5};
    case at::kDouble:
        return {1e-7, 1e-7};
    default:
        return {};
    }
}

std::string_view differenceName(Difference difference)
{
    switch (difference) {
    case Difference::None:
        return "none";
    case Difference::Rounding:
        return "rounding";
    case Difference::ScaleFactor:
        return "scale-factor";
    case Difference::Permutation:
        return "permutation";
    case Difference::Values:
        return "values";
    case Difference::Dtype:
        return "dtype";
    case Difference::Shape:
        return "shape";
    case Difference::Structure:
        return "structure";
    }
    return "none";
}

Comparison compare(const c10::IValue &expected, const c10::IValue &actual, std::optional<Tolerance> tolerance)
{
    TreeComparison comparison(tolerance);
    const Status done = guardTorch(ErrorCode::ModelFailed, "comparing",
                                   [&] { comparison.walk(opened(expected), opened(actual), {}, 0); });
    if (!done)
        return notKnown(done.error().message);
    const bool isKnown = comparison.unknown.unknown.empty() || !comparison.total.bitwise;
    return isKnown ? std::move(comparison.total) : std::move(comparison.unknown);
}

} // namespace pipescope::tensor
