#include "mainwindow/main_window.h"

#include "checkview/check_view.h"
#include "mainwindow/desktop_theme.h"
#include "mainwindow/graph_page.h"
#include "mainwindow/settings_dialog.h"
#include "mainwindow/start_page.h"
#include "mainwindow/status_bar.h"
#include "mainwindow/timeline_page.h"
#include "mainwindow/tool_bar.h"
#include "mainwindow/trust_bar.h"
#include "mainwindow/window_menus.h"
#include "session/process_link.h"
#include "shardview/shard_page.h"
#include "widgets/column_menu.h"
#include "widgets/typing.h"

#include <QApplication>
#include <QBoxLayout>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDropEvent>
#include <QFileInfo>
#include <QMenuBar>
#include <QMimeData>
#include <QPointer>
#include <QStackedWidget>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace pipescope::mainwindow {

namespace {

constexpr QSize LeastPage(600, 160);

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
    makeReports();
    makeCommands(places.recovery);
    makeDocks();
    m_recent = &fillMenus(*menuBar(), *m_actionTable, *m_docks);
    m_toolBar = new ToolBar(*m_actionTable, m_workspace.document, m_workspace.engine, this);
    addToolBar(m_toolBar);
    connect(m_toolBar, &ToolBar::refused, this, [this](const QString &why) {
        m_reports->report({ErrorCode::InvalidFile, why.toStdString(), {}, {}});
    });
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
    m_timeline =
        new TimelinePage(m_workspace.controller, m_workspace.selection, m_workspace.traces, *m_theme, m_canvases);
    m_shards = new shardview::ShardPage(m_workspace.settings, *m_theme, m_canvases);
    widgets::keepColumns(m_graph->table(), m_workspace.settings);
    for (const PerspectiveRow &row : perspectives())
        m_canvases->addWidget(&row.page(pages()));
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
                                                                      .shards = *m_shards,
                                                                      .window = *this,
                                                                      .show = toPerspective,
                                                                      .openPalette = [this] { m_palette->open(); },
                                                                      .openSettings = [this] { openSettings(); }});
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
    const QPointer<QWidget> before = focusWidget();
    if (isOther) {
        m_docks->keep();
        m_docks->show(perspective);
    }
    showCanvas();
    showPage();
    // What is hidden gives the keyboard to whatever stands next to it, a dock's tab for one.
    if (isOther && (before == nullptr || !before->isVisible()))
        focusCanvas();
    m_actionTable->refresh();
}

CanvasPages MainWindow::pages() const
{
    return {*m_graph, *m_timeline, *m_shards};
}

void MainWindow::showCanvas()
{
    m_canvases->setCurrentWidget(&rowOf(m_docks->perspective()).page(pages()));
}

void MainWindow::focusCanvas()
{
    rowOf(m_docks->perspective()).focus(pages()).setFocus();
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
    m_shards->setTheme(theme);
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

/// Without something open there are none of the docks, which are about it.
void MainWindow::showPage()
{
    if (!isOpen())
        m_docks->hideAll();
    else if (m_docks->areHidden())
        m_docks->showAgain();
    const bool hasCanvas = isOpen() || rowOf(m_docks->perspective()).shows == Shows::Always;
    m_pages->setCurrentWidget(hasCanvas ? static_cast<QWidget *>(m_canvases) : m_start);
}

void MainWindow::runFinished()
{
    if (m_workspace.controller.wasCheck())
        m_docks->reveal("checkDock");
    else
        show(Perspective::Timeline);
    m_reports->forgetError(); // of an earlier try
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
    const std::vector<session::RecentFile> files = m_workspace.recentFiles.files(m_workspace.engine.elsewhere());
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
    connect(&dialog, &SettingsDialog::engineCommandChanged, this, [this] {
        m_workspace.engine.stop();
        m_reports->log(tr("The engine's command has changed; the engine was ended, and its next start uses it."));
        if (m_workspace.document.model()) // the file of that path may be another for that engine
            m_workspace.controller.look(session::RunController::Look::Reading);
        m_actionTable->refresh();
        listRecent();
    });
    connect(&dialog, &SettingsDialog::autosaveChanged, &m_files->recovery(), &RecoveryOffers::readDelay);
    dialog.exec();
}

void MainWindow::leave()
{
    widgets::finishTyping();
    m_files->recovery().leave();
    keepLayout();
}

void MainWindow::keepLayout()
{
    m_workspace.settings.setValue(GeometryKey, saveGeometry());
    m_docks->keep();
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!m_files->mayBeLeft()) {
        event->ignore();
        return;
    }
    keepLayout();
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
