#include "mainwindow/main_window.h"

#include "checkview/check_view.h"
#include "inspector/inspector_view.h"
#include "mainwindow/desktop_theme.h"
#include "mainwindow/graph_page.h"
#include "mainwindow/settings_dialog.h"
#include "mainwindow/start_page.h"
#include "mainwindow/status_bar.h"
#include "mainwindow/timeline_page.h"
#include "mainwindow/tool_bar.h"
#include "mainwindow/trust_bar.h"
#include "mainwindow/window_menus.h"
#include "runview/run_view.h"
#include "session/carry_over.h"
#include "session/process_link.h"
#include "splitview/split_view.h"
#include "stageview/stage_view.h"

#include <QApplication>
#include <QBoxLayout>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDropEvent>
#include <QFileInfo>
#include <QMenuBar>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QStackedWidget>
#include <initializer_list>
#include <optional>
#include <utility>

namespace pipescope::mainwindow {

namespace {

using Look = session::RunController::Look;

constexpr int MostLogLines = 10'000;
constexpr QSize LeastPage(600, 160);
constexpr int PassingMilliseconds = 5000;

QPlainTextEdit *makeLog()
{
    auto *log = new QPlainTextEdit;
    log->setObjectName("log");
    log->setAccessibleName(MainWindow::tr("Log"));
    log->setReadOnly(true);
    log->setMaximumBlockCount(MostLogLines);
    return log;
}

/// Where a thing is to be seen; nullopt for a stage, which every perspective shows.
std::optional<Perspective> perspectiveOf(const session::Selected &selected)
{
    if (selected.action || selected.span || selected.rank.valid())
        return Perspective::Timeline;
    const bool isOfModel = selected.node.valid() || selected.module || selected.value.valid() || selected.cut ||
                           !selected.parameter.empty();
    return isOfModel ? std::optional(Perspective::Split) : std::nullopt;
}

} // namespace

MainWindow::MainWindow(session::MakeLink makeLink, QSettings &settings, const style::Theme &theme,
                       const WindowPlaces &places)
    : m_workspace(std::move(makeLink), settings, places.example)
    , m_theme(&theme)
    , m_actionTable(new actions::ActionTable(*this))
    , m_docks(new DockSet(*this, settings))
    , m_notices(new NoticeArea(this))
    , m_pages(new QStackedWidget(this))
{
    setAcceptDrops(true);
    m_statusBar = new StatusBar(m_workspace, this);
    setStatusBar(m_statusBar);
    makePages();
    makeDocks();
    makeCommands(places.recovery);
    m_toolBar = new ToolBar(*m_actionTable, m_workspace.document, m_workspace.engine, this);
    addToolBar(m_toolBar);
    connectPages();
    connectFiles();
    connectReports();
    connectWorkspace();
    restoreGeometry(settings.value(GeometryKey).toByteArray());
    m_docks->show(Perspective::Split);
    setTheme(theme);
    listRecent();
    showPage();
    modelRead();
    showTitle();
}

MainWindow::~MainWindow()
{
    // Views refer to the workspace, a member, which would go before Qt deletes its children.
    for (QObject *told : std::initializer_list<QObject *>{&m_workspace.engine, &m_workspace.controller,
                                                          &m_workspace.document, &m_workspace.document.undoStack()})
        disconnect(told, nullptr, this, nullptr);
    delete takeCentralWidget();
    qDeleteAll(m_docks->docks());
    delete m_toolBar;
    delete m_statusBar;
}

void MainWindow::makePages()
{
    m_start = new StartPage(m_pages);
    m_canvases = new QStackedWidget(m_pages);
    m_canvases->setObjectName("canvases");
    m_graph = new GraphPage(m_workspace.document, m_workspace.selection, *m_theme, m_canvases);
    m_timeline = new TimelinePage(m_workspace.controller, m_workspace.selection, *m_theme, m_canvases);
    m_canvases->addWidget(m_graph);
    m_canvases->addWidget(m_timeline);
    m_pages->setMinimumSize(LeastPage); // in place of what all pages together ask for, which small screens do not have
    m_pages->addWidget(m_start);
    m_pages->addWidget(m_canvases);

    auto *middle = new QWidget(this);
    m_trustBar = new TrustBar(*m_theme, middle);
    auto *layout = new QVBoxLayout(middle);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_notices);
    layout->addWidget(m_trustBar);
    layout->addWidget(m_pages, 1);
    setCentralWidget(middle);
}

