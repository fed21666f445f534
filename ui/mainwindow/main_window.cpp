#include "mainwindow/main_window.h"

#include "actions/command_palette.h"
#include "base/text.h"
#include "checkview/check_view.h"
#include "inspector/inspector_view.h"
#include "mainwindow/desktop_theme.h"
#include "mainwindow/error_places.h"
#include "mainwindow/graph_page.h"
#include "mainwindow/start_page.h"
#include "mainwindow/timeline_page.h"
#include "mainwindow/tool_bar.h"
#include "mainwindow/trust_bar.h"
#include "runview/run_view.h"
#include "session/process_link.h"
#include "session/staging.h"
#include "splitview/split_view.h"
#include "stageview/stage_view.h"

#include <QAction>
#include <QApplication>
#include <QBoxLayout>
#include <QDockWidget>
#include <QFileInfo>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTime>
#include <QToolButton>
#include <algorithm>
#include <utility>

namespace pipescope::mainwindow {

namespace {

using namespace std::chrono_literals;
using Look = session::RunController::Look;

constexpr auto DifferenceId = "difference";
constexpr auto BeforeProgress = 150ms; ///< what is done by then shows none

QString counted(std::size_t count, const QString &one, const QString &many)
{
    return QString::number(count) + ' ' + (count == 1 ? one : many);
}

constexpr qsizetype LongestNotice = 2'000;
constexpr qsizetype LongestEntry = 64'000; ///< of the log
constexpr qsizetype LongestStep = 200;

/// What an engine or a file says can be of any length, and laying out megabytes would hold the window up.
QString shortened(const QString &text, qsizetype most)
{
    return text.size() <= most ? text : text.left(most) + QStringLiteral("\u2026");
}

QString profileText(const report::Inspection &model, const plan::Plan &plan)
{
    if (!model.profiled)
        return MainWindow::tr("not profiled");
    return model.inputs == plan.inputs ? MainWindow::tr("profiled") : MainWindow::tr("profiled with other inputs");
}

enum Page { StartIndex, WorkIndex };
enum Canvas { GraphIndex, TimelineIndex };

} // namespace

MainWindow::MainWindow(session::MakeLink makeLink, QSettings &settings, const style::Theme &theme,
                       const WindowPlaces &places)
    : m_settings(settings)
    , m_theme(&theme)
    , m_trust(settings)
    , m_recentFiles(settings)
    , m_engine(std::move(makeLink))
    , m_controller(m_document, m_engine)
    , m_opening(m_document, m_engine)
    , m_probe(m_engine)
    , m_example(places.example)
    , m_recoveryFolder(places.recovery)
    , m_actions(new actions::ActionTable(*this))
    , m_docks(new DockSet(*this, settings))
    , m_pages(new QStackedWidget(this))
{
    setAcceptDrops(true);
    makePages();
    makeDocks();
    makeActions();
    makeStatusBar();
    m_toolBar = new ToolBar(*m_actions, m_document, m_engine, this);
    addToolBar(m_toolBar);
    m_palette = new actions::CommandPalette(*this);
    connectSession();
    connectOpening();
    if (!m_recoveryFolder.isEmpty()) {
        m_autosave = std::make_unique<session::Autosave>(
            m_document, m_recoveryFolder,
            std::chrono::seconds(std::max(1, m_settings.value(AutosaveKey, AutosaveSeconds).toInt())));
        connect(m_autosave.get(), &session::Autosave::failed, this, &MainWindow::log);
    }
    restoreGeometry(m_settings.value(GeometryKey).toByteArray());
    m_docks->show(Perspective::Split);
    setTheme(theme);
    showPage();
    modelRead();
    showTitle();
    showState();
}

MainWindow::~MainWindow()
{
    // Views refer to the document and the rest, which are members and would go before Qt deletes its children.
    disconnect(&m_engine, nullptr, this, nullptr);
    disconnect(&m_controller, nullptr, this, nullptr);
    disconnect(&m_document, nullptr, this, nullptr);
    disconnect(&m_document.undoStack(), nullptr, this, nullptr);
    delete takeCentralWidget();
    qDeleteAll(m_docks->docks());
    delete m_toolBar;
    delete m_palette;
}

void MainWindow::makePages()
{
    m_start = new StartPage(m_pages);
    auto *canvases = new QStackedWidget(m_pages);
    canvases->setObjectName("canvases");
    m_graph = new GraphPage(m_document, m_selection, *m_theme, canvases);
    m_timeline = new TimelinePage(m_controller, m_selection, *m_theme, canvases);
    canvases->addWidget(m_graph);
    canvases->addWidget(m_timeline);
    m_pages->addWidget(m_start);
    m_pages->addWidget(canvases);

    auto *middle = new QWidget(this);
    m_notices = new NoticeArea(middle);
    m_trustBar = new TrustBar(*m_theme, middle);
    auto *layout = new QVBoxLayout(middle);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_notices);
    layout->addWidget(m_trustBar);
    layout->addWidget(m_pages, 1);
    setCentralWidget(middle);

