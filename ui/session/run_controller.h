// What the engine does for the document: loading its model, running its plan; and the runs that were made.
#pragma once

#include "report/traced_run.h"
#include "session/document.h"
#include "session/engine_client.h"
#include "session/live_trace.h"
#include "session/model_looks.h"
#include "session/selection.h"
#include "session/specialiser.h"

#include <QObject>
#include <QTimer>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::session {

using Run = std::shared_ptr<const report::TracedRun>;

/// How a plan is run; no part of the plan.
struct RunSettings
{
    int warmUps = 1;   ///< runs before those that are measured
    int repeat = 1;    ///< measured runs
    bool check = true; ///< compare with the unsplit model

    friend bool operator==(const RunSettings &, const RunSettings &) = default;
};

/// What a run was begun with, whatever the plan is now.
struct BegunRun
{
    RunId id;
    plan::Plan plan;
    std::string sha256; ///< of the model, as far as it was known then
};

class RunController : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive this.
    RunController(Document &document, EngineClient &engine, QObject *parent = nullptr);

    using Look = ModelLooks::Look;
    /// ModelLooks::look; Document::setModel follows, or failed().
    void look(Look look);
    /// ModelLooks::lookAgainAfter, for what others have asked of the model's file.
    void lookAgainAfter(const Error &error) { m_looks.lookAgainAfter(error); }
    /// Looks with Profiling: the model is loaded and run on the plan's inputs, which there must be.
    void profile();
    /// ModelLooks::isProfileStale.
    [[nodiscard]] bool isProfileStale() const { return m_looks.isProfileStale(); }
    /// Specialises the plan for what its inputs give: the engine makes the graph of these numbers, bools, texts and
    /// None (ModelLooks::GraphOf::Inputs), and measures it where the model was. The model must be loaded.
    void specialise();
    /// ModelLooks::specialisable.
    [[nodiscard]] std::optional<report::Specialisable> specialisable() const { return m_looks.specialisable(); }
    /// Runs the plan as the settings say; finished() follows, or failed(). Nothing where one runs. Where the model's
    /// file was written to since it was read, it is read again first; is it another, modelReplaced() follows in place
    /// of a run, and nothing in it has run. The same holds for profile() and check().
    void run();
    /// One run without warm-up, for its comparison with the unsplit model; as run() otherwise, and among runs() too.
    void check();
    /// Gives up what is under way.
    void cancel();
    /// While there is a reason, run(), check() and profile() do nothing: what stands in a form is not what they would
    /// go by. A sentence; "" for none.
    void hold(const QString &why);
    [[nodiscard]] const QString &heldBecause() const { return m_heldBecause; }

    /// EngineClient::machine.
    [[nodiscard]] const report::Machine &machine() const { return m_engine.machine(); }
    /// What is run.
    [[nodiscard]] const Document &document() const { return m_document; }
    [[nodiscard]] const RunSettings &settings() const { return m_settings; }
    /// For the runs to come.
    void setSettings(const RunSettings &settings);

    [[nodiscard]] bool isLooking() const { return m_looks.isLooking(); }
    /// ModelLooks::isLoading, ModelLooks::modelElsewhere.
    [[nodiscard]] bool isLoading() const { return m_looks.isLoading(); }
    [[nodiscard]] QString modelElsewhere() const { return m_looks.modelElsewhere(); }
    [[nodiscard]] bool isRunning() const { return m_running.has_value(); }
    /// What the engine does of that now, as it says: "comparing with the unsplit model"; "" while it has said nothing.
    [[nodiscard]] const QString &step() const { return m_step; }
    /// In the order they were made, kept until another document is opened.
    [[nodiscard]] const std::vector<Run> &runs() const { return m_runs; }
    /// What each of runs() was begun with.
    [[nodiscard]] const std::vector<BegunRun> &begunRuns() const { return m_begunRuns; }
    /// By which selections name it; invalid where it is none of runs().
    [[nodiscard]] RunId idOf(const report::TracedRun *run) const;
    /// One of runs(); null where it is none of them: the one under way, a trace that was opened.
    [[nodiscard]] Run runOf(RunId id) const;
    /// For a trace that was opened beside them: no two of a window have the same.
    [[nodiscard]] RunId newId() { return RunId{m_nextId++}; }
    /// The last of runs() was made by check().
    [[nodiscard]] bool wasCheck() const { return m_wasCheck; }
    /// The run under way, or what was the last one.
    [[nodiscard]] const BegunRun &begun() const { return m_begun; }
    /// Whether the plan is another than when the last of runs() was begun: what that says may not hold for it.
    [[nodiscard]] bool isStale() const { return m_isStale; }
    /// What the measured run under way has done so far, by time; null where there is none, and until its first word. A
    /// snapshot that never changes. Costs a copy of its events where more has happened, so ask on liveChanged().
    [[nodiscard]] std::shared_ptr<const trace::Trace> live() { return m_live.snapshot(); }
    /// Of the last look or run; nullopt once one has gone well.
    [[nodiscard]] const std::optional<Error> &lastError() const { return m_lastError; }

Q_SIGNALS:
    /// isLooking, isRunning, heldBecause or lastError changed.
    void stateChanged();
    /// step().
    void stepChanged();
    void finished();
    void failed();
    /// The model's file is another than it was when it was read: told before it is run, or after where that could not
    /// be seen from here. The document's model is then, or will soon be, what can be read of the new one.
    void modelReplaced();
    /// ModelLooks::splitsLeftOut.
    void splitsLeftOut(const std::vector<std::string> &words);
    void runsChanged();
    /// isStale().
    void staleChanged();
    void settingsChanged();
    /// machine().
    void machineChanged();
    /// live() has something new, or nothing any more. At most 30 times a second, and slower where there is so much that
    /// making the snapshots would keep the window busy. A failure tells the last of it at once.
    void liveChanged();

private:
    [[nodiscard]] bool readsFirst(const std::function<void()> &then);

    template <class Call>
    void askRun(const QString &title, const report::RunRequest &request);
    void forget();
    void compareWithPlan();
    void ran(std::int64_t id, Result<report::TracedRun> answer);
    void fail(const Error &error);
    void setStep(const QString &step);
    void note(std::int64_t request, const trace::TracePart &part);
    void endLive();

    Document &m_document;
    EngineClient &m_engine;
    ModelLooks m_looks;
    Specialiser m_specialiser;
    std::optional<std::int64_t> m_running;
    QString m_step;
    RunSettings m_settings;
    QString m_heldBecause;
    std::vector<Run> m_runs;
    std::vector<BegunRun> m_begunRuns; ///< of m_runs
    int m_nextId = 0;
    BegunRun m_begun;
    bool m_isStale = false;
    LiveTrace m_live;
    bool m_isLive = false;
    QTimer m_liveTimer; ///< until liveChanged() may be told again
    std::optional<Error> m_lastError;
    bool m_isCheck = false; ///< what is running, or ran last
    bool m_wasCheck = false;
};

} // namespace pipescope::session