// What there is of docks. A row more is a dock more: its tab, its place in the menus and in the layouts follow.
void MainWindow::makeDocks()
{
    QPlainTextEdit *log = makeLog();
    m_reports = std::make_unique<Reports>(m_workspace, *m_notices, *log);
    m_check = new checkview::CheckView(m_workspace.controller, m_workspace.selection, *m_theme);
    const DockPlace right{Qt::RightDockWidgetArea, true};
    const DockPlace hiddenRight{Qt::RightDockWidgetArea, false};
    const DockPlace bottom{Qt::BottomDockWidgetArea, true};
    const DockPlace hiddenBottom{Qt::BottomDockWidgetArea, false};
    Workspace &work = m_workspace;
    m_docks->add({
        {"summaryDock", tr("Selection"), [this] { return m_timeline->summary(); }, hiddenRight, right},
        {"inspectorDock", tr("Inspector"),
         [&work] { return new inspector::InspectorView(work.document, work.controller, work.selection, work.probe); },
         right, right},
        {"runDock", tr("Run"),
         [&work] { return new runview::RunView(work.document, work.controller, &work.selection); }, right, right},
        {"stagesDock", tr("Stages"),
         [&work] { return new stageview::StageView(work.document, work.controller, work.selection); }, bottom,
         hiddenBottom},
        {"checkDock", tr("Check"), [this] { return m_check; }, bottom, right},
        {"logDock", tr("Log"), [log] { return log; }, bottom, hiddenBottom},
        {"splitDock", tr("Split points"), [&work] { return new splitview::SplitView(work.document, work.selection); },
         bottom, hiddenBottom},
    });
}

void MainWindow::makeCommands(const QString &recoveryFolder)
{
    const auto toPerspective = [this](Perspective perspective) { show(perspective); };
    m_files = std::make_unique<FileCommands>(m_workspace, *m_reports, recoveryFolder, *this);
    m_plan = std::make_unique<PlanCommands>(m_workspace, *m_reports, *this);
    m_palette = std::make_unique<WindowPalette>(m_workspace, *m_actionTable, *this, toPerspective);
    m_actions =
        std::make_unique<WindowActions>(*m_actionTable, ActionTargets{.workspace = m_workspace,
                                                                      .reports = *m_reports,
                                                                      .files = *m_files,
                                                                      .plan = *m_plan,
                                                                      .docks = *m_docks,
                                                                      .graph = *m_graph,
                                                                      .timeline = *m_timeline,
                                                                      .window = *this,
                                                                      .show = toPerspective,
                                                                      .openPalette = [this] { m_palette->open(); },
                                                                      .openSettings = [this] { openSettings(); }});
    m_recent = &fillMenus(*menuBar(), *m_actionTable, *m_docks);
}

void MainWindow::connectPages()
{
    connect(m_start, &StartPage::openAsked, m_files.get(), &FileCommands::chooseAndOpen);
    connect(m_start, &StartPage::exampleAsked, m_files.get(), &FileCommands::openExample);
    connect(m_start, &StartPage::recentAsked, m_files.get(), &FileCommands::open);
    connect(m_trustBar, &TrustBar::trusted, this, [this] {
        if (const auto model = m_workspace.document.model())
            m_workspace.trust.trust(QString::fromStdString(model->sha256));
        m_workspace.controller.look(Look::Loading);
    });
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
}

