// What the engine does for the document: loading its model, running its plan; and the runs that were made.
#pragma once

#include "report/run_report.h"
#include "session/document.h"
#include "session/engine_client.h"

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

namespace pipescope::session {

using Run = std::shared_ptr<const report::RunReport>;

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
    /// that is under way.
    void look(Look look);
    /// Runs the plan and compares with the unsplit model; finished() follows, or failed(). Nothing where one runs.
    void run();
    /// Gives up what is under way.
    void cancel();

    [[nodiscard]] bool isLooking() const { return m_looking.has_value(); }
    [[nodiscard]] bool isRunning() const { return m_running.has_value(); }
    /// In the order they were made, kept until another document is opened.
    [[nodiscard]] const std::vector<Run> &runs() const { return m_runs; }
    /// What there is of the run under way; null when none is.
    [[nodiscard]] std::shared_ptr<const trace::Trace> live() { return nullptr; }
    /// Of the last look or run; nullopt once one has gone well.
    [[nodiscard]] const std::optional<Error> &lastError() const { return m_lastError; }

Q_SIGNALS:
    /// isLooking, isRunning or lastError changed.
    void stateChanged();
    void finished();
    void failed();
    void runsChanged();
    /// live() has something new, or nothing any more.
    void liveChanged();

private:
    void looked(std::int64_t request, const Result<report::Inspection> &answer);
    void ran(const Result<report::RunReport> &answer);
    void fail(const Error &error);

    Document &m_document;
    EngineClient &m_engine;
    std::optional<std::int64_t> m_looking;
    std::optional<std::int64_t> m_running;
    std::vector<Run> m_runs;
    std::optional<Error> m_lastError;
};

} // namespace pipescope::session
