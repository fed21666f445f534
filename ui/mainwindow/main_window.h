// The window: the document, the engine, and the canvases and docks around them. What can be done in it is in
// window_actions.cpp, one row each.
#pragma once

#include "actions/action_table.h"
#include "actions/palette_model.h"
#include "mainwindow/dock_set.h"
#include "mainwindow/notice_area.h"
#include "mainwindow/settings_dialog.h"
#include "session/autosave.h"
#include "session/document.h"
#include "session/engine_client.h"
#include "session/example_model.h"
#include "session/opening.h"
#include "session/recent_files.h"
#include "session/recovery.h"
#include "session/run_controller.h"
#include "session/selection.h"
#include "session/tensor_probe.h"
#include "session/trust.h"
#include "style/theme.h"

#include <QMainWindow>
#include <QSettings>
#include <QTimer>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QStackedWidget;
class QToolButton;

namespace pipescope::actions {
class CommandPalette;
}
namespace pipescope::checkview {
class CheckView;
}

namespace pipescope::mainwindow {

class DesktopTheme;
class GraphPage;
class StartPage;
class TimelinePage;
class ToolBar;
class TrustBar;

inline constexpr auto GeometryKey = "window/geometry";
inline constexpr auto ErrorId = "error"; ///< of the notice of the last error

/// Folders of the user's and of this installation. Without one the window does without what is in it.
struct WindowPlaces
{
    QString recovery; ///< where copies of changed plans are kept; "": none are
    session::ExamplePlaces example;
};

class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    /// The settings must outlive the window.
    MainWindow(session::MakeLink makeLink, QSettings &settings, const style::Theme &theme,
               const WindowPlaces &places = {});
    ~MainWindow() override;

    /// A model, a plan or a trace. False, and a message in the window, where it cannot be opened. All are read beside
    /// (models and plans by the engine): opened() follows, or openFailed(), and the document stays as it is until then.
    bool open(const QString &path);
    /// The example, which is made first where it is not there.
    void openExample();
    /// Tells of plans that were left behind, and offers to restore them.
    void offerRecovery();

    [[nodiscard]] session::Document &document() { return m_document; }
    [[nodiscard]] session::RunController &controller() { return m_controller; }
    [[nodiscard]] session::Selection &selection() { return m_selection; }
    [[nodiscard]] const actions::ActionTable &actionTable() const { return *m_actions; }

    using Perspective = mainwindow::Perspective;
    void show(Perspective perspective);
    using QMainWindow::show;

    /// To every view, at once.
    void setTheme(const style::Theme &theme);
    [[nodiscard]] const style::Theme &theme() const { return *m_theme; }
    /// From now on the theme is as set, and changes with the desktop where that is set.
    void followTheme();

Q_SIGNALS:
    void opened(const QString &path);
    /// Also where open() has said so at once.
    void openFailed(const pipescope::Error &error);

protected:
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    void makePages();
    void makeDocks();
    void makeStatusBar();
    void connectSession();
    void connectOpening();

    // window_actions.cpp
    void makeActions();
    void addFileActions();
    void addEditActions();
    void addViewActions();
    void addLayoutActions();
    void addPlanActions();
    void addRunActions();
    void addHelpActions();
    void addCanvasKeys();
    void makeMenus();
    void listRecent();
    void openPalette();
    [[nodiscard]] QString whyNoModel() const;
    [[nodiscard]] QString whyNotRun() const;

    // window_plan.cpp
    [[nodiscard]] const partition::SplitPoint *splitPointHere() const;
    void placeSplitHere();
    void balanceStages();
    void tell(const Status &edited);

    // window_files.cpp
    void askForFile();
    void traceOpened(const QString &path);
    /// False where the user thought better of it, or it could not be written.
    bool save();
    bool saveAs();
    bool saveTo(const QString &path);
    bool mayBeLeft();
    void restore(const session::LeftBehind &left);
    void offer(const session::LeftBehind &left);
    /// What was about to be restored, where it is not any more.
    void offerAgain();
    void exportCanvas(const QWidget &canvas, const QString &name);
    void exportTable();
    void exportTrace();

    void showPage();
    void modelRead();
    void runFinished();
    void showTitle();
    void showState();
    void showStatus();
    void refreshActions();
    void cancelWork();
    void restartEngine();
    void report(const Error &error);
    void openSettings();
    void log(const QString &text);

    QSettings &m_settings;
    const style::Theme *m_theme;
    session::Trust m_trust;
    session::RecentFiles m_recentFiles;
    session::Document m_document;
    session::EngineClient m_engine;
    session::RunController m_controller;
    session::Selection m_selection;
    session::Opening m_opening;
    session::TensorProbe m_probe;
    session::ExampleModel m_example;
    const QString m_recoveryFolder;
    std::unique_ptr<session::Autosave> m_autosave;
    std::optional<session::LeftBehind> m_restoring;
    QString m_exampleModel; ///< that is being opened: the program made it, so that it needs no question
    int m_changesSeen = 0;  ///< the undo stack's index when an opening began
    bool m_hasTrace = false;
    bool m_checking = false;
    actions::PaletteItems m_modelItems; ///< of m_itemsOf
    std::shared_ptr<const pipescope::report::Inspection> m_itemsOf;
    QTimer m_busyTimer;

    actions::ActionTable *m_actions; // not owned, nor are those below: Qt's parent has them
    DockSet *m_docks;
    QStackedWidget *m_pages;
    StartPage *m_start = nullptr;
    GraphPage *m_graph = nullptr;
    TimelinePage *m_timeline = nullptr;
    checkview::CheckView *m_check = nullptr;
    TrustBar *m_trustBar = nullptr;
    NoticeArea *m_notices = nullptr;
    ToolBar *m_toolBar = nullptr;
    actions::CommandPalette *m_palette = nullptr;
    DesktopTheme *m_desktop = nullptr;
    QPlainTextEdit *m_log = nullptr;
    QMenu *m_recent = nullptr;
    QLabel *m_summary = nullptr;
    QLabel *m_saved = nullptr;
    QProgressBar *m_progress = nullptr;
    QToolButton *m_cancel = nullptr;
};

} // namespace pipescope::mainwindow
