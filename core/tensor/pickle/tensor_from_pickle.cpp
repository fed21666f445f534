#include "tensor/pickle/tensor_from_pickle.h"

#include "tensor/cut_text.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <ATen/Functions.h>
#include <ATen/quantized/Quantizer.h>
#include <algorithm>
#include <array>
#include <c10/core/ScalarType.h>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <vector>

namespace pipescope::tensor {

namespace {

using archive::PickleNode;
using archive::PickleRef;
using archive::PickleTree;
using Kind = PickleNode::Kind;

constexpr std::int64_t StoredElementLimit = std::int64_t{1} << 40;
constexpr std::size_t DimensionLimit = 64;
constexpr int RebuildDepthLimit = 8;

/// Thrown inside this file only.
struct Refused
{
    Error error;
};

[[noreturn]] void refuse(ErrorCode code, std::string message)
{
    throw Refused{{code, std::move(message), {}, {}}};
}

[[noreturn]] void damaged(std::string_view what)
{
    refuse(ErrorCode::InvalidFile, fmt::format("a tensor in it cannot be read: {}", what));
}

/// The dtype whose legacy storage class has this name: "torch.FloatStorage". Byte for untyped ones.
at::ScalarType storageType(std::string_view name)
{
    if (name == "torch.storage.UntypedStorage" || name == "torch.UntypedStorage")
        return at::kByte;
    constexpr std::array types{at::kDouble, at::kFloat,  at::kHalf,   at::kBFloat16,      at::kLong,
                               at::kInt,    at::kShort,  at::kChar,   at::kByte,          at::kBool,
                               at::kQInt8,  at::kQUInt8, at::kQInt32, at::kComplexDouble, at::kComplexFloat};
    for (const at::ScalarType type : types)
        if (name == fmt::format("torch.{}Storage", c10::toString(type)))
            return type;
    refuse(ErrorCode::Unsupported,
           fmt::format("it keeps a tensor in a '{}', which is not supported", cutText(name, 80)));
}

/// Throws where an element would lie outside the storage.
void checkExtent(const std::vector<std::int64_t> &sizes, const std::vector<std::int64_t> &strides, std::int64_t offset,
                 std::int64_t elements)
{
    if (sizes.size() != strides.size() || sizes.size() > DimensionLimit)
        damaged("its sizes and strides do not fit together");
    std::int64_t count = 1;
    std::int64_t last = offset;
    bool fits = offset >= 0 && offset <= elements;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        fits = fits && sizes[i] >= 0 && strides[i] >= 0 && sizes[i] <= StoredElementLimit &&
               strides[i] <= StoredElementLimit;
        if (!fits || (sizes[i] > 0 && count > StoredElementLimit / sizes[i]))
            damaged("its sizes are out of range");
        count *= sizes[i];
        std::int64_t reach = 0;
        if (sizes[i] > 0 &&
            (__builtin_mul_overflow(sizes[i] - 1, strides[i], &reach) || __builtin_add_overflow(last, reach, &last)))
            damaged("its sizes are out of range");
    }
    if (!fits || (count > 0 && last >= elements))
        damaged("it reaches beyond the data the file holds for it");
}

void checkRequiresGrad(const at::Tensor &tensor)
{
    if (!tensor.is_floating_point() && !tensor.is_complex())
        damaged("it asks for a gradient but is not floating point");
}

} // namespace

/// The tuple a function is called with, read with checks.
class TensorRebuilder::Arguments
{
public:
    Arguments(const PickleTree &tree, const PickleNode &tuple)
        : m_tree(tree)
        , m_tuple(tuple)
    {
        if (tuple.kind != Kind::Tuple)
            damaged("the arguments of a call are no tuple");
    }

    [[nodiscard]] std::size_t size() const { return m_tuple.items.size(); }

    [[nodiscard]] const PickleNode &item(std::size_t index) const
    {
        const PickleNode *found = m_tree.item(m_tuple, index);
        if (found == nullptr)
            damaged("a call has too few arguments");
        return *found;
    }

    [[nodiscard]] std::int64_t integer(std::size_t index) const { return ofKind(Kind::Int, index).integer; }
    [[nodiscard]] double real(std::size_t index) const { return ofKind(Kind::Float, index).real; }
    [[nodiscard]] bool isTrue(std::size_t index) const { return ofKind(Kind::Bool, index).integer != 0; }
    [[nodiscard]] std::string_view text(std::size_t index) const { return ofKind(Kind::Text, index).text; }
    [[nodiscard]] std::string global(std::size_t index) const { return m_tree.globalName(ofKind(Kind::Global, index)); }

