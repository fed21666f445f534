// What can be done in the window: one row each. Menus, toolbar, palette and the sheet of shortcuts are made of them.

#include "actions/command_palette.h"
#include "actions/shortcut_sheet.h"
#include "mainwindow/graph_page.h"
#include "mainwindow/main_window.h"
#include "mainwindow/palette_items.h"
#include "mainwindow/start_page.h"
#include "mainwindow/timeline_page.h"
#include "mainwindow/user_guide.h"
#include "session/staging.h"

#include <QAction>
#include <QApplication>
#include <QDesktopServices>
#include <QDockWidget>
#include <QInputDialog>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QUrl>

namespace pipescope::mainwindow {

namespace {

using actions::MenuId;
using State = session::EngineClient::State;

} // namespace

QString MainWindow::whyNoModel() const
{
    if (m_document.plan().model.empty())
        return tr("Open a model first.");
    const auto model = m_document.model();
    if (!model)
        return tr("The model is not loaded.");
    if (model->loadRefused)
        return tr("LibTorch cannot load this file: only its structure can be seen.");
    return model->structureOnly ? tr("Only the structure was read: trust and load the model first.") : QString();
}

QString MainWindow::whyNotRun() const
{
    if (QString why = whyNoModel(); !why.isEmpty())
        return why;
    if (m_controller.isRunning() || m_controller.isLooking())
        return tr("The engine is %1.").arg(m_engine.doing());
    return {};
}

void MainWindow::makeActions()
{
    addFileActions();
    addEditActions();
    addViewActions();
    addLayoutActions();
    addPlanActions();
    addRunActions();
    addHelpActions();
    addCanvasKeys();
    makeMenus();
    listRecent();
}

void MainWindow::addFileActions()
{
    const auto noPlan = [this] { return m_document.plan().model.empty() ? tr("No plan is open.") : QString(); };
    const auto noRun = [this] { return m_controller.runs().empty() ? tr("There is no run yet.") : QString(); };
    m_actions->add({.id = "open",
                    .text = tr("&Open..."),
                    .menu = MenuId::File,
                    .keys = {QKeySequence::Open},
                    .hint = tr("Open a model, a plan or a trace"),
                    .icon = "open",
                    .done = [this] { askForFile(); }});
    m_actions->add({.id = "openExample",
                    .text = tr("Open the &example"),
                    .menu = MenuId::File,
                    .hint = tr("Open the demo model: a decoder in the manner of GPT"),
                    .done = [this] { openExample(); },
                    .whyNot = [this] { return m_example.whyNot(); }});
    m_actions->add({.id = "save",
                    .text = tr("&Save plan"),
                    .menu = MenuId::File,
                    .begins = true,
                    .keys = {QKeySequence::Save},
                    .icon = "save",
                    .done = [this] { save(); },
                    .whyNot = noPlan});
    m_actions->add({.id = "saveAs",
                    .text = tr("Save plan &as..."),
                    .menu = MenuId::File,
                    .keys = {QKeySequence::SaveAs},
                    .done = [this] { saveAs(); },
                    .whyNot = noPlan});
    m_actions->add({.id = "exportGraph",
                    .text = tr("Export the &graph..."),
                    .menu = MenuId::Export,
                    .hint = tr("As a picture, SVG or PNG"),
                    .done = [this] { exportCanvas(m_graph->canvas(), tr("graph")); },
                    .whyNot = [this] { return m_document.model() ? QString() : tr("No model is open."); }});
    m_actions->add({.id = "exportTimeline",
                    .text = tr("Export the &timeline..."),
                    .menu = MenuId::Export,
                    .hint = tr("As a picture, SVG or PNG"),
                    .done = [this] { exportCanvas(m_timeline->view(), tr("timeline")); },
                    .whyNot = [this] { return m_timeline->view().model() ? QString() : tr("There is no run yet."); }});
    m_actions->add({.id = "exportTable",
                    .text = tr("Export the current ta&ble..."),
                    .menu = MenuId::Export,
                    .hint = tr("The table that has the keyboard, or was clicked last, as CSV"),
                    .done = [this] { exportTable(); }});
    m_actions->add({.id = "exportTrace",
                    .text = tr("Export the t&race..."),
                    .menu = MenuId::Export,
                    .hint = tr("The last run as Chrome JSON, which Perfetto opens"),
                    .done = [this] { exportTrace(); },
                    .whyNot = noRun});
    m_actions->add({.id = "quit",
                    .text = tr("&Quit"),
                    .menu = MenuId::File,
                    .begins = true,
                    .keys = {QKeySequence::Quit},
                    .done = [this] { close(); }});
}

void MainWindow::addEditActions()
{
    QUndoStack &stack = m_document.undoStack();
    m_actions->add({.id = "undo",
                    .text = tr("&Undo"),
                    .menu = MenuId::Edit,
                    .keys = {QKeySequence::Undo},
                    .icon = "undo",
                    .done = [&stack] { stack.undo(); },
                    .whyNot = [&stack] { return stack.canUndo() ? QString() : tr("There is nothing to undo."); },
                    .textNow = [&stack] { return tr("&Undo %1").arg(stack.undoText()).trimmed(); }});
    m_actions->add({.id = "redo",
                    .text = tr("&Redo"),
                    .menu = MenuId::Edit,
                    .keys = {QKeySequence::Redo},
                    .icon = "redo",
                    .done = [&stack] { stack.redo(); },
                    .whyNot = [&stack] { return stack.canRedo() ? QString() : tr("There is nothing to redo."); },
                    .textNow = [&stack] { return tr("&Redo %1").arg(stack.redoText()).trimmed(); }});
    m_actions->add({.id = "palette",
                    .text = tr("&Command palette..."),
                    .menu = MenuId::Edit,
                    .begins = true,
                    .keys = {Qt::CTRL | Qt::Key_K},
                    .hint = tr("Find any command, node, module, stage or action"),
                    .icon = "search",
                    .done = [this] { openPalette(); }});
    m_actions->add({.id = "find",
                    .text = tr("&Find in the graph"),
                    .menu = MenuId::Edit,
                    .keys = {QKeySequence::Find},
                    .done =
                        [this] {
                            show(Perspective::Split);
                            m_graph->startSearch();
                        },
                    .whyNot = [this] { return m_document.model() ? QString() : tr("No model is open."); }});
    m_actions->add({.id = "settings",
                    .text = tr("&Settings..."),
                    .menu = MenuId::Edit,
                    .begins = true,
                    .keys = {QKeySequence(Qt::CTRL | Qt::Key_Comma)},
                    .hint = tr("Engine, theme, trusted folders"),
                    .done = [this] { openSettings(); }});
}

void MainWindow::addViewActions()
{
    const auto noGraph = [this] { return m_document.model() ? QString() : tr("No model is open."); };
    const auto noTimeline = [this] {
        return m_timeline->view().model() ? QString() : tr("There is no run and no trace yet.");
    };
    const auto isNow = [this](Perspective perspective) { return m_docks->perspective() == perspective; };
    m_actions->add({.id = "showGraph",
                    .text = tr("&Split"),
                    .menu = MenuId::View,
                    .keys = {Qt::CTRL | Qt::Key_1},
                    .hint = tr("The model, and where it is split"),
                    .done = [this] { show(Perspective::Split); },
                    .isChecked = [isNow] { return isNow(Perspective::Split); }});
    m_actions->add({.id = "showTimeline",
                    .text = tr("&Timeline"),
                    .menu = MenuId::View,
                    .keys = {Qt::CTRL | Qt::Key_2},
                    .hint = tr("What happened in a run"),
                    .done = [this] { show(Perspective::Timeline); },
                    .isChecked = [isNow] { return isNow(Perspective::Timeline); }});
    m_actions->add({.id = "zoomIn",
                    .text = tr("Zoom &in"),
                    .menu = MenuId::View,
                    .begins = true,
                    .keys = {QKeySequence::ZoomIn},
                    .done = [this] { m_graph->canvas().zoomBy(1.25); },
                    .whyNot = noGraph});
    m_actions->add({.id = "zoomOut",
                    .text = tr("Zoom &out"),
                    .menu = MenuId::View,
                    .keys = {QKeySequence::ZoomOut},
                    .done = [this] { m_graph->canvas().zoomBy(0.8); },
                    .whyNot = noGraph});
    m_actions->add({.id = "fitGraph",
                    .text = tr("&Fit the graph"),
                    .menu = MenuId::View,
                    .icon = "fit",
                    .done = [this] { m_graph->canvas().fit(); },
                    .whyNot = noGraph});
    m_actions->add({.id = "openModules",
                    .text = tr("Open &all modules"),
                    .menu = MenuId::View,
                    .done = [this] { m_graph->canvas().openEverything(); },
                    .whyNot = noGraph});
    m_actions->add({.id = "closeModules",
                    .text = tr("&Close all modules"),
                    .menu = MenuId::View,
                    .done = [this] { m_graph->canvas().closeEverything(); },
                    .whyNot = noGraph});
    m_actions->add({.id = "fitTimeline",
                    .text = tr("Fit t&he run"),
                    .menu = MenuId::View,
                    .begins = true,
                    .done = [this] { m_timeline->view().fitRun(); },
                    .whyNot = noTimeline});
    m_actions->add({.id = "zoomBack",
                    .text = tr("Zoom &back"),
                    .menu = MenuId::View,
                    .hint = tr("To what the timeline showed before"),
                    .done = [this] { m_timeline->view().zoomBack(); },
                    .whyNot = noTimeline});
    m_actions->add(
        {.id = "clearSelection",
         .text = tr("Select &nothing"),
         .menu = MenuId::View,
         .begins = true,
         .done = [this] { m_selection.clear(); },
         .whyNot =
             [this] { return m_selection.current() == session::Selected() ? tr("Nothing is selected.") : QString(); }});
}

void MainWindow::addLayoutActions()
{
    const auto noLayout = [this] {
        return m_docks->layouts().isEmpty() ? tr("No layout was saved under a name.") : QString();
    };
    const auto ask = [this](const QString &title) {
        bool isChosen = false;
        const QString name = QInputDialog::getItem(this, title, tr("Layout"), m_docks->layouts(), 0, false, &isChosen);
        return isChosen ? name : QString();
    };
    m_actions->add({.id = "resetLayout",
                    .text = tr("&Reset layout"),
                    .menu = MenuId::Layout,
                    .hint = tr("Docks as they were at first"),
                    .done = [this] { m_docks->reset(); }});
    m_actions->add({.id = "saveLayout",
                    .text = tr("&Save layout as..."),
                    .menu = MenuId::Layout,
                    .begins = true,
                    .hint = tr("Keep where docks stand under a name"),
                    .done = [this] {
                        const QString name = QInputDialog::getText(this, tr("Save layout"), tr("Name"));
                        if (!name.trimmed().isEmpty())
                            m_docks->saveLayout(name.trimmed());
                        refreshActions();
                    }});
    m_actions->add({.id = "restoreLayout",
                    .text = tr("R&estore layout..."),
                    .menu = MenuId::Layout,
                    .done = [this, ask] { m_docks->restoreLayout(ask(tr("Restore layout"))); },
                    .whyNot = noLayout});
    m_actions->add({.id = "deleteLayout",
                    .text = tr("&Delete layout..."),
                    .menu = MenuId::Layout,
                    .done =
                        [this, ask] {
                            m_docks->deleteLayout(ask(tr("Delete layout")));
                            refreshActions();
                        },
                    .whyNot = noLayout});
}

void MainWindow::addPlanActions()
{
    m_actions->add({.id = "placeSplit",
                    .text = tr("&Place a split here"),
                    .menu = MenuId::Plan,
                    .keys = {Qt::CTRL | Qt::Key_D},
                    .hint = tr("Before what is selected; again takes it away"),
                    .icon = "split",
                    .done = [this] { placeSplitHere(); },
                    .whyNot =
                        [this] {
                            if (QString why = whyNoModel(); !why.isEmpty())
                                return why;
                            const partition::SplitPoint *here = splitPointHere();
                            return here == nullptr ? tr("Select a node that is not the first one.")
                                                   : QString::fromStdString(here->cut.reason);
                        }});
    m_actions->add({.id = "balance",
                    .text = tr("&Balance into stages..."),
                    .menu = MenuId::Plan,
                    .hint = tr("Place the splits so that stages cost about the same"),
                    .done = [this] { balanceStages(); },
                    .whyNot = [this] { return whyNoModel(); }});
    m_actions->add(
        {.id = "removeSplits",
         .text = tr("&Remove all splits"),
         .menu = MenuId::Plan,
         .done = [this] { m_document.edit(tr("Remove all splits"), [](plan::Plan &plan) { plan.splits.clear(); }); },
         .whyNot = [this] { return m_document.plan().splits.empty() ? tr("There are no splits.") : QString(); }});
}

void MainWindow::addRunActions()
{
    const auto idle = [this] {
        const bool isBusy =
            m_controller.isRunning() || m_controller.isLooking() || m_opening.isActive() || m_example.isMaking();
        return isBusy ? QString() : tr("Nothing is under way.");
    };
    m_actions->add({.id = "run",
                    .text = tr("&Run"),
                    .menu = MenuId::Run,
                    .keys = {Qt::CTRL | Qt::Key_R},
                    .hint = tr("Run the stages in parallel and compare them with the unsplit model"),
                    .icon = "run",
                    .done = [this] { m_controller.run(); },
                    .whyNot = [this] { return whyNotRun(); }});
    m_actions->add({.id = "check",
                    .text = tr("&Check"),
                    .menu = MenuId::Run,
                    .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_R},
                    .hint = tr("Compare the stages with the unsplit model"),
                    .icon = "check",
                    .done =
                        [this] {
                            m_checking = true;
                            m_controller.check();
                        },
                    .whyNot = [this] { return whyNotRun(); }});
    m_actions->add({.id = "profile",
                    .text = tr("&Profile"),
                    .menu = MenuId::Run,
                    .keys = {Qt::CTRL | Qt::Key_P},
                    .hint = tr("Run the model on the plan's inputs and measure its parts"),
                    .icon = "profile",
                    .done = [this] { m_controller.profile(); },
                    .whyNot = [this] { return whyNotRun(); }});
    m_actions->add({.id = "cancel",
                    .text = tr("C&ancel"),
                    .menu = MenuId::Run,
                    .begins = true,
                    .keys = {Qt::CTRL | Qt::Key_Period},
                    .hint = tr("Give up what is under way"),
                    .icon = "stop",
                    .done = [this] { cancelWork(); },
                    .whyNot = idle});
    m_actions->add({.id = "stopEngine",
                    .text = tr("&Stop the engine"),
                    .menu = MenuId::Run,
                    .begins = true,
                    .hint = tr("End the engine's process, whatever it is doing"),
                    .done = [this] { m_engine.stop(); },
                    .whyNot =
                        [this] {
                            const bool isOn = m_engine.state() == State::Ready || m_engine.state() == State::Starting;
                            return isOn ? QString() : tr("The engine is off.");
                        }});
    m_actions->add({.id = "restartEngine",
                    .text = tr("R&estart the engine"),
                    .menu = MenuId::Run,
                    .hint = tr("End the engine's process and start another; the plan stays"),
                    .done = [this] { restartEngine(); }});
}

