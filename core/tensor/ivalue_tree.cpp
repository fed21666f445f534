#include "tensor/ivalue_tree.h"

#include "tensor/build_tree.h"

#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/TensorBody.h>
#include <ATen/core/jit_type.h>
#include <algorithm>
#include <cstdint>
#include <fmt/format.h>

namespace pipescope::tensor {

namespace {

/// Calls `onChild(key, child)` for each child; the key is the position, or the entry's key in a dict.
template <class OnChild>
void forEachChild(const c10::IValue &tree, const OnChild &onChild)
{
    if (tree.isGenericDict()) {
        for (const auto &entry : tree.toGenericDict())
            onChild(entry.key(), entry.value());
        return;
    }
    std::int64_t position = 0;
    if (tree.isTuple()) {
        for (const c10::IValue &child : tree.toTupleRef().elements())
            onChild(c10::IValue(position++), child);
        return;
    }
    for (const c10::IValue &child : tree.toListRef())
        onChild(c10::IValue(position++), child);
}

/// Returns whether the tree is no deeper than the limit; below that, containers are handed out as leaves.
template <class OnLeaf>
bool forEachLeaf(const c10::IValue &value, const OnLeaf &onLeaf, int depth = 0)
{
    if (!isTree(value) || depth >= TreeDepthLimit) {
        onLeaf(value);
        return !isTree(value);
    }
    bool complete = true;
    forEachChild(value, [&](const c10::IValue &, const c10::IValue &child) {
        complete = forEachLeaf(child, onLeaf, depth + 1) && complete;
    });
    return complete;
}

c10::IValue likeTuple(const c10::IValue &tuple, std::vector<c10::IValue> items)
{
    const auto type = tuple.toTupleRef().type<c10::TupleType>();
    if (type == nullptr || type->schema() == nullptr)
        return makeTuple(std::move(items));
    return c10::ivalue::Tuple::createNamed(std::move(items), type);
}

c10::IValue likeList(const c10::IValue &list, const std::vector<c10::IValue> &items)
{
    c10::impl::GenericList result(commonType(items, list.toList().elementType()));
    result.reserve(items.size());
    for (const c10::IValue &item : items)
        result.push_back(item);
    return result;
}

c10::IValue likeDict(const c10::IValue &dict, const std::vector<c10::IValue> &values)
{
    const c10::impl::GenericDict old = dict.toGenericDict();
    c10::impl::GenericDict result(old.keyType(), commonType(values, old.valueType()));
    std::size_t position = 0;
    for (const auto &entry : old)
        result.insert(entry.key(), values[position++]);
    return result;
}

/// Changes the leaves of a tree, and the containers in it that stand for themselves.
struct Mapping
{
    const std::function<c10::IValue(const c10::IValue &)> &change;
    const std::set<Places> &wholes;
    Places places = {}; // of what is looked at

    c10::IValue operator()(const c10::IValue &value)
    {
        const bool isWhole = !wholes.empty() && wholes.contains(places);
        if (!isTree(value) || isWhole || places.size() >= static_cast<std::size_t>(TreeDepthLimit))
            return change(value);
        std::vector<c10::IValue> children;
        places.push_back(0);
        forEachChild(value, [&](const c10::IValue &, const c10::IValue &child) {
            children.push_back((*this)(child));
            ++places.back();
        });
        places.pop_back();
        if (value.isTuple())
            return likeTuple(value, std::move(children));
        return value.isGenericDict() ? likeDict(value, children) : likeList(value, children);
    }
};

std::string stepText(const c10::IValue &key)
{
    return fmt::format("[{}]", key.isString() ? fmt::format("'{}'", key.toStringRef()) : describeValue(key));
}

void collectPaths(const c10::IValue &value, const std::string &path, int depth, std::vector<std::string> &paths)
{
    if (!isTree(value) || depth >= TreeDepthLimit) {
        paths.push_back(path);
        return;
    }
    forEachChild(value, [&](const c10::IValue &key, const c10::IValue &child) {
        collectPaths(child, path + stepText(key), depth + 1, paths);
    });
}

} // namespace

bool isTree(const c10::IValue &value)
{
    return value.isTuple() || value.isList() || value.isGenericDict();
}

bool isDefinedTensor(const c10::IValue &value)
{
    return value.isTensor() && value.toTensor().defined();
}

Result<std::vector<c10::IValue>> leaves(const c10::IValue &tree)
{
    std::vector<c10::IValue> result;
    if (!forEachLeaf(tree, [&](const c10::IValue &leaf) { result.push_back(leaf); }))
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("a value is nested more than {} levels deep; flatten it", TreeDepthLimit),
                     {},
                     {}};
    return result;
}

c10::IValue mapLeaves(const c10::IValue &tree, const std::function<c10::IValue(const c10::IValue &)> &change)
{
    const std::set<Places> none;
    return Mapping{change, none}(tree);
}

c10::IValue mapParts(const c10::IValue &tree, const std::set<Places> &wholes,
                     const std::function<c10::IValue(const c10::IValue &)> &change)
{
    return Mapping{change, wholes}(tree);
}

std::string pathOf(const c10::IValue &tree, const Places &places)
{
    std::string path;
    c10::IValue here = tree;
    for (const std::size_t place : places) {
        std::size_t position = 0;
        c10::IValue next;
        forEachChild(here, [&](const c10::IValue &key, const c10::IValue &child) {
            if (position++ != place)
                return;
            path += stepText(key);
            next = child;
        });
        here = std::move(next);
    }
    return path;
}

std::vector<std::string> leafPaths(const c10::IValue &tree)
{
    std::vector<std::string> paths;
    collectPaths(tree, {}, 0, paths);
    return paths;
}

std::vector<at::Tensor> tensorsIn(const c10::IValue &tree)
{
    std::vector<at::Tensor> tensors;
    forEachLeaf(tree, [&](const c10::IValue &leaf) {
        if (leaf.isTensor() && leaf.toTensor().defined())
            tensors.push_back(leaf.toTensor());
    });
    return tensors;
}

std::int64_t tensorBytes(const c10::IValue &tree)
{
    std::int64_t bytes = 0;
    forEachLeaf(tree, [&](const c10::IValue &leaf) {
        if (!leaf.isTensor() || !leaf.toTensor().defined())
            return;
        const at::Tensor &tensor = leaf.toTensor();
        bytes += tensor.numel() * static_cast<std::int64_t>(tensor.element_size());
    });
    return bytes;
}

} // namespace pipescope::tensor
