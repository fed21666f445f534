// Who in the window hears of what.
#include "mainwindow/graph_page.h"
#include "mainwindow/main_window.h"
#include "mainwindow/start_page.h"
#include "mainwindow/status_bar.h"
#include "mainwindow/timeline_page.h"
#include "mainwindow/trust_bar.h"
#include "mainwindow/window_menus.h"
#include "runview/schedule_choice.h"
#include "shardview/shard_page.h"

#include <QStringList>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::mainwindow {

namespace {

constexpr int PassingMilliseconds = 5000;

/// Where a thing is to be seen; nullopt for a stage, which every perspective shows.
std::optional<Perspective> perspectiveOf(const session::Selected &selected)
{
    using Seen = std::optional<Perspective>;
    return std::visit(session::Overloaded{
                          [](std::monostate) { return Seen(); },
                          [](StageId) { return Seen(); },
                          [](NodeId) { return Seen(Perspective::Split); },
                          [](ValueId) { return Seen(Perspective::Split); },
                          [](const session::SelectedModule &) { return Seen(Perspective::Split); },
                          [](const session::SelectedCut &) { return Seen(Perspective::Split); },
                          [](const session::SelectedParameter &) { return Seen(Perspective::Split); },
                          [](RankId) { return Seen(Perspective::Timeline); },
                          [](const session::SelectedAction &) { return Seen(Perspective::Timeline); },
                          [](const session::SelectedSpan &) { return Seen(Perspective::Timeline); },
                      },
                      selected);
}

} // namespace

void MainWindow::connectPages()
{
    connect(m_start, &StartPage::openAsked, m_files.get(), &FileCommands::chooseAndOpen);
    connect(m_start, &StartPage::exampleAsked, m_files.get(), &FileCommands::openExample);
    connect(m_start, &StartPage::recentAsked, m_files.get(), &FileCommands::open);
    connect(m_trustBar, &TrustBar::trusted, this, &MainWindow::modelTrusted);
    connect(m_graph, &GraphPage::refused, this, [this](const QString &why) {
        m_reports->log(why);
        m_statusBar->showMessage(why);
    });
    connect(m_timeline, &TimelinePage::traceOpened, this, [this](const QString &path) {
        m_hasTrace = true;
        m_files->traceOpened(path);
        m_reports->forgetError();
        show(Perspective::Timeline);
        Q_EMIT opened(path);
    });
    connect(m_timeline, &TimelinePage::refused, this, [this](const QString &why) {
        const Error error{ErrorCode::InvalidFile, why.toStdString(), {}, {}};
        m_reports->report(error);
        Q_EMIT openFailed(error);
    });
    connect(m_docks, &DockSet::perspectiveRestored, this, &MainWindow::showCanvas);
}

void MainWindow::connectFiles()
{
    connect(m_files.get(), &FileCommands::traceAsked, m_timeline, &TimelinePage::openTrace);
    connect(m_files.get(), &FileCommands::failed, this, &MainWindow::openFailed);
    connect(m_files.get(), &FileCommands::recentChanged, this, &MainWindow::listRecent);
    connect(m_files.get(), &FileCommands::saved, this, [this] {
        showTitle();
        m_statusBar->showDocument(); // the time
    });
    connect(m_files.get(), &FileCommands::opened, this, [this](const QString &path) {
        m_reports->forgetError();
        m_reports->forgetDifference();
        m_reports->forgetReplacedModel();
        m_hasTrace = false;
        show(Perspective::Split);
        Q_EMIT opened(path);
    });
    connect(m_recent, &RecentMenu::asked, m_files.get(), &FileCommands::openAfterAsking);
    for (auto *choice : findChildren<runview::ScheduleChoice *>())
        choice->setFilesAreElsewhere([this] { return m_workspace.engine.isElsewhere(); });
}

void MainWindow::connectReports()
{
    connect(m_reports.get(), &Reports::placeAsked, this, [this](const session::Selected &place) {
        if (std::holds_alternative<StageId>(place)) // an error tells of the model's stage, whether it has run or not
            show(Perspective::Split);
        m_workspace.selection.follow(place);
    });
    connect(m_reports.get(), &Reports::inputsAsked, m_docks, [this] { m_docks->reveal("runDock"); });
    connect(m_reports.get(), &Reports::logAsked, m_docks, [this] { m_docks->reveal("logDock"); });
    connect(m_reports.get(), &Reports::checkAsked, m_docks, [this] { m_docks->reveal("checkDock"); });
    connect(m_reports.get(), &Reports::libraryAsked, m_plan.get(), &PlanCommands::chooseLibrary);
    connect(m_plan.get(), &PlanCommands::libraryAdded, this, &MainWindow::modelRead);
    connect(m_reports.get(), &Reports::saidInPassing, m_statusBar,
            [this](const QString &text) { m_statusBar->showMessage(text, PassingMilliseconds); });
}

void MainWindow::connectWorkspace()
{
    using session::Document;
    using session::RunController;
    Document &document = m_workspace.document;
    RunController &controller = m_workspace.controller;
    connect(&document, &Document::modelChanged, this, &MainWindow::modelRead);
    for (const auto changed : {&Document::pathChanged, &Document::planChanged, &Document::modifiedChanged})
        connect(&document, changed, this, &MainWindow::showTitle);
    connect(&controller, &RunController::finished, this, &MainWindow::runFinished);
    connect(&controller, &RunController::modelReplaced, this, [this] {
        m_reports->reportReplacedModel(tr("%1 is another file now than when it was read here, and was read again. The "
                                          "plan's split points may mean other places in it."));
    });
    connect(&controller, &RunController::splitsLeftOut, this, [this](const std::vector<std::string> &words) {
        QStringList names;
        for (const std::string &word : words)
            names << QString::fromStdString(word);
        const QString left =
            tr("The plan lost these splits, because this graph has no place for them: %1. Undo brings them back.")
                .arg(names.join(QStringLiteral(", ")));
        m_reports->log(left);
        m_statusBar->showMessage(left);
    });
    connect(&controller, &RunController::failed, this,
            [this] { m_reports->report(*m_workspace.controller.lastError()); });
    connect(&controller, &RunController::stateChanged, this, &MainWindow::showTrust);
    connect(&m_workspace.selection, &session::Selection::followed, this, [this](const session::Selected &link) {
        if (const std::optional<Perspective> seen = perspectiveOf(link))
            show(*seen);
    });
    connect(&m_workspace.selection, &session::Selection::shardsAsked, this,
            [this](const session::TensorToShow &tensor) {
                m_shards->showTensor(tensor);
                show(Perspective::Shards);
            });
    // What can be done depends on these.
    const auto refresh = [this] { m_actionTable->refresh(); };
    connect(&document.undoStack(), &QUndoStack::indexChanged, this, refresh);
    connect(&m_workspace.selection, &session::Selection::changed, this, refresh);
    for (const auto changed : {&RunController::stateChanged, &RunController::runsChanged})
        connect(&controller, changed, this, refresh);
    connect(&m_workspace.engine, &session::EngineClient::stateChanged, this, refresh);
    connect(&m_workspace.opening, &session::Opening::stateChanged, this, refresh);
    connect(&m_workspace.example, &session::ExampleModel::stateChanged, this, refresh);
    connect(&m_workspace.traces, &timeline::TraceReader::stateChanged, this, refresh);
}

} // namespace pipescope::mainwindow