void MainWindow::addHelpActions()
{
    m_actions->add({.id = "shortcuts",
                    .text = tr("&Shortcuts"),
                    .menu = MenuId::Help,
                    .keys = {Qt::Key_F1, Qt::Key_Question},
                    .hint = tr("All keys there are"),
                    .done = [this] {
                        auto *sheet = new actions::ShortcutSheet(*m_actions, this);
                        sheet->setAttribute(Qt::WA_DeleteOnClose);
                        sheet->show();
                    }});
    m_actions->add({.id = "userGuide",
                    .text = tr("&User guide"),
                    .menu = MenuId::Help,
                    .done = [] { QDesktopServices::openUrl(QUrl::fromLocalFile(userGuidePath())); },
                    .whyNot = [] { return userGuidePath().isEmpty() ? tr("It is not installed.") : QString(); }});
    m_actions->add(
        {.id = "about", .text = tr("&About Pipescope"), .menu = MenuId::Help, .begins = true, .done = [this] {
             QMessageBox::about(this, tr("About Pipescope"),
                                tr("<h3>Pipescope %1</h3><p>See a PyTorch model, place the splits, run "
                                   "them, read the bubbles.</p><p>GPL-3.0-or-later. With Qt %2.</p>")
                                    .arg(QApplication::applicationVersion(), qVersion()));
         }});
}

