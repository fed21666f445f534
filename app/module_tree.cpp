#include "module_tree.h"

#include "base/text.h"
#include "graph/module_names.h"
#include "text_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace pipescope::app {

namespace {

using Align = TextTable::Align;

/// The modules in preorder, each with its depth and the end of its subtree: the next sibling stands there, if there is
/// one.
struct Tree
{
    explicit Tree(const report::Inspection &shown);
    [[nodiscard]] const graph::ModuleInfo &module(std::size_t i) const { return inspection.graph.modules[i]; }
    [[nodiscard]] std::size_t size() const { return ends.size(); }
    [[nodiscard]] bool alike(std::size_t a, std::size_t b) const;
    [[nodiscard]] std::vector<std::size_t> likeSiblings(std::size_t first) const;

    const report::Inspection &inspection;
    std::vector<std::size_t> depths;
    std::vector<std::size_t> ends;
};

Tree::Tree(const report::Inspection &shown)
    : inspection(shown)
    , ends(shown.graph.modules.size())
{
    const graph::ModuleNames names(shown.graph);
    std::unordered_map<std::string_view, std::size_t> depthOf;
    for (const graph::ModuleInfo &module : shown.graph.modules) {
        depths.push_back(module.fqn.empty() ? 0 : depthOf[names.around(module.fqn)] + 1);
        depthOf[module.fqn] = depths.back();
    }
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i <= size(); ++i) {
        while (!open.empty() && (i == size() || depths[i] <= depths[open.back()])) {
            ends[open.back()] = i;
            open.pop_back();
        }
        open.push_back(i);
    }
}

/// Whether two subtrees have the same classes and sizes in the same order.
bool Tree::alike(std::size_t a, std::size_t b) const
{
    if (ends[a] - a != ends[b] - b)
        return false;
    for (std::size_t i = 0; i < ends[a] - a; ++i) {
        const graph::ModuleInfo &one = module(a + i);
        const graph::ModuleInfo &other = module(b + i);
        if (one.className != other.className || one.parameters != other.parameters ||
            one.parameterBytes != other.parameterBytes || one.bufferBytes != other.bufferBytes)
            return false;
    }
    return true;
}

/// The module and those right after it that are like it.
std::vector<std::size_t> Tree::likeSiblings(std::size_t first) const
{
    std::vector<std::size_t> run{first};
    for (std::size_t next = ends[first]; next < size() && depths[next] == depths[first] && alike(first, next);
         next = ends[next])
        run.push_back(next);
    return run;
}

std::string outputsText(const report::Inspection &inspection, const report::ModuleCost &cost)
{
    std::string text;
    for (const ValueId id : cost.outputs) {
        const graph::Value &value = inspection.graph.value(id);
        text += (text.empty() ? "" : ", ") + (value.tensor ? graph::toText(*value.tensor) : value.type);
    }
    return text;
}

report::ModuleCost sumOfCosts(const report::Inspection &inspection, const std::vector<std::size_t> &modules)
{
    report::ModuleCost sum = inspection.moduleCosts[modules.front()];
    for (std::size_t i = 1; i < modules.size(); ++i) {
        const report::ModuleCost &cost = inspection.moduleCosts[modules[i]];
        sum.calls += cost.calls;
        sum.seconds += cost.seconds;
        if (cost.flops)
            sum.flops = sum.flops.value_or(0) + *cost.flops;
    }
    return sum;
}

std::string nameOf(const Tree &tree, const std::vector<std::size_t> &modules)
{
    const std::string &first = tree.module(modules.front()).fqn;
    std::string name(2 * tree.depths[modules.front()], ' ');
    name += first.empty() ? "(model)" : first;
    return modules.size() == 1 ? name : fmt::format("{} .. {}", name, tree.module(modules.back()).fqn);
}

std::string bytesOrNothing(std::int64_t bytes)
{
    return bytes == 0 ? std::string() : formatBytes(bytes);
}

std::vector<std::string> measuredCells(const Tree &tree, const std::vector<std::size_t> &modules)
{
    const report::Inspection &inspection = tree.inspection;
    if (inspection.moduleCosts.empty())
        return std::vector<std::string>(5);
    const report::ModuleCost cost = sumOfCosts(inspection, modules);
    const double whole = inspection.moduleCosts.front().seconds;
    return {std::to_string(cost.calls), formatSeconds(cost.seconds),
            whole > 0 ? fmt::format("{:.1f} %", 100 * cost.seconds / whole) : "",
            cost.flops ? formatCount(*cost.flops) : "", outputsText(inspection, cost)};
}

std::vector<std::string> rowOf(const Tree &tree, const std::vector<std::size_t> &modules)
{
    const graph::ModuleInfo &module = tree.module(modules.front());
    const auto count = static_cast<std::int64_t>(modules.size());
    const std::string className = count == 1 ? module.className : fmt::format("{} × {}", count, module.className);
    std::vector<std::string> cells{
        nameOf(tree, modules), className,
        module.parameters == 0 ? "" : formatCount(static_cast<double>(count * module.parameters)),
        bytesOrNothing(count * module.parameterBytes), bytesOrNothing(count * module.bufferBytes)};
    std::vector<std::string> measured = measuredCells(tree, modules);
    cells.insert(cells.end(), measured.begin(), measured.end());
    return cells;
}

} // namespace

std::string moduleTree(const report::Inspection &inspection, Detail detail)
{
    TextTable table({{"module", Align::Left},
                     {"class", Align::Left},
                     {"parameters", Align::Right},
                     {"bytes", Align::Right},
                     {"buffers", Align::Right},
                     {"calls", Align::Right},
                     {"time", Align::Right},
                     {"share", Align::Right},
                     {"FLOPs", Align::Right},
                     {"output", Align::Left}});
    const Tree tree(inspection);
    // Where the folded siblings of a module begin, their end: they are passed over once its children have been shown.
    std::vector<std::size_t> passTo(tree.size() + 1);
    std::iota(passTo.begin(), passTo.end(), std::size_t{0});
    const auto following = [&](std::size_t i) {
        for (++i; passTo[i] != i; i = passTo[i]) {
        }
        return i;
    };
    for (std::size_t i = 0; i < tree.size(); i = following(i)) {
        const std::vector<std::size_t> shown =
            detail == Detail::All ? std::vector<std::size_t>{i} : tree.likeSiblings(i);
        table.addRow(rowOf(tree, shown));
        passTo[tree.ends[i]] = std::max(passTo[tree.ends[i]], tree.ends[shown.back()]);
    }
    return table.toText();
}

} // namespace pipescope::app
