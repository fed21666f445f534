#include "mainwindow/window_actions.h"

#include "actions/shortcut_sheet.h"
#include "graphview/graph_canvas.h"
#include "mainwindow/canvas_keys.h"
#include "mainwindow/exports.h"
#include "mainwindow/graph_page.h"
#include "mainwindow/timeline_page.h"
#include "mainwindow/user_guide.h"
#include "session/not_loaded.h"
#include "session/schedule_fit.h"
#include "shardview/shard_page.h"
#include "timeline/timeline_view.h"

#include <QApplication>
#include <QDesktopServices>
#include <QMessageBox>
#include <QUrl>
#include <utility>

namespace pipescope::mainwindow {

namespace {

using actions::MenuId;
using State = session::EngineClient::State;

} // namespace

WindowActions::WindowActions(actions::ActionTable &table, ActionTargets targets)
    : m_table(table)
    , m_to(std::move(targets))
    , m_stages(m_to.workspace, m_to.reports, m_to.window)
    , m_currentTable(m_to.window)
{
    addFile();
    addEdit();
    addPerspectives();
    addGraphView();
    addTimelineView();
    addSelection();
    addLayouts();
    addPlan();
    addRun();
    addEngine();
    addHelp();
    m_table.addKeys(canvasKeys());
    connect(&m_to.workspace.saver, &session::StageSaver::stateChanged, this, [this] { m_table.refresh(); });
}

QString WindowActions::whyNoModel() const
{
    if (m_to.workspace.document.plan().model.empty())
        return tr("Open a model first.");
    const auto model = m_to.workspace.document.model();
    if (!model)
        return tr("The model is not loaded.");
    return session::whyNotRun(*model);
}

QString WindowActions::whyNotRun() const
{
    if (QString why = whyNoModel(); !why.isEmpty())
        return why;
    if (m_to.workspace.controller.isRunning() || m_to.workspace.controller.isLooking() ||
        m_to.workspace.saver.isSaving())
        return tr("The engine is %1.").arg(m_to.workspace.engine.doing());
    return m_to.workspace.controller.heldBecause();
}

/// What a run of the stages needs beyond that.
QString WindowActions::whyNoStages() const
{
    const QString why = whyNotRun();
    return why.isEmpty() ? session::whyNotScheduled(m_to.workspace.document) : why;
}

// Quitting, saving as and redoing have a key of Qt's on some desktops only, and not the same one; the guide names one.
void WindowActions::addFile()
{
    const auto noPlan = [this] {
        return m_to.workspace.document.plan().model.empty() ? tr("No plan is open.") : QString();
    };
    const auto noRun = [this] {
        return m_to.workspace.controller.runs().empty() ? tr("There is no run yet.") : QString();
    };
    m_table.add({.id = "open",
                 .text = tr("&Open..."),
                 .menu = MenuId::File,
                 .keys = {QKeySequence::Open},
                 .hint = tr("Open a model, a plan or a trace"),
                 .icon = "open",
                 .done = [this] { m_to.files.chooseAndOpen(); }});
    m_table.add({.id = "openThere",
                 .text = tr("Open on the engine's &machine..."),
                 .menu = MenuId::File,
                 .hint = tr("Open a model by its path on the machine the engine runs on"),
                 .done = [this] { m_to.files.askAndOpenThere(); },
                 .whyNot =
                     [this] {
                         return m_to.workspace.engine.isElsewhere() ? QString()
                                                                    : tr("The engine runs on this machine.");
                     }});
    m_table.add({.id = "openExample",
                 .text = tr("Open the e&xample"),
                 .menu = MenuId::File,
                 .hint = tr("Open the demo model: a decoder in the manner of GPT"),
                 .done = [this] { m_to.files.openExample(); },
                 .whyNot = [this] { return m_to.workspace.example.whyNot(); }});
    m_table.add({.id = "save",
                 .text = tr("&Save plan"),
                 .menu = MenuId::File,
                 .begins = true,
                 .keys = {QKeySequence::Save},
                 .icon = "save",
                 .done = [this] { m_to.files.save(); },
                 .whyNot = noPlan});
    m_table.add({.id = "saveAs",
                 .text = tr("Save plan &as..."),
                 .menu = MenuId::File,
                 .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_S},
                 .done = [this] { m_to.files.saveAs(); },
                 .whyNot = noPlan});
    m_table.add({.id = "exportGraph",
                 .text = tr("Export the &graph..."),
                 .menu = MenuId::Export,
                 .hint = tr("As a picture, SVG or PNG"),
                 .done = [this] { exportCanvas(m_to.graph.canvas(), tr("graph"), m_to.reports, m_to.window); },
                 .whyNot = [this] { return m_to.workspace.document.model() ? QString() : tr("No model is open."); }});
    m_table.add({.id = "exportTimeline",
                 .text = tr("Export the &timeline..."),
                 .menu = MenuId::Export,
                 .hint = tr("As a picture, SVG or PNG"),
                 .done = [this] { exportCanvas(m_to.timeline.view(), tr("timeline"), m_to.reports, m_to.window); },
                 .whyNot = [this] { return m_to.timeline.view().model() ? QString() : tr("There is no run yet."); }});
    m_table.add({.id = "exportShards",
                 .text = tr("Export the s&hards..."),
                 .menu = MenuId::Export,
                 .hint = tr("As a picture, SVG or PNG, before and after"),
                 .done = [this] { exportCanvas(m_to.shards.picture(), tr("shards"), m_to.reports, m_to.window); },
                 .whyNot =
                     [this] {
                         return m_to.shards.picture().drawnSize().isEmpty()
                                    ? tr("The perspective Shards shows no layout yet.")
                                    : QString();
                     }});
    m_table.add({.id = "exportOrder",
                 .text = tr("Export the &program order..."),
                 .menu = MenuId::Export,
                 .hint = tr("As a picture, SVG or PNG, with its splits"),
                 .done = [this] { exportCanvas(m_to.graph.gutter(), tr("program order"), m_to.reports, m_to.window); },
                 .whyNot = [this] { return m_to.workspace.document.model() ? QString() : tr("No model is open."); }});
    m_table.add({.id = "exportTable",
                 .text = tr("Export the current ta&ble..."),
                 .menu = MenuId::Export,
                 .hint = tr("The table that is seen where you worked last, as CSV"),
                 .done = [this] { exportTable(m_currentTable.find(), m_to.reports, m_to.window); },
                 .textNow =
                     [this] {
                         const QTableView *table = m_currentTable.find();
                         return table == nullptr
                                    ? tr("Export the current ta&ble...")
                                    : tr("Export the ta&ble '%1'...").arg(table->accessibleName().replace('&', "&&"));
                     }});
    m_table.add(
        {.id = "exportTrace",
         .text = tr("Export the t&race..."),
         .menu = MenuId::Export,
         .hint = tr("The last run as Chrome JSON, which Perfetto opens"),
         .done =
             [this] { exportTrace(session::Run(m_to.workspace.controller.runs().back()), m_to.reports, m_to.window); },
         .whyNot = noRun});
    m_table.add({.id = "saveStages",
                 .text = tr("&Save the stages..."),
                 .menu = MenuId::Export,
                 .begins = true,
                 .hint = tr("Each as a TorchScript file, which Python and LibTorch load"),
                 .done = [this] { m_stages.saveStages(); },
                 .whyNot =
                     [this] {
                         const QString why = m_stages.whyNot();
                         return why.isEmpty() || !whyNoModel().isEmpty() ? whyNotRun() : why;
                     }});
    m_table.add({.id = "quit",
                 .text = tr("&Quit"),
                 .menu = MenuId::File,
                 .begins = true,
                 .keys = {Qt::CTRL | Qt::Key_Q},
                 .done = [this] { m_to.window.close(); }});
}