// The canvases' own keys, as their keyPressEvent has them.
void MainWindow::addCanvasKeys()
{
    const QString graph = tr("Graph");
    const QString order = tr("Program order");
    const QString timeline = tr("Timeline");
    m_actions->addKeys({
        {graph, tr("Up, Down"), tr("Go to the box before or after")},
        {graph, tr("Left, Right"), tr("Go out of a module, or into it")},
        {graph, tr("Enter, Space"), tr("Open or close a module")},
        {graph, tr("F"), tr("Fit the graph")},
        {graph, tr("+, -, wheel"), tr("Zoom")},
        {graph, tr("Page Up, Page Down, Home"), tr("Move")},
        {graph, tr("1, 2, 3, 4"), tr("Colours mean stage, time, memory, parameters")},
        {graph, tr("N, Shift+N"), tr("Next and previous match")},
        {graph, tr("Esc"), tr("Go outward")},
        {order, tr("Up, Down"), tr("Go to the gap before or after")},
        {order, tr("Enter, Space"), tr("Place a split in the gap, or take it away")},
        {order, tr("Delete"), tr("Take the split away")},
        {timeline, tr("W, S"), tr("Zoom in and out at the pointer")},
        {timeline, tr("A, D"), tr("Move to the left and right")},
        {timeline, tr("F"), tr("Fit the run")},
        {timeline, tr("Z"), tr("Zoom to what is selected")},
        {timeline, tr("Backspace"), tr("Zoom back")},
        {timeline, tr("Arrows"), tr("Go to the slice beside, or to the lane above or below")},
        {timeline, tr("[, ]"), tr("Go to what this waited for, or to what waited for this")},
        {timeline, tr("Esc"), tr("Go outward")},
    });
}

