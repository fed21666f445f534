// The command palette with what this window has to offer: its commands, the stages, the model and the last run.
#pragma once

#include "actions/action_table.h"
#include "actions/command_palette.h"
#include "mainwindow/dock_set.h"
#include "mainwindow/workspace.h"

#include <functional>
#include <memory>

namespace pipescope::mainwindow {

class WindowPalette
{
public:
    /// All must outlive this. `show` is called before something is selected, with where it is to be seen.
    WindowPalette(Workspace &workspace, const actions::ActionTable &table, QWidget &window,
                  std::function<void(Perspective)> show);

    void open();

private:
    Workspace &m_workspace;
    const actions::ActionTable &m_table;
    const std::function<void(Perspective)> m_show;
    std::unique_ptr<actions::CommandPalette> m_palette; ///< its items refer to the workspace
    actions::PaletteItems m_modelItems;                 ///< of m_itemsOf
    std::shared_ptr<const report::Inspection> m_itemsOf;
};

} // namespace pipescope::mainwindow