    [[nodiscard]] std::vector<std::int64_t> integers(std::size_t index) const
    {
        const Arguments inner(m_tree, item(index));
        std::vector<std::int64_t> result;
        for (std::size_t i = 0; i < inner.size(); ++i)
            result.push_back(inner.integer(i));
        return result;
    }

    /// Names that are set in a dict of bools: {'conj': True}.
    [[nodiscard]] std::vector<std::string> flags(std::size_t index) const
    {
        std::vector<std::string> result;
        const std::vector<PickleRef> &entries = ofKind(Kind::Dict, index).items;
        for (std::size_t i = 0; i + 1 < entries.size(); i += 2) {
            const PickleNode &name = m_tree.node(entries[i]);
            const PickleNode &isSet = m_tree.node(entries[i + 1]);
            if (name.kind != Kind::Text || isSet.kind != Kind::Bool || (name.text != "conj" && name.text != "neg"))
                damaged("it has a property that is not known");
            if (isSet.integer != 0)
                result.emplace_back(name.text);
        }
        return result;
    }

private:
    [[nodiscard]] const PickleNode &ofKind(Kind kind, std::size_t index) const
    {
        const PickleNode &node = item(index);
        if (node.kind != kind)
            damaged("an argument of a call is not of the right kind");
        return node;
    }

    const PickleTree &m_tree;
    const PickleNode &m_tuple;
};

std::pair<c10::Storage, at::ScalarType> TensorRebuilder::storage(const PickleNode &node)
{
    if (node.kind != Kind::Persistent)
        damaged("its storage is missing");
    const Arguments id(m_tree, *m_tree.item(node, 0));
    if (id.text(0) != "storage")
        damaged("its storage is missing");
    const at::ScalarType type = storageType(id.global(1));
    const std::string key(id.text(2));
    auto known = m_read.find(key);
    if (known == m_read.end()) {
        auto read = m_storages(key);
        if (!read)
            throw Refused{read.error()};
        known = m_read.emplace(key, *std::move(read)).first;
    }
    if (type == at::kBool) {
        auto *bytes = static_cast<unsigned char *>(known->second.mutable_data());
        std::transform(bytes, bytes + known->second.nbytes(), bytes,
                       [](unsigned char byte) { return byte != 0 ? 1 : 0; });
    }
    return {known->second, type};
}

/// (storage, offset, sizes, strides[, requires_grad, hooks[, dtype from version 3][, flags]])
at::Tensor TensorRebuilder::plain(const Arguments &arguments, int version)
{
    auto [data, type] = storage(arguments.item(0));
    if (version == 3) {
        const std::string name = arguments.global(6);
        const auto named = name.starts_with("torch.") ? dtypeFromName(name.substr(6)) : std::nullopt;
        if (!named || c10::isQIntType(*named) || c10::isBitsType(*named))
            refuse(ErrorCode::Unsupported,
                   fmt::format("it holds a tensor of dtype '{}', which is not supported", cutText(name, 80)));
        type = *named;
    }
    const std::int64_t offset = arguments.integer(1);
    const std::vector<std::int64_t> sizes = arguments.integers(2);
    const std::vector<std::int64_t> strides = arguments.integers(3);
    checkExtent(sizes, strides, offset, static_cast<std::int64_t>(data.nbytes() / c10::elementSize(type)));
    at::Tensor tensor = at::empty({0}, at::TensorOptions(type)).set_(data, offset, sizes, strides);
    const std::size_t flagsAt = version == 3 ? 7 : 6;
    if (arguments.size() > flagsAt)
        for (const std::string &flag : arguments.flags(flagsAt))
            tensor = flag == "conj" ? at::_conj(tensor) : at::_neg_view(tensor);
    if (version > 1 && arguments.isTrue(4)) {
        checkRequiresGrad(tensor);
        tensor.requires_grad_(true);
    }
    return tensor;
}

/// (data, requires_grad, hooks)
at::Tensor TensorRebuilder::parameter(const Arguments &arguments, int depth)
{
    at::Tensor tensor = rebuiltCall(arguments.item(0), depth).detach();
    if (arguments.isTrue(1)) {
        checkRequiresGrad(tensor);
        tensor.requires_grad_(true);
    }
    return tensor;
}

