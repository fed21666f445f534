#include "inspector/module_facts.h"

#include "graph/module_names.h"
#include "inspector/fact_words.h"
#include "inspector/module_code.h"
#include "inspector/translate.h"
#include "session/related.h"
#include "widgets/number_text.h"

#include <algorithm>

namespace pipescope::inspector {

namespace {

using namespace widgets;

constexpr std::size_t MostKinds = 6;
constexpr std::size_t MostLinks = 12;

/// Invalid beyond the modules.
const report::ModuleCost *costOf(const Known &known, std::size_t module)
{
    return known.model != nullptr && module < known.model->moduleCosts.size() ? &known.model->moduleCosts[module]
                                                                              : nullptr;
}

std::vector<Words> stagesOf(const session::Selected &selected, const Known &known)
{
    std::vector<Words> words;
    for (const StageId stage : session::relatedTo(selected, known.graph, known.staging.partition).stages)
        words.push_back(stageWords(stage));
    return words;
}

void addHeld(FactSheet &sheet, const graph::ModuleInfo &info)
{
    if (info.parameterBytes > 0)
        addFact(sheet, tr("parameters"),
                {plain(tr("%1 (%2)").arg(countText(info.parameters), bytesText(info.parameterBytes)))});
    else
        addFact(sheet, tr("parameters"), {plain(tr("none"))}, false);
    if (info.bufferBytes > 0)
        addFact(sheet, tr("buffers"), {plain(bytesText(info.bufferBytes))});
}

void addCost(FactSheet &sheet, std::size_t module, const Known &known)
{
    const report::ModuleCost *cost = costOf(known, module);
    if (cost == nullptr)
        return;
    const double whole = costOf(known, 0)->seconds;
    QString time = tr("%1 (%2 of the model)").arg(secondsText(cost->seconds), shareText(cost->seconds, whole));
    if (cost->calls > 1)
        time += tr(", %1 calls").arg(cost->calls);
    addFact(sheet, tr("time"), {plain(time)});
    addFact(sheet, tr("FLOPs"), {plain(cost->flops ? amountText(*cost->flops) : tr("unknown"))});
}

void addCode(FactSheet &sheet, const ModuleCode &code, const graph::ModelGraph &graph)
{
    std::vector<Words> kinds;
    for (const auto &[op, count] : code.kinds)
        kinds.push_back(plain(tr("%1 × %2").arg(countText(count)).arg(QString::fromStdString(op))));
    addFact(sheet, tr("operators"), folded(std::move(kinds), MostKinds, tr("%1 more kinds")));
    if (code.madeBytes)
        addFact(sheet, tr("memory"), {plain(tr("makes %1").arg(bytesText(*code.madeBytes)))});
    addFact(sheet, tr("in"), someValues(graph, code.in));
    addFact(sheet, tr("out"), someValues(graph, code.out));
    if (const graph::Node *own = code.ownNode) {
        std::vector<Words> words = sourceLines(own->source);
        words.insert(words.begin(), plain(sourceText(own->source)));
        addFact(sheet, tr("source"), std::move(words));
    }
}

/// Which call this is of how many, and the others.
void addCalls(FactSheet &sheet, const graph::ModuleCall &shown, const graph::ModelGraph &graph)
{
    std::vector<Words> others;
    for (const graph::ModuleCall &call : graph.calls) {
        if (call.fqn != shown.fqn || call.call == shown.call)
            continue;
        others.push_back(moduleWords({call.fqn, call.call}));
        others.back().text = tr("call %1").arg(call.call + 1);
    }
    const std::string around(graph::ModuleNames(graph).around(shown.fqn));
    const auto called = session::orderOf(graph, shown);
    std::vector<Words> words;
    words.push_back(around.empty() ? plain(tr("by the model itself")) : moduleWords({around, 0}));
    if (shown.inside.valid())
        words.push_back(nodeWords(graph, shown.inside));
    if (!called.isEmpty())
        words.push_back(
            plain(called.end - called.begin == 1
                      ? tr("node %1 of %2").arg(called.begin + 1).arg(graph.size())
                      : tr("nodes %1 to %2 of %3").arg(called.begin + 1).arg(called.end).arg(graph.size())));
    addFact(sheet, tr("called"), words);
    if (!others.empty()) {
        others.insert(others.begin(), plain(tr("this is call %1").arg(shown.call + 1)));
        addFact(sheet, tr("also"), folded(std::move(others), MostLinks, tr("%1 more calls")));
    }
}

/// What stands right inside of it: "conv1", not "conv1.act".
void addInside(FactSheet &sheet, const std::string &fqn, const graph::ModelGraph &graph)
{
    const graph::ModuleNames names(graph);
    std::vector<Words> modules;
    for (const graph::ModuleInfo &info : graph.modules)
        if (!info.fqn.empty() && names.around(info.fqn) == fqn) {
            modules.push_back(moduleWords({info.fqn, 0}));
            modules.back().text += ' ' + QString::fromStdString(info.className);
        }
    if (!modules.empty())
        sheet.onward.push_back({tr("Modules inside"), folded(std::move(modules), MostLinks, tr("%1 more modules"))});
    std::vector<Words> held;
    for (const graph::Parameter &parameter : graph.parameters)
        if (names.around(parameter.fqn) == fqn)
            held.push_back(
                parameterWords(parameter.fqn, QString::fromStdString(parameter.fqn + ' ' + toText(parameter.tensor))));
    if (!held.empty())
        sheet.onward.push_back({tr("Holds"), folded(std::move(held), MostLinks, tr("%1 more"))});
}

void addNeighbours(FactSheet &sheet, const ModuleCode &code, const graph::ModelGraph &graph)
{
    if (!code.makers.empty())
        sheet.onward.push_back({tr("Takes from"), someNodes(graph, code.makers)});
    if (!code.users.empty())
        sheet.onward.push_back({tr("Used by"), someNodes(graph, code.users)});
    if (code.nodes.empty())
        return;
    sheet.onward.push_back({tr("First operator"), {nodeWords(graph, code.nodes.front())}});
}

} // namespace

FactSheet moduleFacts(const session::SelectedModule &module, const Known &known)
{
    const graph::ModelGraph &graph = known.graph;
    const auto info = std::find_if(graph.modules.begin(), graph.modules.end(),
                                   [&](const graph::ModuleInfo &each) { return each.fqn == module.fqn; });
    if (module.fqn.empty() || info == graph.modules.end())
        return {};
    const graph::ModuleCall *call = session::callOf(graph, module);
    FactSheet sheet;
    sheet.title = call == nullptr ? QString::fromStdString(module.fqn) : moduleWords({call->fqn, call->call}).text;
    sheet.subtitle.push_back(plain(QString::fromStdString(info->className)));
    const std::vector<Words> stages = stagesOf(module, known);
    sheet.subtitle.insert(sheet.subtitle.end(), stages.begin(), stages.end());
    addHeld(sheet, *info);
    addCost(sheet, static_cast<std::size_t>(info - graph.modules.begin()), known);
    if (call == nullptr) {
        addFact(sheet, tr("called"), {plain(tr("the method does not call it"))}, false);
        addInside(sheet, module.fqn, graph);
        return sheet;
    }
    const ModuleCode code = codeOf(graph, *call);
    addCode(sheet, code, graph);
    addCalls(sheet, *call, graph);
    addInside(sheet, module.fqn, graph);
    addNeighbours(sheet, code, graph);
    return sheet;
}

} // namespace pipescope::inspector
