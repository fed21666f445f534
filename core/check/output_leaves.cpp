#include "check/output_leaves.h"

#include "tensor/ivalue_tree.h"
#include "tensor/opened_value.h"

#include <ATen/core/Dict.h>
#include <algorithm>
#include <cstddef>
#include <utility>

namespace pipescope::check {

namespace {

using Values = std::vector<c10::IValue>;

enum class Kind { Leaf, Tuple, List, Dict };

Kind kindOf(const c10::IValue &value)
{
    if (value.isTuple())
        return Kind::Tuple;
    if (value.isList())
        return Kind::List;
    return value.isGenericDict() ? Kind::Dict : Kind::Leaf;
}

Values keysOf(const c10::IValue &dict)
{
    Values keys;
    for (const auto &entry : dict.toGenericDict())
        keys.push_back(entry.key());
    return keys;
}

Values itemsOf(const c10::IValue &value)
{
    switch (kindOf(value)) {
    case Kind::Tuple:
        return value.toTupleRef().elements().vec();
    case Kind::List:
        return value.toListRef().vec();
    case Kind::Dict: {
        Values items;
        for (const auto &entry : value.toGenericDict())
            items.push_back(entry.value());
        return items;
    }
    case Kind::Leaf:
        break;
    }
    return {};
}

class Pairing
{
public:
    std::vector<OutputLeaf> leaves;

    /// False where the structures differ.
    bool pair(const c10::IValue &whole, const Values &parts, bool isOfOneMicrobatch)
    {
        const Kind kind = kindOf(whole);
        if (std::any_of(parts.begin(), parts.end(), [&](const c10::IValue &part) { return kindOf(part) != kind; }))
            return false;
        if (kind == Kind::Leaf) {
            leaves.push_back({whole, parts, {}, m_places, isOfOneMicrobatch});
            return true;
        }
        const auto hasOtherKeys = [&](const c10::IValue &part) { return keysOf(part) != keysOf(whole); };
        if (kind == Kind::Dict && std::any_of(parts.begin(), parts.end(), hasOtherKeys))
            return false;
        return pairItems(itemsOf(whole), parts, kind, isOfOneMicrobatch);
    }

private:
    bool pairItems(const Values &whole, const Values &parts, Kind kind, bool isOfOneMicrobatch)
    {
        std::vector<Values> items;
        Values oneAfterAnother;
        bool areAsLong = true;
        for (const c10::IValue &part : parts) {
            items.push_back(itemsOf(part));
            oneAfterAnother.insert(oneAfterAnother.end(), items.back().begin(), items.back().end());
            areAsLong = areAsLong && items.back().size() == whole.size();
        }
        if (!areAsLong && (kind != Kind::List || oneAfterAnother.size() != whole.size()))
            return false;
        for (std::size_t i = 0; i < whole.size(); ++i) {
            Values beside;
            for (const Values &ofPart : items)
                if (areAsLong)
                    beside.push_back(ofPart[i]);
            if (!areAsLong)
                beside.push_back(oneAfterAnother[i]);
            m_places.push_back(i);
            const bool areAlike = pair(whole[i], beside, isOfOneMicrobatch || !areAsLong);
            m_places.pop_back();
            if (!areAlike)
                return false;
        }
        return true;
    }

    tensor::Places m_places; // of what is paired
};

} // namespace

c10::IValue asOneValue(const Values &outputs)
{
    return tensor::opened(outputs.size() == 1 ? outputs.front() : c10::IValue(c10::ivalue::Tuple::create(outputs)));
}

Result<std::optional<std::vector<OutputLeaf>>> outputLeaves(const Values &whole,
                                                            const std::vector<Values> &microbatches)
{
    const c10::IValue expected = asOneValue(whole);
    if (auto shallow = tensor::leaves(expected); !shallow)
        return shallow.error();
    Values parts;
    for (const Values &outputs : microbatches) {
        parts.push_back(asOneValue(outputs));
        if (auto shallow = tensor::leaves(parts.back()); !shallow)
            return shallow.error();
    }
    Pairing pairing;
    if (!pairing.pair(expected, parts, false))
        return std::optional<std::vector<OutputLeaf>>{};
    const std::vector<std::string> paths = tensor::leafPaths(expected);
    PIPESCOPE_ASSERT(paths.size() == pairing.leaves.size());
    for (std::size_t i = 0; i < paths.size(); ++i)
        pairing.leaves[i].path = paths[i];
    return std::optional(std::move(pairing.leaves));
}

} // namespace pipescope::check