/// (storage, offset, sizes, strides, (scheme, scale(s), zero point(s)[, axis]), requires_grad, hooks)
at::Tensor TensorRebuilder::quantized(const Arguments &arguments)
{
    const auto [data, type] = storage(arguments.item(0));
    if (!c10::isQIntType(type))
        damaged("it is called quantized but its data is not");
    const std::int64_t offset = arguments.integer(1);
    const std::vector<std::int64_t> sizes = arguments.integers(2);
    const std::vector<std::int64_t> strides = arguments.integers(3);
    checkExtent(sizes, strides, offset, static_cast<std::int64_t>(data.nbytes() / c10::elementSize(type)));
    const Arguments scheme(m_tree, arguments.item(4));
    const std::string name = scheme.global(0);
    const at::TensorOptions options(type);
    at::Tensor tensor;
    if (name == "torch.per_tensor_affine") {
        tensor = at::_empty_affine_quantized({0}, options, scheme.real(1), scheme.integer(2));
    } else if (name == "torch.per_channel_affine") {
        const at::Tensor scales = rebuiltCall(scheme.item(1), 1).to(at::kDouble);
        const at::Tensor zeroPoints = rebuiltCall(scheme.item(2), 1).to(at::kLong);
        const std::int64_t axis = scheme.integer(3);
        if (axis < 0 || axis >= static_cast<std::int64_t>(sizes.size()) || scales.dim() != 1 ||
            zeroPoints.sizes() != scales.sizes() || scales.size(0) != sizes[static_cast<std::size_t>(axis)])
            damaged("its scales do not fit its sizes");
        tensor = at::_empty_per_channel_affine_quantized(sizes, scales, zeroPoints, axis, options);
    } else {
        refuse(ErrorCode::Unsupported,
               fmt::format("it holds a tensor quantized as '{}', which is not supported", cutText(name, 80)));
    }
    at::TensorImpl *impl = tensor.unsafeGetTensorImpl();
    impl->set_storage_keep_dtype(data);
    impl->set_storage_offset(offset);
    impl->set_sizes_and_strides(sizes, strides);
    return tensor;
}

/// (function, class, arguments, state): tensors with Python attributes; those attributes are left out.
at::Tensor TensorRebuilder::ofType(const Arguments &arguments, int depth)
{
    const std::string type = arguments.global(1);
    if (type != "torch.Tensor" && type != "torch._tensor.Tensor" && type != "torch.nn.parameter.Parameter")
        refuse(ErrorCode::Unsupported,
               fmt::format("it holds a '{}', a tensor of a class of its own", cutText(type, 80)));
    return rebuilt(arguments.global(0), arguments.item(2), depth);
}

at::Tensor TensorRebuilder::rebuiltCall(const PickleNode &call, int depth)
{
    const std::string function = call.kind == Kind::Call ? m_tree.globalName(call) : std::string();
    if (function.empty() || depth > RebuildDepthLimit)
        damaged("a tensor is missing");
    return rebuilt(function, *m_tree.item(call, 1), depth + 1);
}

bool TensorRebuilder::knows(std::string_view function)
{
    constexpr std::array<std::string_view, 7> names{
        "torch._utils._rebuild_tensor",       "torch._utils._rebuild_tensor_v2",
        "torch._utils._rebuild_tensor_v3",    "torch._utils._rebuild_parameter",
        "torch._utils._rebuild_qtensor",      "torch._utils._rebuild_parameter_with_state",
        "torch._tensor._rebuild_from_type_v2"};
    return std::find(names.begin(), names.end(), function) != names.end();
}

at::Tensor TensorRebuilder::rebuilt(std::string_view function, const PickleNode &tuple, int depth)
{
    if (!knows(function) || depth > RebuildDepthLimit)
        refuse(ErrorCode::Unsupported, fmt::format("it wants to call '{}', which is not done", cutText(function, 80)));
    const Arguments arguments(m_tree, tuple);
    if (function.ends_with("_rebuild_tensor"))
        return plain(arguments, 1);
    if (function.ends_with("_rebuild_tensor_v2"))
        return plain(arguments, 2);
    if (function.ends_with("_rebuild_tensor_v3"))
        return plain(arguments, 3);
    if (function.ends_with("_rebuild_qtensor"))
        return quantized(arguments);
    if (function.ends_with("_rebuild_from_type_v2"))
        return ofType(arguments, depth + 1);
    return parameter(arguments, depth);
}

Result<at::Tensor> TensorRebuilder::rebuild(const PickleNode &call)
{
    return guardTorch(ErrorCode::InvalidFile, "", [&]() -> Result<at::Tensor> {
        try {
            return rebuilt(m_tree.globalName(call), *m_tree.item(call, 1), 0);
        } catch (const Refused &refused) {
            return refused.error;
        }
    });
}

} // namespace pipescope::tensor
