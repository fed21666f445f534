#include "tensor/input/fit_type.h"

#include "tensor/cut_text.h"
#include "tensor/ivalue_tree.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/jit_type.h>
#include <charconv>
#include <cstdint>
#include <exception>
#include <fmt/format.h>
#include <optional>
#include <system_error>
#include <torch/csrc/jit/frontend/script_type_parser.h>

namespace pipescope::tensor {

namespace {

/// Null for a type that names a class.
c10::TypePtr parseType(const std::string &text)
{
    try {
        return torch::jit::ScriptTypeParser().parseType(text);
    } catch (const std::exception &) {
        return nullptr;
    }
}

std::string typeName(const c10::IValue &value)
{
    return value.isTensor() ? "Tensor" : value.type()->annotation_str();
}

Error misfit(const c10::IValue &value, const c10::Type &type, const std::string &path)
{
    std::string got = typeName(value);
    if (!value.isTensor() && !value.isNone())
        got += fmt::format(" ({})", cutText(describeValue(value), 60));
    return {ErrorCode::InvalidArgument, fmt::format("must be {}, got {}", type.annotation_str(), got), path, {}};
}

Result<c10::IValue> fit(const c10::IValue &value, const c10::TypePtr &type, const std::string &path, int depth);

Result<c10::IValue> fitList(const c10::IValue &value, const c10::TypePtr &type, const std::string &path, int depth)
{
    if (!value.isList() && !value.isTuple())
        return misfit(value, *type, path);
    const c10::TypePtr element = type->expectRef<c10::ListType>().getElementType();
    const std::vector<c10::IValue> items =
        value.isList() ? value.toListRef().vec() : value.toTupleRef().elements().vec();
    c10::impl::GenericList list(element);
    for (std::size_t i = 0; i < items.size(); ++i) {
        auto item = fit(items[i], element, fmt::format("{}[{}]", path, i), depth + 1);
        if (!item)
            return item.error();
        list.push_back(*std::move(item));
    }
    return c10::IValue(list);
}

Result<c10::IValue> fitTuple(const c10::IValue &value, const c10::TypePtr &type, const std::string &path, int depth)
{
    const auto elements = type->expectRef<c10::TupleType>().elements();
    if (!value.isList() && !value.isTuple())
        return misfit(value, *type, path);
    const std::vector<c10::IValue> items =
        value.isList() ? value.toListRef().vec() : value.toTupleRef().elements().vec();
    if (items.size() != elements.size())
        return misfit(value, *type, path);
    std::vector<c10::IValue> fitted;
    for (std::size_t i = 0; i < items.size(); ++i) {
        auto item = fit(items[i], elements[i], fmt::format("{}[{}]", path, i), depth + 1);
        if (!item)
            return item.error();
        fitted.push_back(*std::move(item));
    }
    return c10::IValue(c10::ivalue::Tuple::create(std::move(fitted)));
}

/// Keys are written as names; where a dict has int keys they are numbers.
Result<c10::IValue> fitKey(const c10::IValue &key, const c10::TypePtr &type, const std::string &path)
{
    std::int64_t number = 0;
    if (type->kind() == c10::TypeKind::IntType && key.isString()) {
        const std::string &text = key.toStringRef();
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error == std::errc{} && end == text.data() + text.size())
            return c10::IValue(number);
    }
    return fit(key, type, path, 0);
}

Result<c10::IValue> fitDict(const c10::IValue &value, const c10::TypePtr &type, const std::string &path, int depth)
{
    if (!value.isGenericDict())
        return misfit(value, *type, path);
    const auto &declared = type->expectRef<c10::DictType>();
    c10::impl::GenericDict dict(declared.getKeyType(), declared.getValueType());
    for (const auto &entry : value.toGenericDict()) {
        const std::string name =
            entry.key().isString() ? fmt::format("'{}'", entry.key().toStringRef()) : describeValue(entry.key());
        const std::string place = fmt::format("{}[{}]", path, name);
        auto key = fitKey(entry.key(), declared.getKeyType(), place);
        if (!key)
            return key.error();
        auto item = fit(entry.value(), declared.getValueType(), place, depth + 1);
        if (!item)
            return item.error();
        dict.insert_or_assign(*std::move(key), *std::move(item));
    }
    return c10::IValue(dict);
}

/// The alternative the value already is, else the first it can be made to fit.
Result<c10::IValue> fitUnion(const c10::IValue &value, const c10::TypePtr &type, const std::string &path, int depth)
{
    if (type->kind() == c10::TypeKind::OptionalType) {
        if (value.isNone())
            return value;
        return fit(value, type->expectRef<c10::OptionalType>().getElementType(), path, depth + 1);
    }
    const auto alternatives = type->expectRef<c10::UnionType>().containedTypes();
    for (const c10::TypePtr &alternative : alternatives)
        if (value.type()->isSubtypeOf(*alternative))
            return value;
    for (const c10::TypePtr &alternative : alternatives)
        if (auto fitted = fit(value, alternative, path, depth + 1))
            return fitted;
    return misfit(value, *type, path);
}

/// The value of a plain type; nullopt where it is none.
std::optional<c10::IValue> fitPlain(const c10::IValue &value, c10::TypeKind kind)
{
    const auto when = [&](bool fits) { return fits ? std::optional(value) : std::nullopt; };
    switch (kind) {
    case c10::TypeKind::TensorType:
        return when(value.isTensor());
    case c10::TypeKind::IntType:
        return when(value.isInt());
    case c10::TypeKind::BoolType:
        return when(value.isBool());
    case c10::TypeKind::StringType:
        return when(value.isString());
    case c10::TypeKind::NoneType:
        return when(value.isNone());
    case c10::TypeKind::NumberType:
        return when(value.isInt() || value.isDouble() || value.isComplexDouble());
    case c10::TypeKind::FloatType:
        if (value.isInt())
            return c10::IValue(static_cast<double>(value.toInt()));
        return when(value.isDouble());
    case c10::TypeKind::ComplexType:
        if (value.isInt() || value.isDouble())
            return c10::IValue(c10::complex<double>(value.toScalar().toDouble(), 0));
        return when(value.isComplexDouble());
    default:
        return value;
    }
}

Result<c10::IValue> fit(const c10::IValue &value, const c10::TypePtr &type, const std::string &path, int depth)
{
    if (depth > TreeDepthLimit)
        return Error{ErrorCode::InvalidArgument, "is nested too deeply", path, {}};
    switch (type->kind()) {
    case c10::TypeKind::OptionalType:
    case c10::TypeKind::UnionType:
        return fitUnion(value, type, path, depth);
    case c10::TypeKind::ListType:
        return fitList(value, type, path, depth);
    case c10::TypeKind::TupleType:
        return fitTuple(value, type, path, depth);
    case c10::TypeKind::DictType:
        return fitDict(value, type, path, depth);
    default:
        if (auto plain = fitPlain(value, type->kind()))
            return *std::move(plain);
        return misfit(value, *type, path);
    }
}

std::string exampleOfType(const c10::Type &type, int depth)
{
    const auto inside = [&](std::size_t child) {
        return depth < 4 ? exampleOfType(*type.containedTypes()[child], depth + 1) : std::string("...");
    };
    switch (type.kind()) {
    case c10::TypeKind::TensorType:
        return "float32[2,3]";
    case c10::TypeKind::IntType:
        return "1";
    case c10::TypeKind::FloatType:
    case c10::TypeKind::NumberType:
        return "0.5";
    case c10::TypeKind::BoolType:
        return "true";
    case c10::TypeKind::StringType:
        return "'text'";
    case c10::TypeKind::OptionalType:
        return exampleOfType(*type.expectRef<c10::OptionalType>().getElementType(), depth + 1);
    case c10::TypeKind::ListType:
        return fmt::format("[{}]", inside(0));
    case c10::TypeKind::DictType:
        return fmt::format("{{name: {}}}", inside(1));
    case c10::TypeKind::TupleType: {
        std::string text = "(";
        for (std::size_t i = 0; i < type.containedTypes().size(); ++i)
            text += (i > 0 ? ", " : "") + inside(i);
        return text + ")";
    }
    default:
        return "...";
    }
}

} // namespace

Result<c10::IValue> fitType(const c10::IValue &value, const std::string &declared)
{
    const c10::TypePtr type = parseType(declared);
    if (type == nullptr)
        return value;
    return fit(value, type, {}, 0);
}

std::string exampleOf(const std::string &declared)
{
    const c10::TypePtr type = parseType(declared);
    return type == nullptr ? "..." : exampleOfType(*type, 0);
}

} // namespace pipescope::tensor
