// The docks of the window.
#include "checkview/check_view.h"
#include "inspector/inspector_view.h"
#include "mainwindow/main_window.h"
#include "mainwindow/timeline_page.h"
#include "runview/run_view.h"
#include "splitview/split_view.h"
#include "stageview/stage_view.h"

#include <QFontDatabase>
#include <QPlainTextEdit>
#include <memory>

namespace pipescope::mainwindow {

namespace {

constexpr int MostLogLines = 10'000;

QPlainTextEdit *makeLog(QWidget *parent)
{
    auto *log = new QPlainTextEdit(parent);
    log->setObjectName("log");
    log->setAccessibleName(MainWindow::tr("Log"));
    log->setReadOnly(true);
    QFont font = log->font(); // in its size; tracebacks point at places by columns
    font.setFamilies(QFontDatabase::systemFont(QFontDatabase::FixedFont).families());
    log->setFont(font);
    log->setMaximumBlockCount(MostLogLines);
    return log;
}

} // namespace

void MainWindow::makeReports()
{
    m_log = makeLog(this);
    m_reports = std::make_unique<Reports>(m_workspace, *m_notices, *m_log);
    m_engineWatch = std::make_unique<EngineWatch>(m_workspace, *m_reports, *m_notices);
}

// What there is of docks. A row more is a dock more: its tab and its place in the menus follow. Which of them stand in
// a perspective, the table of perspectives says.
void MainWindow::makeDocks()
{
    m_check = new checkview::CheckView(m_workspace.controller, m_workspace.selection, *m_theme);
    Workspace &work = m_workspace;
    const runview::RunActions run{m_actionTable->action("run"), m_actionTable->action("profile"),
                                  m_actionTable->action("check"), m_actionTable->action("cancel")};
    m_docks->add({
        {"summaryDock", tr("Selection"), [this] { return m_timeline->summary(); }},
        {"inspectorDock", tr("Inspector"),
         [this] {
             auto *inspector = new inspector::InspectorView(m_workspace.document, m_workspace.controller,
                                                            m_workspace.selection, m_workspace.probe);
             inspector->setLend([this](const trace::Trace &trace) { return m_timeline->explanationOf(trace); });
             connect(m_timeline, &TimelinePage::laidOut, inspector, &inspector::InspectorView::refresh);
             return inspector;
         }},
        {"runDock", tr("Run"),
         [&work, &run] { return new runview::RunView(work.document, work.controller, run, &work.selection); }},
        {"stagesDock", tr("Stages"),
         [&work] { return new stageview::StageView(work.document, work.controller, work.selection); }},
        {"checkDock", tr("Check"), [this] { return m_check; }},
        {"logDock", tr("Log"), [this] { return m_log; }},
        {"splitDock", tr("Split points"), [&work] { return new splitview::SplitView(work.document, work.selection); }},
    });
}

} // namespace pipescope::mainwindow
