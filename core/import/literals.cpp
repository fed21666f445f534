#include "import/literals.h"

#include "graph/value_classes.h"
#include "ops/operator.h"

#include <algorithm>
#include <vector>

namespace pipescope::import {

namespace {

using graph::Literal;

constexpr int DeepestList = 16;
constexpr std::size_t MostItemsInLists = 1'000'000; ///< of all lists that nodes put together

std::optional<Literal> plainLiteral(const c10::IValue &value)
{
    if (value.isNone())
        return Literal{};
    if (value.isBool())
        return Literal{value.toBool()};
    if (value.isInt())
        return Literal{value.toInt()};
    if (value.isDouble())
        return Literal{value.toDouble()};
    if (value.isDevice())
        return Literal{value.toDevice().str()};
    if (value.isString() && value.toStringRef().size() <= MaxLiteralText)
        return Literal{value.toStringRef()};
    return std::nullopt;
}

// `room`: how many items there may be more.
std::optional<Literal> nestedLiteral(const c10::IValue &value, int depth, std::size_t &room)
{
    if (!value.isList() && !value.isTuple())
        return plainLiteral(value);
    const std::size_t size = value.isList() ? value.toListRef().size() : value.toTupleRef().elements().size();
    if (depth >= DeepestList || size > room)
        return std::nullopt;
    room -= size;
    Literal::List items;
    const auto add = [&](const c10::IValue &item) {
        std::optional<Literal> literal = nestedLiteral(item, depth + 1, room);
        if (!literal)
            return false;
        items.push_back(*std::move(literal));
        return true;
    };
    const bool all = value.isList()
                         ? std::all_of(value.toListRef().begin(), value.toListRef().end(), add)
                         : std::all_of(value.toTupleRef().elements().begin(), value.toTupleRef().elements().end(), add);
    return all ? std::optional(Literal{std::move(items)}) : std::nullopt;
}

std::size_t itemsIn(const Literal &literal)
{
    const auto *items = std::get_if<Literal::List>(&literal.is);
    std::size_t count = 0;
    for (std::size_t i = 0; items != nullptr && i < items->size(); ++i)
        count += 1 + itemsIn((*items)[i]);
    return count;
}

int depthOf(const Literal &literal)
{
    const auto *items = std::get_if<Literal::List>(&literal.is);
    int deepest = 0;
    for (std::size_t i = 0; items != nullptr && i < items->size(); ++i)
        deepest = std::max(deepest, depthOf((*items)[i]));
    return items == nullptr ? 0 : deepest + 1;
}

// Values that some node may change.
std::vector<bool> changedValues(const graph::ModelGraph &graph)
{
    graph::ValueClasses memory(graph.values.size());
    for (const graph::Node &node : graph.nodes)
        for (const graph::Alias &alias : node.aliases)
            memory.join(alias.output, alias.input);
    std::vector<bool> written(graph.values.size());
    for (const graph::Node &node : graph.nodes)
        for (const ValueId value : node.writes)
            written[memory.of(value)] = true;
    std::vector<bool> changed;
    for (const graph::Value &value : graph.values)
        changed.push_back(written[memory.of(value.id)]);
    return changed;
}

std::optional<Literal> listOf(const graph::ModelGraph &graph, const graph::Node &node)
{
    if (node.operands.size() > MaxLiteralItems)
        return std::nullopt;
    Literal::List items;
    for (const ValueId operand : node.operands) {
        const std::optional<Literal> &item = graph.value(operand).literal;
        if (!item)
            return std::nullopt;
        items.push_back(*item);
    }
    Literal list{std::move(items)};
    return itemsIn(list) <= MaxLiteralItems && depthOf(list) <= DeepestList ? std::optional(std::move(list))
                                                                            : std::nullopt;
}

} // namespace

std::optional<Literal> literalOf(const c10::IValue &value)
{
    std::size_t room = MaxLiteralItems;
    return nestedLiteral(value, 0, room);
}

void fillLiteralLists(graph::ModelGraph &graph)
{
    const std::vector<bool> changed = changedValues(graph);
    std::size_t room = MostItemsInLists;
    for (const graph::Node &node : graph.nodes) {
        const bool isList = ops::of(node).role == ops::Role::PacksItems;
        if (!isList || changed[node.outputs.front().index()])
            continue;
        std::optional<Literal> list = listOf(graph, node);
        const std::size_t items = list ? itemsIn(*list) : 0;
        if (!list || items > room)
            continue;
        room -= items;
        graph.values[node.outputs.front().index()].literal = std::move(list);
    }
}

} // namespace pipescope::import