    connect(m_start, &StartPage::openAsked, this, &MainWindow::askForFile);
    connect(m_start, &StartPage::exampleAsked, this, &MainWindow::openExample);
    connect(m_start, &StartPage::recentAsked, this, [this](const QString &path) { open(path); });
    connect(m_trustBar, &TrustBar::trusted, this, [this] {
        if (m_document.model())
            m_trust.trust(QString::fromStdString(m_document.model()->sha256));
        m_controller.look(Look::Loading);
    });
    connect(m_graph, &GraphPage::refused, this, [this](const QString &why) {
        log(why);
        statusBar()->showMessage(why);
    });
    connect(m_timeline, &TimelinePage::traceOpened, this, &MainWindow::traceOpened);
    connect(m_timeline, &TimelinePage::refused, this, [this](const QString &why) {
        const Error error{ErrorCode::InvalidFile, why.toStdString(), {}, {}};
        report(error);
        Q_EMIT openFailed(error);
    });
}

// What there is of docks. A row more is a dock more: its tab, its place in the menus and in the layouts follow.
void MainWindow::makeDocks()
{
    m_log = new QPlainTextEdit;
    m_log->setObjectName("log");
    m_log->setAccessibleName(tr("Log"));
    m_log->setReadOnly(true);
    m_log->setMaximumBlockCount(10'000);
    m_check = new checkview::CheckView(m_controller, m_selection, *m_theme);
    const DockPlace right{Qt::RightDockWidgetArea, true};
    const DockPlace hiddenRight{Qt::RightDockWidgetArea, false};
    const DockPlace bottom{Qt::BottomDockWidgetArea, true};
    const DockPlace hiddenBottom{Qt::BottomDockWidgetArea, false};
    m_docks->add({
        {"summaryDock", tr("Selection"), [this] { return m_timeline->summary(); }, hiddenRight, right},
        {"inspectorDock", tr("Inspector"),
         [this] { return new inspector::InspectorView(m_document, m_controller, m_selection, m_probe); }, right, right},
        {"runDock", tr("Run"), [this] { return new runview::RunView(m_document, m_controller, &m_selection); }, right,
         right},
        {"stagesDock", tr("Stages"), [this] { return new stageview::StageView(m_document, m_controller, m_selection); },
         bottom, hiddenBottom},
        {"checkDock", tr("Check"), [this] { return m_check; }, bottom, right},
        {"logDock", tr("Log"), [this] { return m_log; }, bottom, hiddenBottom},
        {"splitDock", tr("Split points"), [this] { return new splitview::SplitView(m_document, m_selection); }, bottom,
         hiddenBottom},
    });
    connect(m_docks, &DockSet::perspectiveRestored, this, [this] {
        static_cast<QStackedWidget *>(m_pages->widget(WorkIndex))
            ->setCurrentIndex(m_docks->perspective() == Perspective::Split ? GraphIndex : TimelineIndex);
    });
}

void MainWindow::makeStatusBar()
{
    m_summary = new QLabel(this);
    m_summary->setObjectName("summary");
    m_saved = new QLabel(this);
    m_saved->setObjectName("saved");
    for (QLabel *label : {m_summary, m_saved})
        label->setContentsMargins(8, 0, 8, 0);
    m_progress = new QProgressBar(this);
    m_progress->setMaximumWidth(240);
    m_progress->setAccessibleName(tr("Progress"));
    m_cancel = new QToolButton(this);
    m_cancel->setObjectName("cancelWork");
    m_cancel->setText(tr("Cancel"));
    connect(m_cancel, &QToolButton::clicked, this, &MainWindow::cancelWork);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->addWidget(m_summary);
    for (QWidget *widget :
         {static_cast<QWidget *>(m_progress), static_cast<QWidget *>(m_cancel), static_cast<QWidget *>(m_saved)})
        statusBar()->addPermanentWidget(widget);
    m_busyTimer.setSingleShot(true);
    m_busyTimer.setInterval(BeforeProgress);
    connect(&m_busyTimer, &QTimer::timeout, this, [this] {
        m_progress->show();
        m_cancel->show();
    });
}

void MainWindow::connectSession()
{
    using session::Document;
    using session::EngineClient;
    using session::RunController;
    connect(&m_document, &Document::modelChanged, this, &MainWindow::modelRead);
    for (const auto changed : {&Document::pathChanged, &Document::planChanged, &Document::modifiedChanged})
        connect(&m_document, changed, this, &MainWindow::showTitle);
    connect(&m_document.undoStack(), &QUndoStack::indexChanged, this, &MainWindow::refreshActions);
    connect(&m_selection, &session::Selection::changed, this, &MainWindow::refreshActions);
    connect(&m_controller, &RunController::stateChanged, this, &MainWindow::showState);
    connect(&m_controller, &RunController::runsChanged, this, &MainWindow::refreshActions);
    connect(&m_controller, &RunController::finished, this, &MainWindow::runFinished);
    connect(&m_controller, &RunController::failed, this, [this] {
        m_checking = false;
        report(*m_controller.lastError());
    });
    connect(&m_engine, &EngineClient::stateChanged, this, &MainWindow::showState);
    connect(&m_engine, &EngineClient::progressed, this, [this](std::int64_t, const QString &step, double fraction) {
        m_progress->setRange(0, fraction < 0 ? 0 : 1000);
        m_progress->setValue(fraction < 0 ? 0 : static_cast<int>(fraction * 1000));
        m_progress->setFormat(shortened(step, LongestStep));
    });
    for (const auto told : {&EngineClient::warned, &EngineClient::stalled})
        connect(&m_engine, told, this, [this](std::int64_t, const QString &text) { log(text); });
    connect(&m_engine, &EngineClient::printed, this, &MainWindow::log);
}

void MainWindow::connectOpening()
{
    using session::Opening;
    connect(&m_opening, &Opening::stateChanged, this, &MainWindow::showState);
    connect(&m_opening, &Opening::replacing, this, [this](bool &go) {
        // Changes made while the engine was reading have not been asked about.
        go = !m_document.isModified() || m_document.undoStack().index() == m_changesSeen || mayBeLeft();
        if (!go)
            offerAgain();
    });
    connect(&m_opening, &Opening::opened, this, [this](const QString &path) {
        if (m_restoring) {
            if (m_autosave)
                m_autosave->flush(); // a copy of this window's own, before that of the other goes
            m_restoring->discard();
            m_restoring.reset();
        } else {
            m_recentFiles.add(path);
        }
        m_notices->remove(ErrorId);
        m_notices->remove(DifferenceId);
        m_hasTrace = false;
        m_checking = false;
        listRecent();
        show(Perspective::Split);
        Q_EMIT opened(path);
    });
    connect(&m_opening, &Opening::failed, this, [this](const Error &error) {
        report(error);
        offerAgain();
        Q_EMIT openFailed(error);
    });
    connect(&m_example, &session::ExampleModel::stateChanged, this, &MainWindow::showState);
    connect(&m_example, &session::ExampleModel::failed, this, &MainWindow::report);
    connect(&m_example, &session::ExampleModel::found, this, [this](const QString &plan) {
        m_exampleModel = plan;
        open(plan);
    });
}

void MainWindow::show(Perspective perspective)
{
    auto *canvases = static_cast<QStackedWidget *>(m_pages->widget(WorkIndex));
    const bool isOther = perspective != m_docks->perspective();
    if (isOther)
        m_docks->keep();
    canvases->setCurrentIndex(perspective == Perspective::Split ? GraphIndex : TimelineIndex);
    if (isOther)
        m_docks->show(perspective);
    showPage();
    refreshActions();
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
    const QString chosen = m_settings.value(ThemeKey).toString();
    const bool isDark = chosen == "dark" || (chosen != "light" && isDesktopDark());
    if (const style::Theme &wanted = isDark ? style::Theme::dark() : style::Theme::light(); &wanted != m_theme)
        setTheme(wanted);
}

/// The start page has none of the docks: they are about what is open.
void MainWindow::showPage()
{
    const bool isOpen = !m_document.plan().model.empty() || m_hasTrace;
    const int page = isOpen ? WorkIndex : StartIndex;
    if (!isOpen)
        for (QDockWidget *dock : m_docks->docks())
            dock->hide();
    else if (m_pages->currentIndex() == StartIndex)
        m_docks->show(m_docks->perspective());
    m_pages->setCurrentIndex(page);
}

void MainWindow::modelRead()
{
    const auto model = m_document.model();
    const bool onlyRead = model && model->structureOnly && !model->loadRefused;
    QStringList libraries;
    for (const std::string &library : m_document.plan().opLibraries)
        if (!m_trust.isTrusted({}, QString::fromStdString(library)))
            libraries << QString::fromStdString(library);
    m_trustBar->setLibraries(libraries);
    m_trustBar->setVisible(onlyRead);
    // Not what is being opened: that may be the example while this is another model.
    if (onlyRead && !m_exampleModel.isEmpty() && m_document.path() == m_exampleModel)
        m_trust.trust(QString::fromStdString(model->sha256));
    // A library is a program that the plan brings, however well its model is known.
    if (onlyRead && libraries.isEmpty() &&
        m_trust.isTrusted(QString::fromStdString(model->sha256), QString::fromStdString(model->path)))
        m_controller.look(Look::Loading);
    showStatus();
    refreshActions();
}

void MainWindow::runFinished()
{
    m_notices->remove(DifferenceId);
    const bool onlyChecked = std::exchange(m_checking, false);
    if (!onlyChecked)
        show(Perspective::Timeline);
    else
        m_docks->reveal("checkDock");
    const report::RunReport &run = *m_controller.runs().back();
    if (!run.equivalence || run.equivalence->overall.equal)
        return;
    Notice notice;
    notice.text = tr("The split model is not the unsplit one: %1")
                      .arg(shortened(QString::fromStdString(run.equivalence->explanation), LongestNotice));
    if (run.equivalence->first && run.equivalence->first->node.valid())
        notice.links.push_back({tr("First difference"), [this, node = run.equivalence->first->node] {
                                    show(Perspective::Split);
                                    m_selection.selectNode(node);
                                }});
    notice.links.push_back({tr("Show the check"), [this] { m_docks->reveal("checkDock"); }});
    log(notice.text);
    m_notices->post(DifferenceId, notice);
}

void MainWindow::showTitle()
{
    const plan::Plan &plan = m_document.plan();
    const QString path = m_document.path().isEmpty() ? QString::fromStdString(plan.model) : m_document.path();
    setWindowTitle(path.isEmpty() ? tr("Pipescope") : tr("%1[*] - Pipescope").arg(QFileInfo(path).fileName()));
    setWindowModified(m_document.isModified());
    showStatus();
    refreshActions();
}

void MainWindow::showState()
{
    const bool isBusy =
        m_controller.isRunning() || m_controller.isLooking() || m_opening.isActive() || m_example.isMaking();
    if (!isBusy) {
        m_busyTimer.stop();
        m_progress->hide();
        m_cancel->hide();
        m_progress->reset();
    } else if (!m_busyTimer.isActive() && m_progress->isHidden()) {
        m_progress->setRange(0, 0);
        m_progress->setFormat(m_example.isMaking() ? tr("making the example") : m_engine.doing());
        m_busyTimer.start();
    }
    showStatus();
    refreshActions();
}

void MainWindow::showStatus()
{
    const auto model = m_document.model();
    QStringList parts;
    if (m_example.isMaking())
        parts << tr("Making the example model, about 500 MB...");
    else if (m_opening.isActive())
        parts << tr("Opening %1...").arg(QFileInfo(m_opening.path()).fileName());
    else if (model && model->structureOnly)
        parts << tr("%1, structure only").arg(counted(model->graph.modules.size(), tr("module"), tr("modules")));
    else if (model)
        parts << tr("%1 in %2")
                     .arg(counted(model->graph.nodes.size(), tr("node"), tr("nodes")),
                          counted(model->graph.modules.size(), tr("module"), tr("modules")))
              << counted(m_document.plan().splits.size() + 1, tr("stage"), tr("stages"))
              << profileText(*model, m_document.plan());
    m_summary->setText(parts.join(QStringLiteral(" \u00b7 ")));
    const QFileInfo file(m_document.path());
    m_saved->setText(m_document.plan().model.empty() ? QString()
                     : m_document.path().isEmpty()   ? tr("plan not saved")
                     : m_document.isModified()       ? tr("plan changed since it was saved")
                                               : tr("plan saved %1").arg(file.lastModified().time().toString("HH:mm")));
}

void MainWindow::refreshActions()
{
    m_actions->refresh();
}

void MainWindow::cancelWork()
{
    m_controller.cancel();
    m_opening.cancel();
    if (m_example.isMaking())
        m_example.cancel();
}

void MainWindow::restartEngine()
{
    m_engine.stop();
    m_engine.start();
    m_notices->remove(ErrorId);
}

void MainWindow::report(const Error &error)
{
    const QString text = QString::fromStdString(error.message);
    log(text);
    if (!error.details.empty())
        log(QString::fromStdString(error.details));
    if (error.code == ErrorCode::Cancelled) { // as asked: no fault
        statusBar()->showMessage(shortened(text, LongestStep), 5000);
        return;
    }
    Notice notice;
    notice.text = shortened(text, LongestNotice);
    const auto model = m_document.model();
    if (model)
        for (const ErrorPlace &place :
             placesOf(error, model->graph, static_cast<int>(m_document.plan().splits.size()) + 1))
            notice.links.push_back({place.text, [this, place] {
                                        show(Perspective::Split);
                                        if (place.node.valid())
                                            m_selection.selectNode(place.node);
                                        else
                                            m_selection.selectStage(place.stage);
                                    }});
    if (m_engine.state() == session::EngineClient::State::Lost)
        notice.links.push_back({tr("Restart engine"), [this] { restartEngine(); }, true});
    notice.links.push_back({tr("Show log"), [this] { m_docks->reveal("logDock"); }});
    m_notices->post(ErrorId, notice);
}

void MainWindow::openSettings()
{
    SettingsDialog dialog(
        m_settings, [](const QStringList &command) { return std::make_unique<session::ProcessLink>(command); }, this);
    connect(&dialog, &SettingsDialog::themeChanged, this, &MainWindow::followTheme);
    connect(&dialog, &SettingsDialog::engineCommandChanged, this,
            [this] { log(tr("The engine's command has changed; its next start uses it.")); });
    connect(&dialog, &SettingsDialog::autosaveChanged, this, [this] {
        if (m_autosave)
            m_autosave->setDelay(std::chrono::seconds(m_settings.value(AutosaveKey, AutosaveSeconds).toInt()));
    });
    dialog.exec();
}

void MainWindow::log(const QString &text)
{
    m_log->appendPlainText(QTime::currentTime().toString("HH:mm:ss ") + shortened(text.trimmed(), LongestEntry));
}

} // namespace pipescope::mainwindow
