#include "mainwindow/main_window.h"

#include "checkview/check_view.h"
#include "mainwindow/graph_page.h"
#include "mainwindow/start_page.h"
#include "mainwindow/timeline_page.h"
#include "mainwindow/trust_bar.h"
#include "plan/plan_file.h"
#include "runview/run_view.h"
#include "splitview/split_view.h"
#include "stageview/stage_view.h"

#include <QAction>
#include <QBoxLayout>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QStackedWidget>
#include <QStatusBar>
#include <QTabWidget>
#include <QTime>
#include <QToolButton>

namespace pipescope::mainwindow {

namespace {

constexpr auto RecentKey = "files/recent";
constexpr auto GeometryKey = "window/geometry";
constexpr auto StateKey = "window/state";
constexpr int MostRecent = 10;

using Look = session::RunController::Look;

} // namespace

MainWindow::MainWindow(session::MakeLink makeLink, QSettings &settings, const style::Theme &theme)
    : m_settings(settings)
    , m_theme(theme)
    , m_trust(settings)
    , m_engine(std::move(makeLink))
    , m_controller(m_document, m_engine)
    , m_pages(new QStackedWidget(this))
{
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setPalette(theme.palette());
    setStyleSheet(theme.styleSheet());
    auto *start = new StartPage(m_pages);
    connect(start, &StartPage::openAsked, this, &MainWindow::askForFile);
    m_pages->addWidget(start);
    m_trustBar = new TrustBar(theme, m_pages);
    auto *work = new QWidget(m_pages);
    auto *layout = new QVBoxLayout(work);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_trustBar);
    m_graph = new GraphPage(m_document, m_selection, theme, work);
    m_timeline = new TimelinePage(m_controller, m_selection, theme, work);
    m_canvases = new QTabWidget(work);
    m_canvases->setDocumentMode(true);
    m_canvases->addTab(m_graph, tr("Graph"));
    m_canvases->addTab(m_timeline, tr("Timeline"));
    layout->addWidget(m_canvases);
    m_pages->addWidget(work);
    setCentralWidget(m_pages);
    makeDocks();
    makeActions();
    makeStatusBar();

    connect(m_trustBar, &TrustBar::trusted, this, [this] {
        if (m_document.model())
            m_trust.trust(QString::fromStdString(m_document.model()->sha256));
        m_controller.look(Look::Loading);
    });
    connect(m_graph, &GraphPage::refused, this, [this](const QString &why) {
        log(why);
        statusBar()->showMessage(why);
    });
    connect(&m_document, &session::Document::modelChanged, this, &MainWindow::modelRead);
    connect(&m_document, &session::Document::pathChanged, this, &MainWindow::showTitle);
    connect(&m_document, &session::Document::planChanged, this, &MainWindow::showTitle);
    connect(&m_document, &session::Document::modifiedChanged, this, &MainWindow::showTitle);
    connect(&m_controller, &session::RunController::stateChanged, this, &MainWindow::showState);
    connect(&m_controller, &session::RunController::finished, this, [this] { show(Perspective::Timeline); });
    connect(&m_controller, &session::RunController::failed, this,
            [this] { log(QString::fromStdString(m_controller.lastError()->message)); });
    connect(&m_engine, &session::EngineClient::stateChanged, this, &MainWindow::showState);
    connect(&m_engine, &session::EngineClient::progressed, this,
            [this](std::int64_t, const QString &step, double fraction) {
                m_progress->setRange(0, fraction < 0 ? 0 : 1000);
                m_progress->setValue(fraction < 0 ? 0 : static_cast<int>(fraction * 1000));
                m_progress->setFormat(step);
            });
    for (const auto told : {&session::EngineClient::warned, &session::EngineClient::stalled})
        connect(&m_engine, told, this, [this](std::int64_t, const QString &text) { log(text); });
    connect(&m_engine, &session::EngineClient::printed, this, &MainWindow::log);

    restoreGeometry(m_settings.value(GeometryKey).toByteArray());
    restoreState(m_settings.value(StateKey).toByteArray());
    modelRead();
    showTitle();
    showState();
}

MainWindow::~MainWindow()
{
    // Views refer to the document and the rest, which are members and would go before Qt deletes its children.
    delete takeCentralWidget();
    qDeleteAll(findChildren<QDockWidget *>(QString(), Qt::FindDirectChildrenOnly));
}

bool MainWindow::open(const QString &path)
{
    if (plan::looksLikePlan(path.toStdString())) {
        if (const Status opened = m_document.open(path); !opened) {
            log(QString::fromStdString(opened.error().message));
            statusBar()->showMessage(QString::fromStdString(opened.error().message));
            return false;
        }
    } else if (const QFileInfo file(path); !file.isFile()) {
        const QString problem = tr("There is no file '%1'.").arg(path);
        log(problem);
        statusBar()->showMessage(problem);
        return false;
    } else {
        m_document.newFor(file.absoluteFilePath());
    }
    remember(QFileInfo(path).absoluteFilePath());
    m_pages->setCurrentIndex(1);
    m_controller.look(Look::Reading);
    return true;
}

