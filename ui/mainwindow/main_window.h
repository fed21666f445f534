// The window: puts the document, the canvases, the docks and what can be done together, and decides what is shown. What
// each of them does is theirs.
#pragma once

#include "mainwindow/dock_set.h"
#include "mainwindow/engine_watch.h"
#include "mainwindow/file_commands.h"
#include "mainwindow/plan_commands.h"
#include "mainwindow/reports.h"
#include "mainwindow/window_actions.h"
#include "mainwindow/window_palette.h"
#include "mainwindow/workspace.h"
#include "style/theme.h"

#include <QMainWindow>
#include <memory>
#include <set>
#include <string>

class QPlainTextEdit;
class QStackedWidget;

namespace pipescope::checkview {
class CheckView;
}
namespace pipescope::shardview {
class ShardPage;
}

namespace pipescope::mainwindow {

class DesktopTheme;
class GraphPage;
class RecentMenu;
class StartPage;
class StatusBar;
class TimelinePage;
class ToolBar;
class TrustBar;

inline constexpr auto GeometryKey = "window/geometry";

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
    /// Tells of plans that were left behind, and offers to restore them.
    void offerRecovery();
    /// Before the program ends without a question, as at SIGTERM: changes are kept, and offered at the next start;
    /// the layout is kept as when the window closes.
    void leave();

    [[nodiscard]] session::Document &document() { return m_workspace.document; }
    [[nodiscard]] session::RunController &controller() { return m_workspace.controller; }
    [[nodiscard]] session::EngineClient &engine() { return m_workspace.engine; }
    [[nodiscard]] session::Selection &selection() { return m_workspace.selection; }
    [[nodiscard]] const actions::ActionTable &actionTable() const { return *m_actionTable; }

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
    void makeReports();
    void makeCommands(const QString &recoveryFolder);
    void makeDocks();
    void connectPages();
    void connectFiles();
    void connectReports();
    void connectWorkspace();

    [[nodiscard]] bool isOpen() const;
    [[nodiscard]] CanvasPages pages() const;
    void showPage();
    void showCanvas();
    void focusCanvas();
    void showTitle();
    void keepLayout();
    void listRecent();
    void modelRead();
    void keepSelection();
    void askForTrust();
    void modelTrusted();
    void loadTrusted();
    void showTrust();
    void runFinished();
    void openSettings();

    Workspace m_workspace;
    const style::Theme *m_theme;
    bool m_hasTrace = false; ///< a trace file is shown
    std::shared_ptr<const report::Inspection> m_lastModel;
    std::set<std::string> m_begunToLoad; ///< hashes of files whose code may have run

    actions::ActionTable *m_actionTable; // not owned, nor are those below: Qt's parent has them
    DockSet *m_docks;
    NoticeArea *m_notices;
    QPlainTextEdit *m_log = nullptr;
    QStackedWidget *m_pages;
    QStackedWidget *m_canvases = nullptr;
    StartPage *m_start = nullptr;
    GraphPage *m_graph = nullptr;
    TimelinePage *m_timeline = nullptr;
    shardview::ShardPage *m_shards = nullptr;
    checkview::CheckView *m_check = nullptr;
    TrustBar *m_trustBar = nullptr;
    StatusBar *m_statusBar = nullptr;
    ToolBar *m_toolBar = nullptr;
    RecentMenu *m_recent = nullptr;
    DesktopTheme *m_desktop = nullptr;

    std::unique_ptr<Reports> m_reports;
    std::unique_ptr<EngineWatch> m_engineWatch;
    std::unique_ptr<FileCommands> m_files;
    std::unique_ptr<PlanCommands> m_plan;
    std::unique_ptr<WindowPalette> m_palette;
    std::unique_ptr<WindowActions> m_actions;
};

} // namespace pipescope::mainwindow
