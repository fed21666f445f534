#include "mainwindow/palette_items.h"

#include "mainwindow/translate.h"

#include <string>

namespace pipescope::mainwindow {

namespace {

using actions::PaletteItem;
using actions::PaletteItems;

constexpr int CommandWeight = 30'000; ///< as three tenths of a word: a command comes before a node found as well

QString words(const std::string &utf8)
{
    return QString::fromStdString(utf8);
}

void addModules(std::vector<PaletteItem> &items, const report::Inspection &model, session::Selection &selection,
                const std::function<void()> &before)
{
    for (const graph::ModuleInfo &module : model.graph.modules) {
        if (module.fqn.empty()) // the model itself
            continue;
        items.emplace_back(words(module.fqn), words(module.className), tr("module"),
                           [&selection, before, selected = session::SelectedModule{module.fqn, 0}] {
                               before();
                               selection.select(selected);
                           });
        items.back().weight = CommandWeight / 2;
    }
}

} // namespace

PaletteItems commandItems(const actions::ActionTable &table)
{
    auto items = std::make_shared<std::vector<PaletteItem>>();
    for (const actions::ActionRow &row : table.rows()) {
        if (row.id == "palette") // it is open
            continue;
        items->emplace_back(actions::ActionTable::plainText(row), row.hint, tr("command"),
                            [action = &table.action(row.id)] { action->trigger(); });
        items->back().keys = row.keys.isEmpty() ? QString() : row.keys.first().toString(QKeySequence::NativeText);
        items->back().whyNot = actions::ActionTable::whyNot(row);
        items->back().weight = CommandWeight;
    }
    return items;
}

PaletteItems modelItems(const report::Inspection &model, session::Selection &selection,
                        const std::function<void()> &before)
{
    auto items = std::make_shared<std::vector<PaletteItem>>();
    items->reserve(model.graph.nodes.size() + model.graph.modules.size() + model.splitPoints.size());
    addModules(*items, model, selection, before);
    const QString node = tr("node");
    for (const graph::Node &one : model.graph.nodes)
        items->emplace_back(words(one.name), words(one.className), node, [&selection, before, id = one.id] {
            before();
            selection.select(id);
        });
    const QString point = tr("split point");
    for (const partition::SplitPoint &one : model.splitPoints)
        if (one.cut.legal)
            items->emplace_back(words(one.id), tr("split before"), point,
                                [&selection, before, position = one.cut.position] {
                                    before();
                                    selection.select(session::SelectedCut{position});
                                });
    return items;
}

PaletteItems stageItems(const std::vector<report::StageReport> &stages, session::Selection &selection,
                        const std::function<void()> &before)
{
    auto items = std::make_shared<std::vector<PaletteItem>>();
    for (std::size_t i = 0; i < stages.size(); ++i) {
        items->emplace_back(tr("Stage %1").arg(i), words(stages[i].first), tr("stage"), [&selection, before, i] {
            before();
            selection.select(StageId{static_cast<int>(i)});
        });
        items->back().weight = CommandWeight;
    }
    return items;
}

PaletteItems actionItems(const trace::Trace &trace, session::RunId run, session::Selection &selection,
                         const std::function<void()> &before)
{
    auto items = std::make_shared<std::vector<PaletteItem>>();
    for (const trace::Event &event : trace.events)
        if (event.kind == trace::EventKind::Compute)
            items->emplace_back(words(schedule::toText(keyOf(event))),
                                tr("stage %1, microbatch %2 on rank %3")
                                    .arg(event.stage.value)
                                    .arg(event.microbatch.value)
                                    .arg(event.rank.value),
                                tr("action"),
                                [&selection, before, action = session::SelectedAction{run, keyOf(event)}] {
                                    before();
                                    selection.select(action);
                                });
    return items;
}

} // namespace pipescope::mainwindow
