#include "import/archive/stored_tensor.h"

#include "tensor/ivalue_tree.h"

#include <algorithm>
#include <c10/core/ScalarType.h>
#include <limits>
#include <string_view>

namespace pipescope::import {

namespace {

using archive::PickleNode;
using archive::PickleRef;
using archive::PickleTree;
using Kind = PickleNode::Kind;

/// Product and sum that stick at the largest value instead of wrapping, so that nonsense sizes compare as too large.
std::uint64_t times(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::uint64_t>::max() : product;
}

std::uint64_t plus(std::uint64_t a, std::uint64_t b)
{
    std::uint64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::uint64_t>::max() : sum;
}

std::optional<std::uint64_t> count(const PickleNode *node)
{
    if (node == nullptr || node->kind != Kind::Int || node->integer < 0)
        return std::nullopt;
    return static_cast<std::uint64_t>(node->integer);
}

std::optional<std::vector<std::int64_t>> counts(const PickleTree &tree, const PickleNode *node)
{
    if (node == nullptr || (node->kind != Kind::Tuple && node->kind != Kind::List) || node->items.size() > 64)
        return std::nullopt;
    std::vector<std::int64_t> values;
    for (const PickleRef item : node->items) {
        const auto value = count(&tree.node(item));
        if (!value)
            return std::nullopt;
        values.push_back(static_cast<std::int64_t>(*value));
    }
    return values;
}

/// "torch.FloatStorage" is at::kFloat: storages are named after c10::toString.
std::optional<at::ScalarType> typeOfStorage(std::string_view className)
{
    constexpr std::string_view Module = "torch.";
    constexpr std::string_view Ending = "Storage";
    if (className.size() < Module.size() + Ending.size())
        return std::nullopt;
    const std::string_view name = className.substr(Module.size(), className.size() - Module.size() - Ending.size());
    for (int i = 0; i < static_cast<int>(at::ScalarType::NumOptions); ++i) {
        const auto type = static_cast<at::ScalarType>(i);
        if (type != at::ScalarType::Undefined && name == c10::toString(type))
            return type;
    }
    return std::nullopt;
}

std::uint64_t endElement(const std::vector<std::int64_t> &sizes, const std::vector<std::int64_t> &strides,
                         std::uint64_t offset)
{
    std::uint64_t last = offset;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (sizes[i] == 0)
            return 0;
        last = plus(last, times(static_cast<std::uint64_t>(sizes[i] - 1), static_cast<std::uint64_t>(strides[i])));
    }
    return plus(last, 1);
}

/// `arguments` are (storage, offset, sizes, strides, ...); requires_grad is at `gradPosition`.
std::optional<StoredTensor> fromStorage(const PickleTree &tree, const PickleNode &arguments, std::size_t gradPosition)
{
    const PickleNode *persistent = tree.item(arguments, 0);
    const PickleNode *id =
        persistent != nullptr && persistent->kind == Kind::Persistent ? tree.item(*persistent, 0) : nullptr;
    const auto offset = count(tree.item(arguments, 1));
    const auto sizes = counts(tree, tree.item(arguments, 2));
    const auto strides = counts(tree, tree.item(arguments, 3));
    const PickleNode *grad = tree.item(arguments, gradPosition);
    if (id == nullptr || id->items.size() < 5 || !offset || !sizes || !strides || sizes->size() != strides->size())
        return std::nullopt;
    const auto type = typeOfStorage(tree.globalName(*tree.item(*id, 1)));
    const auto elements = count(tree.item(*id, 4));
    const PickleNode *key = tree.item(*id, 2);
    constexpr std::size_t LongestRecordName = 65535; // a zip archive has none that is longer
    if (!type || !elements || key->kind != Kind::Text || key->text.size() > LongestRecordName)
        return std::nullopt;
    StoredTensor tensor;
    std::uint64_t shown = 1;
    for (const std::int64_t size : *sizes)
        shown = times(shown, static_cast<std::uint64_t>(size));
    const std::uint64_t elementSize = c10::elementSize(*type);
    tensor.endElement = endElement(*sizes, *strides, *offset);
    tensor.storageElements = *elements;
    tensor.storageBytes = times(*elements, elementSize);
    tensor.storage = key->text;
    constexpr std::size_t LongestDevice = 32;
    const std::string_view device = tree.item(*id, 3)->text;
    tensor.device = device.size() <= LongestDevice ? device : std::string_view();
    tensor.hasValues = device != "meta"; // which loading keeps, whatever device it loads to
    constexpr std::uint64_t Largest = std::numeric_limits<std::int64_t>::max();
    const std::uint64_t bytes = times(shown, elementSize);
    tensor.elements = static_cast<std::int64_t>(std::min(shown, Largest));
    tensor.meta = {tensor::dtypeName(*type), *sizes, static_cast<std::int64_t>(std::min(bytes, Largest)),
                   grad != nullptr && grad->kind == Kind::Bool && grad->integer != 0};
    return tensor;
}

} // namespace

std::optional<StoredTensor> storedTensor(const PickleTree &tree, const PickleNode &node)
{
    const PickleNode *arguments = node.kind == Kind::Call ? tree.item(node, 1) : nullptr;
    if (arguments == nullptr)
        return std::nullopt;
    if (tree.isNamed(node, "torch._utils._rebuild_tensor_v2"))
        return fromStorage(tree, *arguments, 4);
    if (tree.isNamed(node, "torch._utils._rebuild_qtensor"))
        return fromStorage(tree, *arguments, 5);
    return std::nullopt;
}

} // namespace pipescope::import