void WindowActions::addEdit()
{
    QUndoStack &stack = m_to.workspace.document.undoStack();
    m_table.add({.id = "undo",
                 .text = tr("&Undo"),
                 .menu = MenuId::Edit,
                 .keys = {QKeySequence::Undo},
                 .icon = "undo",
                 .done = [&stack] { stack.undo(); },
                 .whyNot = [&stack] { return stack.canUndo() ? QString() : tr("There is nothing to undo."); },
                 .textNow = [&stack] { return tr("&Undo %1").arg(stack.undoText()).trimmed(); }});
    m_table.add({.id = "redo",
                 .text = tr("&Redo"),
                 .menu = MenuId::Edit,
                 .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_Z, Qt::CTRL | Qt::Key_Y},
                 .icon = "redo",
                 .done = [&stack] { stack.redo(); },
                 .whyNot = [&stack] { return stack.canRedo() ? QString() : tr("There is nothing to redo."); },
                 .textNow = [&stack] { return tr("&Redo %1").arg(stack.redoText()).trimmed(); }});
    m_table.add({.id = "palette",
                 .text = tr("&Command palette..."),
                 .menu = MenuId::Edit,
                 .begins = true,
                 .keys = {Qt::CTRL | Qt::Key_K},
                 .hint = tr("Find any command, node, module, stage or action"),
                 .icon = "search",
                 .done = [this] { m_to.openPalette(); }});
    m_table.add({.id = "find",
                 .text = tr("&Find in the graph"),
                 .menu = MenuId::Edit,
                 .keys = {QKeySequence::Find},
                 .done =
                     [this] {
                         m_to.show(Perspective::Split);
                         m_to.graph.startSearch();
                     },
                 .whyNot = [this] { return m_to.workspace.document.model() ? QString() : tr("No model is open."); }});
    m_table.add({.id = "settings",
                 .text = tr("&Settings..."),
                 .menu = MenuId::Edit,
                 .begins = true,
                 .keys = {QKeySequence(Qt::CTRL | Qt::Key_Comma)},
                 .hint = tr("Engine, theme, trusted folders"),
                 .done = [this] { m_to.openSettings(); }});
}

