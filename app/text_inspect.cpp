#include "text_output.h"

#include "base/text.h"
#include "code_constants.h"
#include "module_tree.h"
#include "ops/mobile.h"
#include "ops/operator.h"
#include "partition/few_places.h"
#include "partition/held_uses.h"
#include "text_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace pipescope::app {

namespace {

using Align = TextTable::Align;

constexpr std::size_t MostListed = 12;

std::string title(const Terminal &terminal, std::string_view text)
{
    return '\n' + bold(terminal, text) + '\n';
}

std::string headText(const report::Inspection &inspection, const Terminal &terminal)
{
    std::string text = fmt::format("{} ({})", bold(terminal, inspection.path), inspection.fileKind);
    if (!inspection.graph.modelClass.empty())
        text += fmt::format(", {}", inspection.graph.modelClass);
    text += fmt::format("\nSHA-256 {}\n", inspection.sha256);
    if (!inspection.specialised.empty())
        text += fmt::format("specialised for {}\n", inputTexts(inspection.specialised));
    if (inspection.structureOnly)
        text += fmt::format(
            "structure only: the file was read{}{}\n",
            inspection.loadRefused ? ", after loading it failed" : ", not loaded, and nothing in it was run",
            inspection.producerVersion.empty() ? "" : fmt::format(" (archive version {})", inspection.producerVersion));
    return text;
}

std::string methodsText(const report::Inspection &inspection, const Terminal &terminal)
{
    std::string text = title(terminal, "methods");
    for (const report::MethodInfo &method : inspection.methods)
        text += fmt::format("{}{}\n", method.name, method.signature);
    return text;
}

std::string inputsText(const report::Inspection &inspection, const Terminal &terminal)
{
    if (inspection.structureOnly)
        return {};
    TextTable table(
        {{"name", Align::Left}, {"type", Align::Left}, {"default", Align::Left}, {"this run", Align::Left}});
    for (const graph::Argument &argument : inspection.graph.arguments) {
        const auto &tensor = inspection.graph.value(argument.value).tensor;
        table.addRow({argument.name, argument.type, argument.hasDefault ? argument.defaultText : "",
                      tensor ? graph::toText(*tensor) : ""});
    }
    const std::string heading = title(terminal, fmt::format("inputs of {}", inspection.graph.method));
    return heading + (table.empty() ? "none\n" : table.toText());
}

std::string operatorsText(const report::Inspection &inspection, Detail detail, const Terminal &terminal)
{
    std::string text = title(terminal, fmt::format("operators ({})", counted(inspection.operators.size(), "kind")));
    const std::size_t listed =
        detail == Detail::All ? inspection.operators.size() : std::min(inspection.operators.size(), MostListed);
    TextTable table({{"operator", Align::Left}, {"count", Align::Right}});
    for (std::size_t i = 0; i < listed; ++i)
        table.addRow({inspection.operators[i].first, std::to_string(inspection.operators[i].second)});
    text += table.toText();
    if (listed < inspection.operators.size())
        text += fmt::format("and {} (--all lists them)\n", counted(inspection.operators.size() - listed, "more kind"));
    const std::vector<std::string> &unknown = inspection.unknownOperators;
    if (!unknown.empty())
        text += fmt::format("unknown to this LibTorch: {} ({})\n", fmt::join(unknown, ", "),
                            std::any_of(unknown.begin(), unknown.end(), ops::isTorchsOwn)
                                ? "PyTorch's own, which no library has"
                            : std::any_of(unknown.begin(), unknown.end(), ops::isForMobile)
                                ? "for phones; save the model again without optimize_for_mobile"
                                : "--op-library loads the library that has them");
    return text;
}

std::string controlFlowText(const report::Inspection &inspection, Detail detail, const Terminal &terminal)
{
    if (inspection.structureOnly) // names of nodes are others once the file is loaded
        return {};
    TextTable table({{"node", Align::Left}, {"nodes inside", Align::Right}, {"source", Align::Left}});
    std::size_t all = 0;
    for (const graph::Node &node : inspection.graph.nodes) {
        if (node.children.empty() || (++all > MostListed && detail == Detail::Short))
            continue;
        const std::string source =
            node.source.file.empty() ? "" : fmt::format("{}:{}", node.source.file, node.source.line);
        table.addRow({node.name, std::to_string(node.children.size()), source});
    }
    if (all == 0)
        return {};
    std::string text = title(terminal, fmt::format("control flow ({})", all)) + table.toText();
    if (detail == Detail::Short && all > MostListed)
        text += fmt::format("and {} more (--all lists them)\n", all - MostListed);
    return text;
}

std::string stateText(const report::Inspection &inspection, const Terminal &terminal)
{
    if (inspection.structureOnly)
        return {};
    std::string text = title(terminal, "state the method writes");
    if (inspection.state.empty())
        return text + "none\n";
    return text + fmt::format("{}\n", fmt::join(inspection.state, "\n"));
}

std::string tiedText(const report::Inspection &inspection, const Terminal &terminal)
{
    std::string text;
    for (const graph::Parameter &parameter : inspection.graph.parameters) {
        if (!parameter.tiedTo.empty())
            text += fmt::format("{} is {}\n", parameter.fqn, parameter.tiedTo);
    }
    return text.empty() ? text : title(terminal, "tied parameters") + text;
}

std::string constantsText(const report::Inspection &inspection, Detail detail, const Terminal &terminal)
{
    const std::vector<CodeConstant> constants = codeConstants(inspection.graph);
    if (inspection.structureOnly || constants.empty())
        return {};
    std::int64_t bytes = 0;
    TextTable table(
        {{"used by", Align::Left}, {"tensor", Align::Left}, {"bytes", Align::Right}, {"also by", Align::Left}});
    for (std::size_t i = 0; i < constants.size(); ++i) {
        const CodeConstant &constant = constants[i];
        bytes += constant.held.tensor.bytes;
        if (i >= MostListed && detail == Detail::Short)
            continue;
        const std::size_t users = constant.users.size();
        table.addRow({users == 0 ? "(returned)" : inspection.graph.node(constant.users.front()).name,
                      constant.value->tensor ? graph::toText(*constant.value->tensor) : constant.value->type,
                      formatBytes(constant.held.tensor.bytes), users > 1 ? counted(users - 1, "more node") : ""});
    }
    std::string text = title(terminal, fmt::format("constants of the code ({}, {})",
                                                   counted(constants.size(), "tensor"), formatBytes(bytes))) +
                       table.toText();
    if (detail == Detail::Short && constants.size() > MostListed)
        text += fmt::format("and {} more (--all lists them)\n", constants.size() - MostListed);
    return text;
}

std::string unusedNamesText(const report::Inspection &inspection, Detail detail, const Terminal &terminal)
{
    const partition::UnusedTensors unused = partition::unusedTensors(inspection.graph);
    if (inspection.structureOnly || unused.names.empty())
        return {};
    std::string text = title(terminal, fmt::format("not used by {} ({}, {})", inspection.graph.method,
                                                   counted(static_cast<std::size_t>(unused.tensors), "tensor"),
                                                   formatBytes(unused.bytes)));
    const std::size_t listed = detail == Detail::All ? unused.names.size() : std::min(unused.names.size(), MostListed);
    for (std::size_t i = 0; i < listed; ++i)
        text += unused.names[i] + '\n';
    if (listed < unused.names.size())
        text += fmt::format("and {} more (--all lists them)\n", unused.names.size() - listed);
    return text;
}

std::string crossingText(const graph::ModelGraph &graph, const partition::Cut &cut)
{
    std::string text;
    std::size_t listed = 0;
    for (const ValueId id : cut.crossing) {
        const graph::Value &value = graph.value(id);
        if (++listed > 3)
            return text + fmt::format(" and {} more", cut.crossing.size() - 3);
        text +=
            (text.empty() ? "" : ", ") + value.name + " " + (value.tensor ? graph::toText(*value.tensor) : value.type);
    }
    return text;
}

std::string gradText(const graph::ModelGraph &graph, const partition::Cut &cut)
{
    const auto needs = [&](ValueId id) { return graph.value(id).requiresGrad.value_or(false); };
    return std::any_of(cut.crossing.begin(), cut.crossing.end(), needs) ? "grad" : "";
}

bool isModuleBoundary(const graph::ModelGraph &graph, const partition::SplitPoint &point)
{
    return point.id != partition::nameWord(graph.at(point.cut.position).name);
}

std::ptrdiff_t depthOf(const partition::SplitPoint &point)
{
    return std::count(point.id.begin(), point.id.end(), '.');
}

/// How deep modules may be whose boundaries are listed: as deep as their number allows.
std::ptrdiff_t listedDepth(const graph::ModelGraph &graph, const std::vector<partition::SplitPoint> &points)
{
    constexpr std::size_t MostPoints = 40;
    std::map<std::ptrdiff_t, std::size_t> counts;
    for (const partition::SplitPoint &point : points)
        if (isModuleBoundary(graph, point))
            ++counts[depthOf(point)];
    std::ptrdiff_t depth = counts.empty() ? 0 : counts.begin()->first;
    std::size_t sum = 0;
    for (const auto &[deeper, count] : counts) {
        sum += count;
        if (sum <= MostPoints)
            depth = deeper;
    }
    return depth;
}

/// The split points to list: boundaries of modules, and where no cut can be made at any of these, the first legal ones.
std::vector<const partition::SplitPoint *> listedPoints(const report::Inspection &inspection, Detail detail)
{
    const graph::ModelGraph &graph = inspection.graph;
    const std::vector<partition::SplitPoint> &points = inspection.splitPoints;
    const std::ptrdiff_t depth = listedDepth(graph, points);
    const auto isBoundary = [&](const partition::SplitPoint &point) {
        return isModuleBoundary(graph, point) && depthOf(point) <= depth;
    };
    const bool someCanBe = std::any_of(points.begin(), points.end(), [&](const partition::SplitPoint &point) {
        return isBoundary(point) && point.cut.legal;
    });
    std::vector<const partition::SplitPoint *> listed;
    std::size_t legal = 0; // listed though no boundary
    for (const partition::SplitPoint &point : points) {
        const bool chosen = isBoundary(point) || (!someCanBe && point.cut.legal && legal++ < MostListed);
        if (chosen || detail == Detail::All)
            listed.push_back(&point);
    }
    return listed;
}

std::string splitPointsText(const report::Inspection &inspection, Detail detail, const Terminal &terminal)
{
    if (inspection.structureOnly)
        return {};
    TextTable table(
        {{"split point", Align::Left}, {"bytes", Align::Right}, {"", Align::Left}, {"crosses", Align::Left}});
    const std::vector<const partition::SplitPoint *> listed = listedPoints(inspection, detail);
    for (const partition::SplitPoint *shown : listed) {
        const partition::SplitPoint &point = *shown;
        const auto bytes = partition::crossingBytes(inspection.graph, point.cut);
        if (point.cut.legal)
            table.addRow({point.id, bytes ? formatBytes(*bytes) : "", gradText(inspection.graph, point.cut),
                          crossingText(inspection.graph, point.cut)});
        else
            table.addRow({point.id, "", "", "not here: " + point.cut.reason});
    }
    const auto legal = std::count_if(inspection.splitPoints.begin(), inspection.splitPoints.end(),
                                     [](const partition::SplitPoint &point) { return point.cut.legal; });
    std::string text =
        title(terminal, fmt::format("split points ({}, {} of them legal)", inspection.splitPoints.size(), legal));
    if (!table.empty())
        text += table.toText();
    if (legal == 0 && !inspection.graph.order.empty())
        text += fmt::format("no place to cut at: {}\n",
                            partition::whyFewPlaces(inspection.graph, partition::allCuts(inspection.graph)));
    if (const auto &better = inspection.specialisable)
        text += fmt::format("in the graph of {} alone {} of them would be legal: --specialise\n",
                            inputTexts(better->inputs), better->places);
    if (const std::size_t left = inspection.splitPoints.size() - listed.size(); left > 0)
        text += fmt::format("{}{} more (--all lists them)\n", table.empty() ? "" : "and ", left);
    return text;
}

std::string markersText(const report::Inspection &inspection, const Terminal &terminal)
{
    const graph::ModelGraph &graph = inspection.graph;
    TextTable table({{"marker", Align::Left}, {"before", Align::Left}});
    for (const graph::Marker &marker : graph.markers) {
        std::string place = marker.position < graph.size() ? graph.at(marker.position).name : "(the end)";
        if (marker.inside.valid())
            place = fmt::format("not at the top level: inside {}", graph.node(marker.inside).name);
        table.addRow({marker.name.empty() ? "pipe_split" : marker.name, place});
    }
    return table.empty() ? std::string() : title(terminal, "markers (--split markers)") + table.toText();
}

} // namespace

std::string inspectText(const report::Inspection &inspection, Detail detail, const Terminal &terminal)
{
    return headText(inspection, terminal) + title(terminal, "modules") + moduleTree(inspection, detail) +
           methodsText(inspection, terminal) + inputsText(inspection, terminal) +
           operatorsText(inspection, detail, terminal) + controlFlowText(inspection, detail, terminal) +
           stateText(inspection, terminal) + tiedText(inspection, terminal) +
           unusedNamesText(inspection, detail, terminal) + constantsText(inspection, detail, terminal) +
           markersText(inspection, terminal) + splitPointsText(inspection, detail, terminal);
}

} // namespace pipescope::app