void MainWindow::makeMenus()
{
    QMenu &file = *menuBar()->addMenu(tr("&File"));
    m_actions->fill(file, MenuId::File);
    m_recent = new QMenu(tr("Open &recent"), &file);
    m_recent->setObjectName("recentMenu");
    m_recent->setToolTipsVisible(true);
    file.insertMenu(&m_actions->action("openExample"), m_recent);
    auto *exports = new QMenu(tr("&Export"), &file);
    m_actions->fill(*exports, MenuId::Export);
    file.insertMenu(file.actions().at(file.actions().size() - 2), exports);
    m_actions->fill(*menuBar()->addMenu(tr("&Edit")), MenuId::Edit);
    QMenu &view = *menuBar()->addMenu(tr("&View"));
    m_actions->fill(view, MenuId::View);
    view.addSeparator();
    QMenu &docks = *view.addMenu(tr("&Docks"));
    for (const QDockWidget *dock : m_docks->docks())
        docks.addAction(dock->toggleViewAction());
    m_actions->fill(*view.addMenu(tr("&Layout")), MenuId::Layout);
    m_actions->fill(*menuBar()->addMenu(tr("&Plan")), MenuId::Plan);
    m_actions->fill(*menuBar()->addMenu(tr("&Run")), MenuId::Run);
    m_actions->fill(*menuBar()->addMenu(tr("&Help")), MenuId::Help);
}