void MainWindow::connectReports()
{
    connect(m_reports.get(), &Reports::placeAsked, this, [this](const session::Selected &place) {
        if (place.stage.valid()) // an error tells of the model's stage, whether it has run or not
            show(Perspective::Split);
        m_workspace.selection.follow(place);
    });
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
    connect(&controller, &RunController::failed, this,
            [this] { m_reports->report(*m_workspace.controller.lastError()); });
    connect(&m_workspace.selection, &session::Selection::followed, this, [this](const session::Selected &link) {
        if (const std::optional<Perspective> seen = perspectiveOf(link))
            show(*seen);
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
}

bool MainWindow::open(const QString &path)
{
    return m_files->open(path);
}

void MainWindow::offerRecovery()
{
    m_files->recovery().offerAll();
}

void MainWindow::show(Perspective perspective)
{
    const bool isOther = perspective != m_docks->perspective();
    if (isOther) {
        m_docks->keep();
        m_docks->show(perspective);
    }
    showCanvas();
    showPage();
    m_actionTable->refresh();
}

void MainWindow::showCanvas()
{
    m_canvases->setCurrentWidget(m_docks->perspective() == Perspective::Split ? static_cast<QWidget *>(m_graph)
                                                                              : m_timeline);
}

void MainWindow::setTheme(const style::Theme &theme)
{
    m_theme = &theme;
    QApplication::setPalette(theme.palette()); // dialogs and tooltips too
    setStyleSheet(theme.styleSheet());
    m_toolBar->setTheme(theme);
    m_start->setTheme(theme);
    m_trustBar->setTheme(theme);
    m_graph->setTheme(theme);
    m_timeline->setTheme(theme);
    m_check->setTheme(theme);
}

void MainWindow::followTheme()
{
    if (m_desktop == nullptr) {
        m_desktop = new DesktopTheme(this);
        connect(m_desktop, &DesktopTheme::changed, this, &MainWindow::followTheme);
    }
    const QString chosen = m_workspace.settings.value(ThemeKey).toString();
    const bool isDark = chosen == "dark" || (chosen != "light" && isDesktopDark());
    if (const style::Theme &wanted = isDark ? style::Theme::dark() : style::Theme::light(); &wanted != m_theme)
        setTheme(wanted);
}

bool MainWindow::isOpen() const
{
    return !m_workspace.document.plan().model.empty() || m_hasTrace;
}

/// The start page has none of the docks: they are about what is open.
void MainWindow::showPage()
{
    if (!isOpen())
        for (QDockWidget *dock : m_docks->docks())
            dock->hide();
    else if (m_pages->currentWidget() == m_start)
        m_docks->show(m_docks->perspective());
    m_pages->setCurrentWidget(isOpen() ? static_cast<QWidget *>(m_canvases) : m_start);
}

void MainWindow::modelRead()
{
    const auto model = m_workspace.document.model();
    const auto before = std::exchange(m_lastModel, model);
    // What is selected is of the graph before: of another file's nothing is left.
    if (before && (!model || before->path != model->path || before->sha256 != model->sha256))
        m_workspace.selection.clear();
    else if (before &&
             (before->structureOnly != model->structureOnly || before->graph.nodes.size() != model->graph.nodes.size()))
        session::carryOver(m_workspace.selection, before->graph, model->graph);
    const bool isOnlyRead = model && model->structureOnly && !model->loadRefused;
    QStringList libraries;
    for (const std::string &library : m_workspace.document.plan().opLibraries)
        if (!m_workspace.trust.isTrusted({}, QString::fromStdString(library)))
            libraries << QString::fromStdString(library);
    m_trustBar->setLibraries(libraries);
    m_trustBar->setVisible(isOnlyRead);
    m_reports->reportRefusal(model.get(), m_workspace.document.plan());
    if (isOnlyRead) {
        const QString sha256 = QString::fromStdString(model->sha256);
        if (m_files->isExample())
            m_workspace.trust.trust(sha256);
        // A library is a program that the plan brings, however well its model is known.
        if (libraries.isEmpty() && m_workspace.trust.isTrusted(sha256, QString::fromStdString(model->path)))
            m_workspace.controller.look(Look::Loading);
    }
    m_actionTable->refresh();
}

void MainWindow::runFinished()
{
    if (m_workspace.controller.wasCheck())
        m_docks->reveal("checkDock");
    else
        show(Perspective::Timeline);
    m_reports->forgetReplacedModel();
    m_reports->reportDifference(*m_workspace.controller.runs().back());
}

void MainWindow::showTitle()
{
    const session::Document &document = m_workspace.document;
    const QString path = document.path().isEmpty() ? QString::fromStdString(document.plan().model) : document.path();
    setWindowTitle(path.isEmpty() ? tr("Pipescope") : tr("%1[*] - Pipescope").arg(QFileInfo(path).fileName()));
    setWindowModified(document.isModified());
    m_actionTable->refresh();
}

void MainWindow::listRecent()
{
    const std::vector<session::RecentFile> files = m_workspace.recentFiles.files();
    m_recent->setFiles(files);
    m_start->setRecent(files);
    const bool mustBeMade = m_workspace.example.find().isEmpty();
    m_start->setExample(mustBeMade ? tr("The example is made on this machine first: about 500 MB in your cache folder, "
                                        "some seconds.")
                                   : QString(),
                        m_workspace.example.whyNot());
}

void MainWindow::openSettings()
{
    SettingsDialog dialog(
        m_workspace.settings,
        [](const QStringList &command) { return std::make_unique<session::ProcessLink>(command); }, this);
    connect(&dialog, &SettingsDialog::themeChanged, this, &MainWindow::followTheme);
    connect(&dialog, &SettingsDialog::engineCommandChanged, this,
            [this] { m_reports->log(tr("The engine's command has changed; its next start uses it.")); });
    connect(&dialog, &SettingsDialog::autosaveChanged, &m_files->recovery(), &RecoveryOffers::readDelay);
    dialog.exec();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!m_files->mayBeLeft()) {
        event->ignore();
        return;
    }
    m_workspace.settings.setValue(GeometryKey, saveGeometry());
    if (isOpen()) // the start page has no layout
        m_docks->keep();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent *event)
{
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.first().isLocalFile())
        event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent *event)
{
    event->acceptProposedAction();
    m_files->openAfterAsking(event->mimeData()->urls().first().toLocalFile());
}

} // namespace pipescope::mainwindow
