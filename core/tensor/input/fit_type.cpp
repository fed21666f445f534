#include "tensor/input/fit_type.h"

#include "tensor/cut_text.h"
#include "tensor/ivalue_tree.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/enum_type.h>
#include <ATen/core/jit_type.h>
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <exception>
#include <fmt/format.h>
#include <optional>
#include <system_error>
#include <torch/csrc/jit/frontend/script_type_parser.h>

namespace pipescope::tensor {

namespace {

using Items = std::vector<c10::IValue>;

std::string typeName(const c10::IValue &value)
{
    return value.isTensor() ? "Tensor" : shownType(*value.type());
}

/// "Box" of "__torch__.model.Box" and of "__torch__.model.___torch_mangle_3.Box".
std::string shortName(const c10::Type &type)
{
    const auto *named = dynamic_cast<const c10::NamedType *>(&type);
    return named != nullptr && named->name() ? named->name()->name() : std::string();
}

/// "Pair(a: Tensor, b: int)"; "" for a tuple without names.
std::string namedTupleText(const c10::Type &type)
{
    const auto *tuple = type.castRaw<c10::TupleType>();
    if (tuple == nullptr || tuple->schema() == nullptr)
        return {};
    std::string fields;
    for (const c10::Argument &field : tuple->schema()->arguments())
        fields += fmt::format("{}{}: {}", fields.empty() ? "" : ", ", field.name(), shownType(*field.type()));
    return fmt::format("{}({})", shortName(type), fields);
}

Error misfit(const c10::IValue &value, const c10::Type &type, const std::string &path)
{
    std::string got = typeName(value);
    if (!value.isTensor() && !value.isNone())
        got += fmt::format(" ({})", cutText(describeValue(value), 60));
    return {ErrorCode::InvalidArgument, fmt::format("must be {}, got {}", shownType(type), got), path, {}};
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

/// What is given for the elements of a tuple: in order or, where they have names, by these; nullopt where it is not as
/// many.
std::optional<Items> itemsFor(const c10::IValue &value, const c10::TupleType &type)
{
    if (value.isList() || value.isTuple()) {
        Items items = value.isList() ? value.toListRef().vec() : value.toTupleRef().elements().vec();
        return items.size() == type.elements().size() ? std::optional(std::move(items)) : std::nullopt;
    }
    if (!value.isGenericDict() || type.schema() == nullptr)
        return std::nullopt;
    const c10::impl::GenericDict given = value.toGenericDict();
    Items items;
    std::size_t taken = 0;
    for (const c10::Argument &field : type.schema()->arguments()) {
        if (const auto entry = given.find(field.name()); entry != given.end()) {
            items.push_back(entry->value());
            ++taken;
        } else if (field.default_value()) {
            items.push_back(*field.default_value());
        } else {
            return std::nullopt;
        }
    }
    return taken == given.size() ? std::optional(std::move(items)) : std::nullopt;
}

/// "[1]", or ".mask" where the elements have names.
std::string elementPath(const std::string &path, const c10::TupleType &type, std::size_t index)
{
    return type.schema() == nullptr ? fmt::format("{}[{}]", path, index)
                                    : fmt::format("{}.{}", path, type.schema()->arguments()[index].name());
}

Result<c10::IValue> fitTuple(const c10::IValue &value, const c10::TypePtr &type, const std::string &path, int depth)
{
    const c10::TupleTypePtr declared = type->expect<c10::TupleType>();
    const std::optional<Items> items = itemsFor(value, *declared);
    if (!items)
        return misfit(value, *type, path);
    Items fitted;
    for (std::size_t i = 0; i < items->size(); ++i) {
        auto item = fit((*items)[i], declared->elements()[i], elementPath(path, *declared, i), depth + 1);
        if (!item)
            return item.error();
        fitted.push_back(*std::move(item));
    }
    return c10::IValue(declared->schema() == nullptr ? c10::ivalue::Tuple::create(std::move(fitted))
                                                     : c10::ivalue::Tuple::createNamed(std::move(fitted), declared));
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

/// The value of a type without others inside; nullopt where it is none.
std::optional<c10::IValue> fitPlain(const c10::IValue &value, const c10::TypePtr &type)
{
    const auto when = [&](bool fits) { return fits ? std::optional(value) : std::nullopt; };
    switch (type->kind()) {
    case c10::TypeKind::AnyType:
        return value;
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
        return when(value.type()->isSubtypeOf(*type));
    }
}

/// The model runs on the CPU, whatever it was made on.
Result<c10::IValue> fitDevice(const c10::IValue &value, const c10::TypePtr &type, const std::string &path)
{
    std::optional<c10::Device> device;
    if (value.isDevice())
        device = value.toDevice();
    else if (value.isString()) {
        try {
            device = c10::Device(value.toStringRef());
        } catch (const std::exception &) {
            return misfit(value, *type, path);
        }
    }
    if (!device)
        return misfit(value, *type, path);
    if (!device->is_cpu())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("must be the CPU, on which models are run here, got {}", device->str()),
                     path,
                     {}};
    return c10::IValue(*device);
}

Result<c10::IValue> fitEnum(const c10::IValue &value, const c10::TypePtr &type, const std::string &path)
{
    const c10::EnumTypePtr declared = type->expect<c10::EnumType>();
    if (value.isString())
        for (const auto &[name, content] : declared->enumNamesValues())
            if (name == value.toStringRef())
                return c10::IValue(c10::make_intrusive<c10::ivalue::EnumHolder>(declared, name, content));
    return misfit(value, *type, path);
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
    case c10::TypeKind::DeviceObjType:
        return fitDevice(value, type, path);
    case c10::TypeKind::EnumType:
        return fitEnum(value, type, path);
    default:
        if (auto plain = fitPlain(value, type))
            return *std::move(plain);
        return misfit(value, *type, path);
    }
}

/// The first part of the type that cannot be written and has to be; null for none.
c10::TypePtr unwritable(const c10::TypePtr &type, int depth)
{
    switch (type->kind()) {
    case c10::TypeKind::OptionalType: // none
        return nullptr;
    case c10::TypeKind::ListType:
    case c10::TypeKind::TupleType:
    case c10::TypeKind::DictType:
        for (const c10::TypePtr &part : type->containedTypes())
            if (c10::TypePtr found = depth < TreeDepthLimit ? unwritable(part, depth + 1) : nullptr)
                return found;
        return nullptr;
    case c10::TypeKind::UnionType: {
        const auto alternatives = type->containedTypes();
        const bool any = std::any_of(alternatives.begin(), alternatives.end(), [&](const c10::TypePtr &one) {
            return depth >= TreeDepthLimit || unwritable(one, depth + 1) == nullptr;
        });
        return any ? nullptr : type;
    }
    case c10::TypeKind::AnyType:
    case c10::TypeKind::TensorType:
    case c10::TypeKind::IntType:
    case c10::TypeKind::FloatType:
    case c10::TypeKind::ComplexType:
    case c10::TypeKind::NumberType:
    case c10::TypeKind::BoolType:
    case c10::TypeKind::StringType:
    case c10::TypeKind::NoneType:
    case c10::TypeKind::DeviceObjType:
    case c10::TypeKind::EnumType:
        return nullptr;
    default:
        return type;
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
    case c10::TypeKind::NoneType:
        return "none";
    case c10::TypeKind::ComplexType:
        return "1";
    case c10::TypeKind::DeviceObjType:
        return "'cpu'";
    case c10::TypeKind::EnumType:
        return fmt::format("'{}'", type.expectRef<c10::EnumType>().enumNamesValues().front().first);
    case c10::TypeKind::UnionType:
        return inside(0);
    case c10::TypeKind::OptionalType: {
        const c10::TypePtr &element = type.expectRef<c10::OptionalType>().getElementType();
        return unwritable(element, 0) ? "none" : exampleOfType(*element, depth + 1);
    }
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

c10::TypePtr typeFromText(const std::string &declared)
{
    try {
        return torch::jit::ScriptTypeParser().parseType(declared);
    } catch (const std::exception &) {
        return nullptr;
    }
}

Result<c10::IValue> fitType(const c10::IValue &value, const c10::TypePtr &declared)
{
    if (declared == nullptr)
        return value;
    return fit(value, declared, {}, 0);
}

std::string exampleOf(const c10::TypePtr &declared)
{
    return declared == nullptr ? "..." : exampleOfType(*declared, 0);
}

std::string shownType(const c10::Type &type)
{
    return type.annotation_str([&](const c10::Type &part) -> std::optional<std::string> {
        if (std::string fields = namedTupleText(part); !fields.empty())
            return fields;
        std::string name = part.kind() == c10::TypeKind::TupleType ? std::string() : shortName(part);
        return name.empty() ? std::nullopt : std::optional(std::move(name));
    });
}

std::string whyNotWritten(const c10::TypePtr &declared)
{
    const c10::TypePtr found = declared == nullptr ? nullptr : unwritable(declared, 0);
    if (found == nullptr)
        return {};
    return fmt::format("{} is {}, and a value of it cannot be given; call a method without such an argument, or save a "
                       "module around the model that makes it from tensors and numbers",
                       shownType(*found),
                       found->kind() == c10::TypeKind::ClassType ? "a class of the model" : "no type of data");
}

} // namespace pipescope::tensor