void WindowActions::addPlan()
{
    m_table.add({.id = "placeSplit",
                 .text = tr("&Place a split here"),
                 .menu = MenuId::Plan,
                 .keys = {Qt::CTRL | Qt::Key_D},
                 .hint = tr("Before what is selected; again takes it away"),
                 .icon = "split",
                 .done = [this] { m_to.plan.placeSplitHere(); },
                 .whyNot =
                     [this] {
                         if (QString why = whyNoModel(); !why.isEmpty())
                             return why;
                         const partition::SplitPoint *here = m_to.plan.splitPointHere();
                         return here == nullptr ? tr("Select a node that is not the first one.")
                                                : QString::fromStdString(here->cut.reason);
                     }});
    m_table.add({.id = "balance",
                 .text = tr("&Balance into stages..."),
                 .menu = MenuId::Plan,
                 .hint = tr("Place the splits so that stages cost about the same"),
                 .done = [this] { m_to.plan.balanceStages(); },
                 .whyNot = [this] { return whyNoModel(); }});
    m_table.add({.id = "removeSplits",
                 .text = tr("&Remove all splits"),
                 .menu = MenuId::Plan,
                 .done = [this] { m_to.plan.removeSplits(); },
                 .whyNot =
                     [this] {
                         return m_to.workspace.document.plan().splits.empty() ? tr("There are no splits.") : QString();
                     }});
}

void WindowActions::addRun()
{
    const auto idle = [this] { return m_to.workspace.isBusy() ? QString() : tr("Nothing is under way."); };
    m_table.add({.id = "run",
                 .text = tr("&Run"),
                 .menu = MenuId::Run,
                 .keys = {Qt::CTRL | Qt::Key_R},
                 .hint = tr("Run the stages in parallel and compare them with the unsplit model"),
                 .icon = "run",
                 .done = [this] { m_to.workspace.controller.run(); },
                 .whyNot = [this] { return whyNoStages(); }});
    m_table.add({.id = "check",
                 .text = tr("&Check"),
                 .menu = MenuId::Run,
                 .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_R},
                 .hint = tr("Compare the stages with the unsplit model"),
                 .icon = "check",
                 .done = [this] { m_to.workspace.controller.check(); },
                 .whyNot = [this] { return whyNoStages(); }});
    m_table.add({.id = "profile",
                 .text = tr("&Profile"),
                 .menu = MenuId::Run,
                 .keys = {Qt::CTRL | Qt::Key_P},
                 .hint = tr("Run the model on the plan's inputs and measure its parts"),
                 .icon = "profile",
                 .done = [this] { m_to.workspace.controller.profile(); },
                 .whyNot = [this] { return whyNotRun(); }});
    m_table.add({.id = "cancel",
                 .text = tr("C&ancel"),
                 .menu = MenuId::Run,
                 .begins = true,
                 .keys = {Qt::CTRL | Qt::Key_Period},
                 .hint = tr("Give up what is under way"),
                 .icon = "stop",
                 .done = [this] { m_to.workspace.cancelWork(); },
                 .whyNot = idle});
}

void WindowActions::addEngine()
{
    m_table.add({.id = "stopEngine",
                 .text = tr("&Stop the engine"),
                 .menu = MenuId::Run,
                 .begins = true,
                 .hint = tr("End the engine's process, whatever it is doing; stages that are all written get their "
                            "places first"),
                 .done = [this] { m_to.workspace.engine.stop(); },
                 .whyNot =
                     [this] {
                         const bool isOn = m_to.workspace.engine.state() == State::Ready ||
                                           m_to.workspace.engine.state() == State::Starting;
                         return isOn ? QString() : tr("The engine is off.");
                     }});
    m_table.add({.id = "restartEngine",
                 .text = tr("R&estart the engine"),
                 .menu = MenuId::Run,
                 .hint = tr("End the engine's process and start another; the plan stays"),
                 .done = [this] { m_to.reports.restartEngine(); }});
}

void WindowActions::addHelp()
{
    m_table.add({.id = "shortcuts",
                 .text = tr("&Shortcuts"),
                 .menu = MenuId::Help,
                 .keys = {Qt::Key_F1, Qt::Key_Question},
                 .hint = tr("All keys there are"),
                 .done = [this] {
                     auto *sheet = new actions::ShortcutSheet(m_table, &m_to.window);
                     sheet->setAttribute(Qt::WA_DeleteOnClose);
                     sheet->show();
                 }});
    m_table.add({.id = "userGuide",
                 .text = tr("&User guide"),
                 .menu = MenuId::Help,
                 .done = [] { QDesktopServices::openUrl(QUrl::fromLocalFile(userGuidePath())); },
                 .whyNot = [] { return userGuidePath().isEmpty() ? tr("It is not installed.") : QString(); }});
    m_table.add({.id = "about", .text = tr("&About Pipescope"), .menu = MenuId::Help, .begins = true, .done = [this] {
                     QMessageBox::about(&m_to.window, tr("About Pipescope"),
                                        tr("<h3>Pipescope %1</h3><p>See a PyTorch model, place the splits, run "
                                           "them, read the bubbles.</p><p>GPL-3.0-or-later. With Qt %2.</p>")
                                            .arg(QApplication::applicationVersion(), qVersion()));
                 }});
}

} // namespace pipescope::mainwindow
