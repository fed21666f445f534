#include "mainwindow/window_palette.h"

#include "mainwindow/palette_items.h"
#include "session/staging.h"

#include <utility>
#include <vector>

namespace pipescope::mainwindow {

WindowPalette::WindowPalette(Workspace &workspace, const actions::ActionTable &table, QWidget &window,
                             std::function<void(Perspective)> show)
    : m_workspace(workspace)
    , m_table(table)
    , m_show(std::move(show))
    , m_palette(std::make_unique<actions::CommandPalette>(window))
{
    // What it offers is of the model that was open when it was.
    QObject::connect(&m_workspace.document, &session::Document::modelChanged, m_palette.get(),
                     &actions::CommandPalette::dismiss);
}

void WindowPalette::open()
{
    const auto toGraph = [this] { m_show(Perspective::Split); };
    const auto toTimeline = [this] { m_show(Perspective::Timeline); };
    session::Selection &selection = m_workspace.selection;
    std::vector<actions::PaletteItems> items{commandItems(m_table)};
    const auto model = m_workspace.document.model();
    if (model && !model->structureOnly)
        items.push_back(stageItems(m_workspace.document.staging()->stages, selection, toGraph));
    if (model != m_itemsOf) {
        m_itemsOf = model;
        m_modelItems = model ? modelItems(*model, selection, toGraph) : nullptr;
    }
    if (m_modelItems)
        items.push_back(m_modelItems);
    if (const auto &runs = m_workspace.controller.runs(); !runs.empty())
        items.push_back(
            actionItems(runs.back()->trace, m_workspace.controller.idOf(runs.back().get()), selection, toTimeline));
    m_palette->open(std::move(items));
}

} // namespace pipescope::mainwindow