void MainWindow::listRecent()
{
    const std::vector<session::RecentFile> files = m_recentFiles.files();
    m_recent->clear();
    for (const session::RecentFile &file : files) {
        QAction *action = m_recent->addAction(file.name + "  \u2013  " + file.folder);
        action->setEnabled(file.whyNot.isEmpty());
        action->setToolTip(file.whyNot.isEmpty() ? file.path : file.path + '\n' + file.whyNot);
        connect(action, &QAction::triggered, this, [this, path = file.path] {
            if (mayBeLeft())
                open(path);
        });
    }
    m_recent->setEnabled(!files.empty());
    m_start->setRecent(files);
    const bool mustBeMade = m_example.find().isEmpty();
    m_start->setExample(mustBeMade ? tr("The example is made on this machine first: about 500 MB in your cache folder, "
                                        "some seconds.")
                                   : QString(),
                        m_example.whyNot());
}

void MainWindow::openPalette()
{
    const auto toGraph = [this] { show(Perspective::Split); };
    std::vector<actions::PaletteItems> items{commandItems(*m_actions)};
    const auto model = m_document.model();
    if (model && !model->structureOnly)
        items.push_back(stageItems(session::stagingOf(m_document.plan(), model->graph).stages, m_selection, toGraph));
    if (model != m_itemsOf) {
        m_itemsOf = model;
        m_modelItems = model ? modelItems(*model, m_selection, toGraph) : nullptr;
    }
    if (m_modelItems)
        items.push_back(m_modelItems);
    if (!m_controller.runs().empty())
        items.push_back(
            actionItems(m_controller.runs().back()->trace, m_selection, [this] { show(Perspective::Timeline); }));
    m_palette->open(std::move(items));
}

} // namespace pipescope::mainwindow
