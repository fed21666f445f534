#include "inspector/value_facts.h"

#include "inspector/fact_words.h"
#include "inspector/translate.h"
#include "widgets/number_text.h"

#include <algorithm>

namespace pipescope::inspector {

namespace {

using namespace widgets;

QString kindText(graph::ValueKind kind)
{
    switch (kind) {
    case graph::ValueKind::Input:
        return tr("argument of the method");
    case graph::ValueKind::Parameter:
        return tr("parameter");
    case graph::ValueKind::Buffer:
        return tr("buffer");
    case graph::ValueKind::Attribute:
        return tr("held by the model");
    case graph::ValueKind::Constant:
        return tr("constant");
    case graph::ValueKind::Result:
        return tr("result");
    case graph::ValueKind::Inner:
        return tr("inside a branch or loop");
    }
    return {};
}

std::vector<Words> transferWords(ValueId value, const Known &known)
{
    std::vector<Words> words;
    for (const partition::Transfer &transfer : known.staging.partition.transfers) {
        if (transfer.value != value)
            continue;
        Words made = stageWords(transfer.to);
        made.text = transfer.from.valid()
                        ? tr("from stage %1 to stage %2").arg(transfer.from.value).arg(transfer.to.value)
                        : tr("from the caller to stage %1").arg(transfer.to.value);
        words.push_back(made);
    }
    return words;
}

std::vector<NodeId> writersOf(const graph::ModelGraph &graph, ValueId value)
{
    std::vector<NodeId> writers;
    for (const graph::Node &node : graph.nodes)
        if (std::find(node.writes.begin(), node.writes.end(), value) != node.writes.end())
            writers.push_back(node.id);
    return writers;
}

std::vector<Words> holders(const std::string &fqn, const Known &known)
{
    std::vector<Words> words;
    for (const partition::Stage &stage : known.staging.partition.stages)
        if (std::binary_search(stage.parameters.begin(), stage.parameters.end(), fqn))
            words.push_back(stageWords(stage.id));
    return words;
}

std::vector<Words> tiedWords(const graph::ModelGraph &graph, const graph::Parameter &parameter)
{
    const std::string &first = parameter.tiedTo.empty() ? parameter.fqn : parameter.tiedTo;
    std::vector<Words> words;
    for (const graph::Parameter &other : graph.parameters) {
        if (other.fqn != parameter.fqn && (other.fqn == first || other.tiedTo == first))
            words.push_back(parameterWords(other.fqn, QString::fromStdString(other.fqn)));
    }
    return words;
}

} // namespace

FactSheet parameterFacts(const std::string &fqn, const Known &known)
{
    const auto found = std::find_if(known.graph.parameters.begin(), known.graph.parameters.end(),
                                    [&](const graph::Parameter &parameter) { return parameter.fqn == fqn; });
    if (found == known.graph.parameters.end())
        return {};
    const graph::Parameter &parameter = *found;
    FactSheet sheet;
    sheet.title = QString::fromStdString(fqn);
    sheet.subtitle.push_back(plain(parameter.isBuffer ? tr("buffer") : tr("parameter")));
    const std::vector<Words> stages = holders(fqn, known);
    sheet.subtitle.insert(sheet.subtitle.end(), stages.begin(), stages.end());
    const auto add = [&](const QString &label, std::vector<Words> words, bool isCode = true) {
        addFact(sheet, label, std::move(words), isCode);
    };
    add(tr("shape"), {plain(QString::fromStdString(toText(parameter.tensor)))}, true);
    add(tr("elements"), {plain(countText(elements(parameter.tensor)))}, true);
    add(tr("size"), {plain(bytesText(parameter.tensor.bytes))}, true);
    add(tr("gradient"), {plain(parameter.tensor.requiresGrad ? tr("required") : tr("not required"))}, false);
    add(tr("tied to"), tiedWords(known.graph, parameter), true);
    if (stages.size() > 1)
        add(tr("copies"), {plain(tr("one in each of %1 stages").arg(stages.size()))}, false);
    const std::vector<std::string> &unused = known.staging.unused.names;
    if (std::binary_search(unused.begin(), unused.end(), fqn))
        add(tr("use"), {plain(tr("the method does not use it: it is in no stage"))}, false);
    else if (const auto users = usersOf(known.graph, parameter.value); !users.empty())
        sheet.onward.push_back({tr("Used by"), someNodes(known.graph, users)});
    sheet.tensor = Tensor{ValueId{}, fqn, parameter.tensor.bytes};
    const std::vector<std::int64_t> &sizes = parameter.tensor.sizes;
    const bool isKnown = std::all_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size >= 0; });
    if (isKnown && !parameter.tensor.dtype.empty())
        sheet.shards = session::TensorToShow{fqn, sizes, parameter.tensor.dtype};
    return sheet;
}

FactSheet valueFacts(ValueId id, const Known &known)
{
    const graph::ModelGraph &graph = known.graph;
    if (!id.valid() || id.index() >= graph.values.size())
        return {};
    const graph::Value &value = graph.value(id);
    if (value.kind == graph::ValueKind::Parameter || value.kind == graph::ValueKind::Buffer)
        if (FactSheet held = parameterFacts(value.name, known); !held.title.isEmpty())
            return held;
    FactSheet sheet;
    sheet.title = QString::fromStdString(value.name);
    sheet.subtitle.push_back(plain(kindText(value.kind)));
    if (const StageId stage = stageOf(known, value.producer); stage.valid())
        sheet.subtitle.push_back(stageWords(stage));
    const auto add = [&](const QString &label, std::vector<Words> words, bool isCode = true) {
        addFact(sheet, label, std::move(words), isCode);
    };
    add(tr("type"), {plain(QString::fromStdString(value.type))}, true);
    add(tr("shape"), {plain(value.tensor ? QString::fromStdString(toText(*value.tensor)) : QString())}, true);
    add(tr("size"), {plain(value.bytes ? bytesText(*value.bytes) : QString())}, true);
    if (value.requiresGrad)
        add(tr("gradient"), {plain(*value.requiresGrad ? tr("required") : tr("not required"))}, false);
    add(tr("sent"), transferWords(id, known), false);
    if (value.crossing == graph::Crossing::Refused)
        add(tr("sent"), {plain(tr("cannot go from one stage to another"))}, false);
    const bool returned = std::find(graph.outputs.begin(), graph.outputs.end(), id) != graph.outputs.end();
    add(tr("returned"), {plain(returned ? tr("by the method") : QString())}, false);
    add(tr("written by"), someNodes(graph, writersOf(graph, id)), true);
    if (value.producer.valid())
        sheet.onward.push_back({tr("Made by"), {nodeWords(graph, value.producer)}});
    if (const auto users = usersOf(graph, id); !users.empty())
        sheet.onward.push_back({tr("Used by"), someNodes(graph, users)});
    if (value.holdsTensors && value.kind != graph::ValueKind::Inner)
        sheet.tensor = Tensor{id, {}, value.bytes};
    return sheet;
}

} // namespace pipescope::inspector