void MainWindow::show(Perspective perspective)
{
    m_canvases->setCurrentWidget(perspective == Perspective::Split ? static_cast<QWidget *>(m_graph) : m_timeline);
}

void MainWindow::makeDocks()
{
    m_log = new QPlainTextEdit;
    m_log->setObjectName("log");
    m_log->setReadOnly(true);
    m_log->setMaximumBlockCount(10'000);
    struct Dock
    {
        const char *name;
        QString title;
        Qt::DockWidgetArea area;
        QWidget *widget;
    };
    const Dock docks[] = {
        {"splitDock", tr("Split points"), Qt::LeftDockWidgetArea, new splitview::SplitView(m_document, m_selection)},
        {"runDock", tr("Run"), Qt::RightDockWidgetArea, new runview::RunView(m_document, m_controller)},
        {"checkDock", tr("Check"), Qt::RightDockWidgetArea,
         new checkview::CheckView(m_controller, m_selection, m_theme)},
        {"stagesDock", tr("Stages"), Qt::BottomDockWidgetArea,
         new stageview::StageView(m_document, m_controller, m_selection)},
        {"logDock", tr("Log"), Qt::BottomDockWidgetArea, m_log},
    };
    for (const Dock &row : docks) {
        auto *dock = new QDockWidget(row.title, this);
        dock->setObjectName(row.name);
        dock->setWidget(row.widget);
        addDockWidget(row.area, dock);
    }
    tabifyDockWidget(findChild<QDockWidget *>("stagesDock"), findChild<QDockWidget *>("logDock"));
    findChild<QDockWidget *>("stagesDock")->raise();
}

QAction *MainWindow::addAction(QMenu &menu, const QString &text, const QKeySequence &keys, const char *name,
                               const std::function<void()> &done)
{
    QAction *action = menu.addAction(text);
    action->setShortcut(keys);
    action->setObjectName(name);
    connect(action, &QAction::triggered, this, done);
    return action;
}

void MainWindow::makeActions()
{
    QMenu &file = *menuBar()->addMenu(tr("&File"));
    addAction(file, tr("&Open..."), QKeySequence::Open, "open", [this] { askForFile(); });
    m_recent = file.addMenu(tr("Open &recent"));
    m_save = addAction(file, tr("&Save plan"), QKeySequence::Save, "save", [this] { save(); });
    addAction(file, tr("Save plan &as..."), QKeySequence::SaveAs, "saveAs", [this] { saveAs(); });
    addAction(file, tr("&Quit"), QKeySequence::Quit, "quit", [this] { close(); });
    QMenu &edit = *menuBar()->addMenu(tr("&Edit"));
    QAction *undo = m_document.undoStack().createUndoAction(this);
    undo->setShortcut(QKeySequence::Undo);
    QAction *redo = m_document.undoStack().createRedoAction(this);
    redo->setShortcut(QKeySequence::Redo);
    edit.addActions({undo, redo});
    QMenu &engine = *menuBar()->addMenu(tr("&Run"));
    m_run = addAction(engine, tr("&Run and check"), Qt::CTRL | Qt::Key_R, "run", [this] { m_controller.run(); });
    addAction(engine, tr("&Cancel"), Qt::CTRL | Qt::Key_Period, "cancel", [this] { m_controller.cancel(); });
    addAction(engine, tr("&Stop the engine"), {}, "stopEngine", [this] { m_engine.stop(); });
    QMenu &view = *menuBar()->addMenu(tr("&View"));
    addAction(view, tr("&Graph"), Qt::CTRL | Qt::Key_1, "showGraph", [this] { show(Perspective::Split); });
    addAction(view, tr("&Timeline"), Qt::CTRL | Qt::Key_2, "showTimeline", [this] { show(Perspective::Timeline); });
    addAction(view, tr("&Find in the graph"), QKeySequence::Find, "find", [this] {
        show(Perspective::Split);
        m_graph->startSearch();
    });
    view.addSeparator();
    for (const QDockWidget *dock : findChildren<QDockWidget *>())
        view.addAction(dock->toggleViewAction());
    showRecent();
}

void MainWindow::makeStatusBar()
{
    m_progress = new QProgressBar(this);
    m_progress->setMaximumWidth(240);
    m_progress->setAccessibleName(tr("Progress"));
    m_cancel = new QToolButton(this);
    m_cancel->setObjectName("cancelWork");
    m_cancel->setText(tr("Cancel"));
    connect(m_cancel, &QToolButton::clicked, &m_controller, &session::RunController::cancel);
    m_engineState = new QLabel(this);
    m_engineState->setObjectName("engineState");
    statusBar()->addPermanentWidget(m_progress);
    statusBar()->addPermanentWidget(m_cancel);
    statusBar()->addPermanentWidget(m_engineState);
}

void MainWindow::askForFile()
{
    const QString path = QFileDialog::getOpenFileName(
        this, tr("Open a model or plan"), {}, tr("Models and plans (*.pt *.jit *.ptl *.pth *.json);;All files (*)"));
    if (!path.isEmpty() && mayBeLeft())
        open(path);
}

bool MainWindow::save()
{
    if (m_document.path().isEmpty())
        return saveAs();
    const Status saved = m_document.saveAs(m_document.path());
    if (!saved)
        QMessageBox::warning(this, tr("The plan was not saved"), QString::fromStdString(saved.error().message));
    return static_cast<bool>(saved);
}

bool MainWindow::saveAs()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the plan"), tr("plan.json"), tr("Plans (*.json)"));
    if (path.isEmpty())
        return false;
    const Status saved = m_document.saveAs(path);
    if (!saved)
        QMessageBox::warning(this, tr("The plan was not saved"), QString::fromStdString(saved.error().message));
    else
        remember(path);
    return static_cast<bool>(saved);
}

