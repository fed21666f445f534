#include "import/type_test.h"

#include <algorithm>

namespace pipescope::import {

namespace {

// Kinds of values, of which each value is of one.
enum class Family { Unknown, Tensor, None, Bool, Int, Float, Complex, String, Device, List, Dict, Tuple, Object, Enum };

Family familyOf(const c10::Type &type)
{
    switch (type.kind()) {
    case c10::TypeKind::TensorType:
        return Family::Tensor;
    case c10::TypeKind::NoneType:
        return Family::None;
    case c10::TypeKind::BoolType:
        return Family::Bool;
    case c10::TypeKind::IntType:
        return Family::Int;
    case c10::TypeKind::FloatType:
        return Family::Float;
    case c10::TypeKind::ComplexType:
        return Family::Complex;
    case c10::TypeKind::StringType:
        return Family::String;
    case c10::TypeKind::DeviceObjType:
        return Family::Device;
    case c10::TypeKind::ListType:
    case c10::TypeKind::AnyListType:
        return Family::List;
    case c10::TypeKind::DictType:
        return Family::Dict;
    case c10::TypeKind::TupleType:
    case c10::TypeKind::AnyTupleType:
        return Family::Tuple;
    case c10::TypeKind::ClassType:
    case c10::TypeKind::InterfaceType:
    case c10::TypeKind::AnyClassType:
        return Family::Object;
    case c10::TypeKind::EnumType:
    case c10::TypeKind::AnyEnumType:
        return Family::Enum;
    default: // a number, or anything
        return Family::Unknown;
    }
}

std::vector<c10::TypePtr> alternativesOf(const c10::Type &type)
{
    const auto contained = type.containedTypes();
    std::vector<c10::TypePtr> alternatives(contained.begin(), contained.end());
    if (type.kind() == c10::TypeKind::OptionalType)
        alternatives.emplace_back(c10::NoneType::get());
    return alternatives;
}

// Whether no value is of both types.
bool areApart(const c10::Type &a, const c10::Type &b)
{
    if (isUnion(b)) {
        const std::vector<c10::TypePtr> alternatives = alternativesOf(b);
        return std::all_of(alternatives.begin(), alternatives.end(),
                           [&](const c10::TypePtr &one) { return areApart(a, *one); });
    }
    const Family ours = familyOf(a);
    const Family theirs = familyOf(b);
    return ours != Family::Unknown && theirs != Family::Unknown && ours != theirs;
}

} // namespace

bool isUnion(const c10::Type &type)
{
    return type.kind() == c10::TypeKind::OptionalType || type.kind() == c10::TypeKind::UnionType;
}

std::optional<bool> isInstance(const c10::Type &type, at::ArrayRef<c10::TypePtr> tested)
{
    if (std::any_of(tested.begin(), tested.end(), [&](const c10::TypePtr &one) { return type.isSubtypeOf(*one); }))
        return true;
    if (isUnion(type)) {
        const std::vector<c10::TypePtr> alternatives = alternativesOf(type);
        const std::optional<bool> first = isInstance(*alternatives.front(), tested);
        const bool agree = std::all_of(alternatives.begin(), alternatives.end(),
                                       [&](const c10::TypePtr &one) { return isInstance(*one, tested) == first; });
        return agree ? first : std::nullopt;
    }
    if (std::all_of(tested.begin(), tested.end(), [&](const c10::TypePtr &one) { return areApart(type, *one); }))
        return false;
    return std::nullopt;
}

} // namespace pipescope::import
