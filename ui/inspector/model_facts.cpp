#include "inspector/model_facts.h"

#include "graph/held_tensors.h"
#include "inspector/fact_words.h"
#include "inspector/translate.h"
#include "partition/held_uses.h"
#include "session/specialising.h"
#include "widgets/number_text.h"

#include <QFileInfo>
#include <cstdint>
#include <utility>

namespace pipescope::inspector {

namespace {

using namespace widgets;

constexpr std::size_t MostOperators = 6;
constexpr std::size_t MostState = 8;
constexpr std::size_t MostUnused = 8;

std::vector<Words> argumentWords(const graph::ModelGraph &graph)
{
    std::vector<Words> words;
    for (const graph::Argument &argument : graph.arguments)
        words.push_back(argument.value.valid() ? valueWords(graph, argument.value)
                                               : plain(QString::fromStdString(argument.name)));
    return words;
}

std::vector<Words> stateWords(const std::vector<std::string> &state)
{
    std::vector<Words> words;
    for (const std::string &fqn : state)
        words.push_back(plain(QString::fromStdString(fqn)));
    return folded(std::move(words), MostState, tr("%1 more"));
}

std::vector<Words> operatorWords(const std::vector<std::pair<std::string, int>> &operators)
{
    std::vector<Words> words;
    for (const auto &[name, count] : operators)
        words.push_back(plain(tr("%1 × %2").arg(countText(count)).arg(QString::fromStdString(name))));
    return folded(std::move(words), MostOperators, tr("%1 more kinds"));
}

void addCosts(FactSheet &sheet, const report::Inspection &model)
{
    if (model.moduleCosts.empty())
        return;
    const report::ModuleCost &whole = model.moduleCosts.front();
    addFact(sheet, tr("time"), {plain(secondsText(whole.seconds))});
    addFact(sheet, tr("FLOPs"), {plain(whole.flops ? amountText(*whole.flops) : tr("unknown"))});
}

/// What the parameters do not tell: constants of the code that are tensors, and what no stage needs.
void addRest(FactSheet &sheet, const graph::ModelGraph &graph)
{
    std::int64_t constants = 0;
    std::int64_t bytes = 0;
    for (const graph::HeldTensor &held : graph::heldTensors(graph)) {
        if (held.kind != graph::HeldKind::Constant)
            continue;
        ++constants;
        bytes += held.tensor.bytes;
    }
    if (constants > 0)
        addFact(sheet, tr("constants"), {plain(tr("%1 in the code (%2)").arg(countText(constants), bytesText(bytes)))});
    const partition::UnusedTensors unused = partition::unusedTensors(graph);
    if (unused.names.empty())
        return;
    std::vector<Words> words;
    for (const std::string &name : unused.names)
        words.push_back(parameterWords(name, QString::fromStdString(name)));
    words = folded(std::move(words), MostUnused, tr("%1 more"));
    words.insert(words.begin(), plain(tr("%1 (%2)").arg(countText(unused.tensors), bytesText(unused.bytes))));
    addFact(sheet, tr("not used"), std::move(words));
}

} // namespace

FactSheet modelFacts(const report::Inspection &model)
{
    const graph::ModelGraph &graph = model.graph;
    if (graph.modules.empty())
        return {};
    FactSheet sheet;
    const graph::ModuleInfo &root = graph.modules.front();
    sheet.title = QString::fromStdString(graph.modelClass.empty() ? root.className : graph.modelClass);
    sheet.subtitle.push_back(plain(QFileInfo(QString::fromStdString(model.path)).fileName()));
    sheet.subtitle.push_back(plain(model.structureOnly ? tr("structure only") : tr("whole model")));
    addFact(sheet, tr("file"), {plain(QString::fromStdString(model.fileKind))}, false);
    addFact(sheet, tr("method"), {plain(QString::fromStdString(graph.method))});
    if (!model.specialised.empty())
        addFact(sheet, tr("specialised for"), {plain(session::inputsText(model.specialised))});
    addFact(sheet, tr("in"), argumentWords(graph));
    addFact(sheet, tr("out"), someValues(graph, graph.outputs));
    addFact(sheet, tr("parameters"),
            {plain(tr("%1 (%2)").arg(countText(root.parameters), bytesText(root.parameterBytes)))});
    if (root.bufferBytes > 0)
        addFact(sheet, tr("buffers"), {plain(bytesText(root.bufferBytes))});
    if (!model.structureOnly)
        addRest(sheet, graph);
    addFact(sheet, tr("modules"), {plain(countText(static_cast<std::int64_t>(graph.modules.size())))});
    if (!model.structureOnly) {
        addFact(sheet, tr("nodes"), {plain(countText(static_cast<std::int64_t>(graph.nodes.size())))});
        addFact(sheet, tr("split points"),
                {plain(tr("%1 of %2 possible")
                           .arg(countText(session::legalPlaces(model)))
                           .arg(countText(static_cast<std::int64_t>(model.splitPoints.size()))))});
    }
    addCosts(sheet, model);
    addFact(sheet, tr("state"), stateWords(model.state));
    addFact(sheet, tr("operators"), operatorWords(model.operators));
    return sheet;
}

} // namespace pipescope::inspector
