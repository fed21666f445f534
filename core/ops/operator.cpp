#include "ops/operator.h"

#include "ops/rows/families.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <variant>

namespace pipescope::ops {

namespace {

using Table = std::unordered_map<std::string_view, const Operator *>;

template <class Key>
Table tableBy(Key key)
{
    Table table;
    for (const std::span<const Operator> family : families())
        for (const Operator &row : family)
            if (!key(row).empty())
                table.emplace(key(row), &row);
    return table;
}

const Operator *lookUp(const Table &table, std::string_view key)
{
    const auto found = table.find(key);
    return found == table.end() ? nullptr : found->second;
}

// For operators without a row, which libraries of users bring. The library's own name says nothing of its operators.
const Operator &byName(std::string_view qualified)
{
    const std::size_t library = qualified.rfind("::");
    const std::string_view name = library == std::string_view::npos ? qualified : qualified.substr(library + 2);
    static const Operator nothing;
    static const Operator dynamic{.name = {}, .batch = Batch::DynamicRange};
    static const Operator statistics{.name = {}, .batch = Batch::Statistics};
    const auto has = [name](std::string_view part) { return name.find(part) != std::string_view::npos; };
    if (has("_dynamic") || has("choose_qparams") || has("fused_moving_avg_obs"))
        return dynamic;
    return has("batch_norm") || has("instance_norm") ? statistics : nothing;
}

bool isZero(const std::optional<graph::Literal> &literal)
{
    if (!literal)
        return false;
    const auto *flag = std::get_if<bool>(&literal->is);
    const auto *whole = std::get_if<std::int64_t>(&literal->is);
    const auto *real = std::get_if<double>(&literal->is);
    return (flag != nullptr && !*flag) || (whole != nullptr && *whole == 0) || (real != nullptr && *real == 0);
}

} // namespace

std::span<const std::span<const Operator>> families()
{
    // To teach one more operator: a row in its family's file. All rows together are tested by tst_operators.
    static const std::array all{products(),  pointwise(),     reductions(),   normalisations(), shapes(), selections(),
                                creations(), randomNumbers(), quantization(), files(),          program()};
    return all;
}

const Operator *find(std::string_view name, std::string_view overload)
{
    static const Table table = tableBy([](const Operator &row) { return row.name; });
    if (!overload.empty())
        if (const Operator *own = lookUp(table, std::string(name) + "." + std::string(overload)))
            return own;
    const Operator *found = lookUp(table, name);
    if (found == nullptr && name.ends_with('_') && !name.ends_with("__"))
        found = lookUp(table, name.substr(0, name.size() - 1));
    return found;
}

const Operator &of(std::string_view name, std::string_view overload)
{
    const Operator *found = find(name, overload);
    return found == nullptr ? byName(name) : *found;
}

const Operator &of(const graph::Node &node)
{
    return of(node.op, node.overload);
}

const Operator *findByCode(std::string_view code)
{
    static const Table table = tableBy([](const Operator &row) { return row.code; });
    return lookUp(table, code);
}

bool isTorchsOwn(std::string_view name)
{
    constexpr std::string_view Namespaces[]{"aten::", "prim::", "quantized::", "sparse::", "mkldnn::", "onednn::"};
    return std::any_of(std::begin(Namespaces), std::end(Namespaces),
                       [&](std::string_view space) { return name.starts_with(space); });
}

bool drawsRandom(const graph::ModelGraph &graph, const graph::Node &node)
{
    const std::optional<Draws> &draws = of(node).draws;
    return draws && std::none_of(draws->unless.begin(), draws->unless.end(), [&](int at) {
               const auto index = static_cast<std::size_t>(at);
               return at >= 0 && index < node.operands.size() && node.operands[index].valid() &&
                      isZero(graph.value(node.operands[index]).literal);
           });
}

} // namespace pipescope::ops
