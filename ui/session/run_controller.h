// What the engine does for the document: loading its model, running its plan; and the runs that were made.
#pragma once

#include "report/run_report.h"
#include "session/document.h"
#include "session/engine_client.h"
#include "session/live_trace.h"

#include <QDateTime>
#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace pipescope::session {

using Run = std::shared_ptr<const report::RunReport>;

/// How a plan is run; no part of the plan.
struct RunSettings
{
    int warmUps = 1;   ///< runs before those that are measured
    int repeat = 1;    ///< measured runs
    bool check = true; ///< compare with the unsplit model

    friend bool operator==(const RunSettings &, const RunSettings &) = default;
};

class RunController : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive this.
    RunController(Document &document, EngineClient &engine, QObject *parent = nullptr);

    /// How the model's file may be looked at: `Reading` runs nothing in it, `Loading` runs its code, `Profiling` also
    /// runs the model on the plan's inputs.
    enum class Look { Reading, Loading, Profiling };
    Q_ENUM(Look)

    /// Has the engine look at the document's model; Document::setModel follows, or failed(). Replaces an earlier look
    /// that is under way. What was looked at before is loaded only while its file is the same; else failed(), and the
    /// file is read anew. Where the plan is edited meanwhile so that the answer would be another, it looks again first.
    void look(Look look);
    /// Looks with Profiling: the model is loaded and run on the plan's inputs, which there must be.
    void profile();
    /// Runs the plan as the settings say; finished() follows, or failed(). Nothing where one runs. Where the model's
    /// file was written to since it was read, it is read again first; is it another, modelReplaced() follows in place
    /// of a run, and nothing in it has run. The same holds for profile() and check().
    void run();
    /// One run without warm-up, for its comparison with the unsplit model; as run() otherwise, and among runs() too.
    void check();
    /// Gives up what is under way.
    void cancel();

    /// What is run.
    [[nodiscard]] const Document &document() const { return m_document; }
    [[nodiscard]] const RunSettings &settings() const { return m_settings; }
    /// For the runs to come.
    void setSettings(const RunSettings &settings);

    [[nodiscard]] bool isLooking() const { return m_looking.has_value(); }
    [[nodiscard]] bool isRunning() const { return m_running.has_value(); }
    /// In the order they were made, kept until another document is opened.
    [[nodiscard]] const std::vector<Run> &runs() const { return m_runs; }
    /// The last of runs() was made by check().
    [[nodiscard]] bool wasCheck() const { return m_wasCheck; }
    /// Whether the plan is another than when the last of runs() was begun: what that says may not hold for it.
    [[nodiscard]] bool isStale() const { return m_isStale; }
    /// What the measured run under way has done so far, by time; null where there is none, and until its first word. A
    /// snapshot that never changes. Costs a copy of its events where more has happened, so ask on liveChanged().
    [[nodiscard]] std::shared_ptr<const trace::Trace> live() { return m_live.snapshot(); }
    /// Of the last look or run; nullopt once one has gone well.
    [[nodiscard]] const std::optional<Error> &lastError() const { return m_lastError; }

Q_SIGNALS:
    /// isLooking, isRunning or lastError changed.
    void stateChanged();
    void finished();
    void failed();
    /// The model's file is another than it was when it was read: told before it is run, or after where that could not
    /// be seen from here. The document's model is then, or will soon be, what can be read of the new one.
    void modelReplaced();
    void runsChanged();
    /// isStale().
    void staleChanged();
    void settingsChanged();
    /// live() has something new, or nothing any more. At most 30 times a second, and slower where there is so much that
    /// making the snapshots would keep the window busy.
    void liveChanged();

private:
    /// Of the model's file, where it is on this machine.
    struct FileStamp
    {
        QDateTime written;
        qint64 size = 0;
        friend bool operator==(const FileStamp &, const FileStamp &) = default;
    };
    [[nodiscard]] FileStamp modelStamp() const;
    [[nodiscard]] bool readsFirst(const std::function<void()> &then);
    [[nodiscard]] bool readAgain(const report::Inspection &found);

    template <class Call>
    void askRun(const QString &title, const report::RunRequest &request);
    void forget();
    void followPlan();
    void compareWithPlan();
    void looked(std::int64_t id, Look asked, const report::InspectRequest &request,
                const Result<report::Inspection> &answer);
    void ran(std::int64_t id, const Result<report::RunReport> &answer);
    void fail(const Error &error);
    [[nodiscard]] std::string knownSha256() const;
    void lookAgainAfter(const Error &error);
    void note(std::int64_t request, const protocol::TraceNote &note);
    void endLive();

    Document &m_document;
    EngineClient &m_engine;
    FileStamp m_stamp; ///< when the document's model was read
    std::optional<std::int64_t> m_looking;
    std::function<void()> m_afterReading;              ///< what waits for a look that reads again, if any
    std::optional<report::InspectRequest> m_lookedFor; ///< of the last look, as if to load
    bool m_isSecondLook = false;                       ///< only whether the file has been replaced is of interest
    std::optional<std::int64_t> m_running;
    RunSettings m_settings;
    std::vector<Run> m_runs;
    plan::Plan m_planBegun; ///< of the run under way, if any
    plan::Plan m_planRun;   ///< of the last of m_runs
    bool m_isStale = false;
    LiveTrace m_live;
    bool m_isLive = false;
    QTimer m_liveTimer; ///< until liveChanged() may be told again
    std::optional<Error> m_lastError;
    bool m_isCheck = false; ///< what is running, or ran last
    bool m_wasCheck = false;
};

} // namespace pipescope::session