bool MainWindow::mayBeLeft()
{
    if (!m_document.isModified())
        return true;
    const auto answer =
        QMessageBox::question(this, tr("Save the plan?"), tr("The plan has changes that are not saved."),
                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

void MainWindow::modelRead()
{
    const auto model = m_document.model();
    const bool onlyRead = model && model->structureOnly && !model->loadRefused;
    m_trustBar->setVisible(onlyRead);
    if (onlyRead && m_trust.isTrusted(QString::fromStdString(model->sha256), QString::fromStdString(model->path)))
        m_controller.look(Look::Loading);
}

void MainWindow::showTitle()
{
    const plan::Plan &plan = m_document.plan();
    const QString path = m_document.path().isEmpty() ? QString::fromStdString(plan.model) : m_document.path();
    setWindowTitle(path.isEmpty() ? tr("Pipescope") : tr("%1[*] - Pipescope").arg(QFileInfo(path).fileName()));
    setWindowModified(m_document.isModified());
    m_save->setEnabled(!plan.model.empty());
}

void MainWindow::showState()
{
    using State = session::EngineClient::State;
    const State state = m_engine.state();
    m_engineState->setText(state == State::Ready      ? tr("engine: ready")
                           : state == State::Starting ? tr("engine: starting")
                           : state == State::Lost     ? tr("engine: gone, the next run starts another")
                                                      : tr("engine: off"));
    m_engineState->setToolTip(state == State::Ready ? tr("%1, LibTorch %2, %3 cores on %4")
                                                          .arg(QString::fromStdString(m_engine.welcome().engine),
                                                               QString::fromStdString(m_engine.welcome().torch))
                                                          .arg(m_engine.welcome().cores)
                                                          .arg(QString::fromStdString(m_engine.welcome().host))
                                                    : m_engine.lostBecause());
    const bool busy = m_controller.isRunning() || m_controller.isLooking();
    m_progress->setVisible(busy);
    m_cancel->setVisible(busy);
    if (!busy)
        m_progress->reset();
    m_run->setEnabled(m_document.model() && !m_document.model()->structureOnly && !busy);
}

void MainWindow::remember(const QString &path)
{
    QStringList recent = m_settings.value(RecentKey).toStringList();
    recent.removeAll(path);
    recent.prepend(path);
    m_settings.setValue(RecentKey, QStringList(recent.mid(0, MostRecent)));
    showRecent();
}

void MainWindow::showRecent()
{
    m_recent->clear();
    for (const QString &path : m_settings.value(RecentKey).toStringList())
        connect(m_recent->addAction(path), &QAction::triggered, this, [this, path] {
            if (mayBeLeft())
                open(path);
        });
    m_recent->setEnabled(!m_recent->isEmpty());
}

void MainWindow::log(const QString &text)
{
    m_log->appendPlainText(QTime::currentTime().toString("HH:mm:ss ") + text.trimmed());
}

void MainWindow::closeEvent(QCloseEvent *event)
{
    if (!mayBeLeft()) {
        event->ignore();
        return;
    }
    m_settings.setValue(GeometryKey, saveGeometry());
    m_settings.setValue(StateKey, saveState());
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
    const QString path = event->mimeData()->urls().first().toLocalFile();
    event->acceptProposedAction();
    if (mayBeLeft())
        open(path);
}

} // namespace pipescope::mainwindow
