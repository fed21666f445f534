#include "inspector/node_facts.h"

#include "inspector/fact_words.h"
#include "inspector/node_source.h"
#include "inspector/translate.h"
#include "widgets/number_text.h"

#include <algorithm>

namespace pipescope::inspector {

namespace {

using namespace widgets;

std::vector<Words> subtitle(const graph::Node &node, const Known &known)
{
    std::vector<Words> words;
    words.push_back(plain(QString::fromStdString(node.className.empty() ? node.op : node.className)));
    if (const StageId stage = stageOf(known, node.id); stage.valid())
        words.push_back(stageWords(stage));
    if (!node.source.file.empty())
        words.push_back(plain(sourceText(node.source)));
    return words;
}

/// Parameters and buffers it takes, each with its link, and all of them together.
std::vector<Words> usedParameters(const graph::Node &node, const graph::ModelGraph &graph)
{
    std::vector<Words> words;
    std::int64_t bytes = 0;
    for (const graph::Parameter &parameter : graph.parameters) {
        const bool uses = parameter.value.valid() && parameter.tiedTo.empty() &&
                          std::find(node.uses.begin(), node.uses.end(), parameter.value) != node.uses.end();
        if (!uses)
            continue;
        bytes += parameter.tensor.bytes;
        words.push_back(
            parameterWords(parameter.fqn, QString::fromStdString(parameter.fqn + ' ' + toText(parameter.tensor))));
    }
    if (!words.empty())
        words.insert(words.begin(), plain(bytesText(bytes)));
    return words;
}

std::vector<ValueId> takenConstants(const graph::Node &node, const graph::ModelGraph &graph)
{
    std::vector<ValueId> taken;
    for (const ValueId input : node.uses)
        if (const graph::Value &value = graph.value(input);
            value.kind == graph::ValueKind::Constant && value.bytes.value_or(0) > 0)
            taken.push_back(input);
    return taken;
}

QString timeText(const graph::Node &node, const Known &known)
{
    const QString time = secondsText(*node.seconds);
    const StageId stage = stageOf(known, node.id);
    if (!stage.valid() || node.parent.valid())
        return time;
    double whole = 0;
    const partition::Stage &in = known.staging.partition.stages[stage.index()];
    for (int position = in.begin; position < in.end; ++position)
        whole += known.graph.at(position).seconds.value_or(0);
    return tr("%1 (%2 of stage)").arg(time, shareText(*node.seconds, whole));
}

/// "required" where any of what it makes has a gradient; nothing where that was not measured.
QString gradientText(const graph::Node &node, const graph::ModelGraph &graph)
{
    bool known = false;
    for (const ValueId output : node.outputs)
        if (const std::optional<bool> &needed = graph.value(output).requiresGrad) {
            known = true;
            if (*needed)
                return tr("required");
        }
    return known ? tr("not required") : QString();
}

std::vector<Words> aliasWords(const graph::Node &node, const graph::ModelGraph &graph)
{
    std::vector<Words> words;
    for (const graph::Alias &alias : node.aliases) {
        Words made = valueWords(graph, alias.input);
        made.text = tr("may share memory with %1").arg(QString::fromStdString(graph.value(alias.input).name));
        words.push_back(made);
    }
    return words;
}

std::vector<Words> stateWords(const graph::Node &node)
{
    std::vector<Words> words;
    for (const std::string &fqn : node.stateRead)
        words.push_back(plain(tr("reads %1").arg(QString::fromStdString(fqn))));
    for (const std::string &fqn : node.stateWritten)
        words.push_back(plain(tr("assigns %1").arg(QString::fromStdString(fqn))));
    return words;
}

std::vector<ValueId> takenValues(const graph::Node &node, const graph::ModelGraph &graph)
{
    std::vector<ValueId> taken;
    for (const ValueId input : node.uses)
        if (!isHeld(graph.value(input)) && graph.value(input).kind != graph::ValueKind::Constant)
            taken.push_back(input);
    return taken;
}

std::vector<Onward> onwardOf(const graph::Node &node, const Known &known)
{
    std::vector<NodeId> makers;
    for (const ValueId input : node.uses)
        if (const NodeId maker = known.graph.value(input).producer; maker.valid())
            makers.push_back(maker);
    std::vector<NodeId> users;
    for (const ValueId output : node.outputs)
        for (const NodeId user : usersOf(known.graph, output))
            if (std::find(users.begin(), users.end(), user) == users.end())
                users.push_back(user);
    std::vector<Onward> onward;
    if (!makers.empty())
        onward.push_back({tr("Takes from"), someNodes(known.graph, makers)});
    if (!users.empty())
        onward.push_back({tr("Used by"), someNodes(known.graph, users)});
    const StageId stage = stageOf(known, node.id);
    if (const RankId rank = rankOf(known, stage); rank.valid()) {
        Words actions = rankWords(rank);
        actions.text = tr("%1 actions on rank %2").arg(known.run->microbatches.size()).arg(rank.value);
        onward.push_back({tr("Run in"), {actions}});
    }
    return onward;
}

} // namespace

FactSheet nodeFacts(NodeId id, const Known &known)
{
    const graph::ModelGraph &graph = known.graph;
    if (!id.valid() || id.index() >= graph.nodes.size())
        return {};
    const graph::Node &node = graph.node(id);
    FactSheet sheet;
    sheet.title = QString::fromStdString(node.name);
    sheet.subtitle = subtitle(node, known);
    const auto add = [&](const QString &label, std::vector<Words> words, bool isCode = true) {
        addFact(sheet, label, std::move(words), isCode);
    };
    if (!node.fqn.empty())
        add(tr("module"), {moduleWords({node.fqn, node.call})});
    add(tr("operator"), {plain(QString::fromStdString(node.op))});
    add(tr("parameters"), usedParameters(node, graph));
    add(tr("constants"), someValues(graph, takenConstants(node, graph)));
    add(tr("FLOPs"), {plain(node.flops ? amountText(*node.flops) : QString())});
    add(tr("time"), {plain(node.seconds ? timeText(node, known) : QString())});
    add(tr("in"), someValues(graph, takenValues(node, graph)));
    add(tr("out"), someValues(graph, node.outputs));
    add(tr("gradient"), {plain(gradientText(node, graph))}, false);
    add(tr("aliases"), aliasWords(node, graph), false);
    add(tr("writes in place"), someValues(graph, node.writes));
    add(tr("state"), stateWords(node), false);
    add(tr("random"), {plain(node.random ? tr("draws random numbers") : QString())}, false);
    add(tr("effect"), {plain(node.effect ? tr("prints, raises or the like") : QString())}, false);
    add(tr("holds"), {plain(node.children.empty() ? QString() : tr("%1 operators").arg(node.children.size()))}, false);
    addSource(sheet, node, graph);
    sheet.onward = onwardOf(node, known);
    const auto holds = [&](ValueId value) { return graph.value(value).holdsTensors; };
    if (const auto out = std::find_if(node.outputs.begin(), node.outputs.end(), holds); out != node.outputs.end())
        sheet.tensor = Tensor{*out, {}, graph.value(*out).bytes};
    return sheet;
}

} // namespace pipescope::inspector
