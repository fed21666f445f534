// The timeline with what belongs around it: which runs are shown, their numbers, an overview, where the time went, and
// all of it as tables. Follows the run under way.
#pragma once

#include "base/result.h"
#include "inspector/explained_run.h"
#include "mainwindow/run_partitions.h"
#include "session/run_controller.h"
#include "session/selection.h"
#include "session/side_thread.h"
#include "timeline/comparison.h"
#include "timeline/timeline_view.h"
#include "timeline/trace_reader.h"

#include <QElapsedTimer>
#include <QWidget>
#include <map>
#include <memory>
#include <optional>
#include <vector>

class QLabel;
class QSplitter;

namespace pipescope::timeline {
class RunBar;
class SelectionSummary;
class TimelineTables;
} // namespace pipescope::timeline

namespace pipescope::mainwindow {

class TimelinePage : public QWidget
{
    Q_OBJECT

public:
    /// All must outlive this.
    TimelinePage(session::RunController &controller, session::Selection &selection, timeline::TraceReader &reader,
                 const style::Theme &theme, QWidget *parent = nullptr);

    [[nodiscard]] timeline::TimelineView &view() { return *m_view; }
    /// Where the time went. Stands right of the lanes until somebody gives it another place.
    [[nodiscard]] QWidget *summary();
    void setTheme(const style::Theme &theme);
    /// Of a kept trace that is shown, or under way for one that is being laid out; laidOut() follows.
    [[nodiscard]] inspector::ExplainedRun::Lent explanationOf(const trace::Trace &trace) const;

public Q_SLOTS:
    /// Shows a trace file beside the runs, model or no model; traceOpened() follows, or refused().
    void openTrace(const QString &path);
    /// The trace of the run under way so far; null once the run is over, whose last trace stays.
    void showLive(const std::shared_ptr<const trace::Trace> &trace);

Q_SIGNALS:
    /// explanationOf() a trace is not under way any more.
    void laidOut();
    /// A trace file is shown now.
    void traceOpened(const QString &path);
    /// A sentence on the trace file that could not be shown.
    void refused(const QString &message);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    using LaidOut = Result<std::shared_ptr<const timeline::LaneModel>>;

    /// A run that is kept, or a file.
    struct Kept
    {
        QString name;
        QString listed; ///< in the list of runs
        QString detail; ///< with the figures
        QString warnings;
        std::shared_ptr<const trace::Trace> trace;
        trace::Stats stats;
        session::RunId id;
    };

    void layOut();
    void listRuns();
    void forgetFiles();
    void addFile(const QString &path, const std::shared_ptr<const timeline::LaneModel> &model);
    void offerKept();
    void showChosen();
    /// Shows the run that the selected action or span is of.
    void followSelection();
    /// Shows a picture of the live run that had `number` others before it.
    void takeLive(const LaidOut &made, int number, const session::BegunRun &begun);
    [[nodiscard]] timeline::ShownRun liveRun(std::shared_ptr<const timeline::LaneModel> model) const;
    /// Whether the live run that was shown last is over.
    [[nodiscard]] bool isLiveOver() const;
    /// Something else is asked for: runs that are over give way, and so do their pictures on the way.
    void leaveLive();
    void tellFigures();
    void tellWarnings();
    void updateTables();
    [[nodiscard]] std::vector<Kept> chosen() const;
    [[nodiscard]] session::Related relatedIn(const trace::Trace &trace) const;

    session::RunController &m_controller;
    session::Selection &m_selection;
    timeline::TraceReader &m_reader;
    mutable RunPartitions m_partitions;
    session::SideThread m_builder{session::SideThread::Older::Finished};     // a long trace takes part of a second
    session::SideThread m_liveBuilder{session::SideThread::Older::Finished}; // one that grows is laid out often
    std::vector<Kept> m_runs;
    std::vector<Kept> m_files;
    std::map<const trace::Trace *, std::shared_ptr<const timeline::LaneModel>> m_models; // of what is shown
    const trace::Trace *m_beingLaidOut = nullptr; // by m_builder, or the one that waits for it
    bool m_isLive = false; // the view shows the run under way, or what there is of one that did not end
    bool m_hasDocument = false;
    session::BegunRun m_liveBegun; // that run
    int m_liveNumber = 0;          // how many runs under way were over before that run
    int m_livesOver = 0;           // runs under way that are over by now
    int m_livesLeft = 0;           // so many of them are not shown any more
    bool m_continues = false;      // the next run that is shown is that one
    QElapsedTimer m_sinceTables;
    timeline::RunBar *m_bar; // not owned, nor are those below: Qt's parent has them
    QLabel *m_figures;
    QLabel *m_comparison;
    QLabel *m_warnings;
    timeline::TimelineView *m_view;
    timeline::SelectionSummary *m_summary;
    timeline::TimelineTables *m_tables;
};

} // namespace pipescope::mainwindow
