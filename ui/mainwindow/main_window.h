// The window: the document, the engine, and the docks around them.
#pragma once

#include "session/document.h"
#include "session/engine_client.h"
#include "session/run_controller.h"
#include "session/selection.h"
#include "session/trust.h"
#include "style/theme.h"

#include <QMainWindow>
#include <QSettings>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QStackedWidget;
class QTabWidget;
class QToolButton;

namespace pipescope::mainwindow {

class GraphPage;
class TimelinePage;
class TrustBar;

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    /// The settings must outlive the window.
    MainWindow(session::MakeLink makeLink, QSettings &settings, const style::Theme &theme);
    ~MainWindow() override;

    /// A model or a plan. False, and a message in the window, where it cannot be opened; the document is then as it
    /// was.
    bool open(const QString &path);
    [[nodiscard]] session::Document &document() { return m_document; }
    [[nodiscard]] session::RunController &controller() { return m_controller; }
    [[nodiscard]] session::Selection &selection() { return m_selection; }

    enum class Perspective { Split, Timeline };
    void show(Perspective perspective);
    using QMainWindow::show;

protected:
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void makeDocks();
    void makeActions();
    void makeStatusBar();
    QAction *addAction(QMenu &menu, const QString &text, const QKeySequence &keys, const char *name,
                       const std::function<void()> &done);

    void askForFile();
    /// False where the user thought better of it, or it could not be written.
    bool save();
    bool saveAs();
    bool mayBeLeft();
    void modelRead();
    void showTitle();
    void showState();
    void remember(const QString &path);
    void showRecent();
    void log(const QString &text);

    QSettings &m_settings;
    const style::Theme &m_theme;
    session::Trust m_trust;
    session::Document m_document;
    session::EngineClient m_engine;
    session::RunController m_controller;
    session::Selection m_selection;
    QStackedWidget *m_pages; // not owned, nor are those below: Qt's parent has them
    QTabWidget *m_canvases = nullptr;
    GraphPage *m_graph = nullptr;
    TimelinePage *m_timeline = nullptr;
    TrustBar *m_trustBar = nullptr;
    QPlainTextEdit *m_log = nullptr;
    QMenu *m_recent = nullptr;
    QLabel *m_engineState = nullptr;
    QProgressBar *m_progress = nullptr;
    QToolButton *m_cancel = nullptr;
    QAction *m_run = nullptr;
    QAction *m_save = nullptr;
};

} // namespace pipescope::mainwindow
