// Opening a model or a plan: the engine reads the model first, and only then the document becomes the new one. So a
// file that cannot be opened leaves everything as it was.
#pragma once

#include "session/document.h"
#include "session/engine_client.h"

#include <QObject>
#include <cstdint>
#include <optional>

namespace pipescope::session {

class Opening : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive this.
    Opening(Document &document, EngineClient &engine, QObject *parent = nullptr);

    /// A plan, or what is no plan as a model. Takes the place of one that is under way. Error: there is no such file,
    /// or it is a plan that cannot be read. Else opened() follows, or failed().
    Status open(const QString &path);
    /// A model on the engine's machine, by its path there: it is not looked for on this one. Error: the path is not
    /// absolute. Else opened() follows, or failed().
    Status openThere(const QString &path);
    /// As open(), for a plan that is no file, or not as it is in its file. The document is then modified.
    void recover(const plan::Plan &plan, const QString &planPath);
    void cancel();

    [[nodiscard]] bool isActive() const { return m_asked.has_value(); }
    /// What is being opened, or was last.
    [[nodiscard]] QString path() const { return m_path; }

Q_SIGNALS:
    /// isActive() changed.
    void stateChanged();
    /// The document is about to become another; who has a reason against it, as changes made meanwhile, sets `go`
    /// false. Whoever turns the event loop to find out may have another opening begin there, which takes its place.
    void replacing(bool &go);
    void opened(const QString &path);
    void failed(const pipescope::Error &error);

private:
    void begin(plan::Plan plan, const QString &path, const QString &planPath);
    void ask(plan::Plan plan);
    void answered(std::int64_t request, Result<report::Inspection> answer);

    Document &m_document;
    EngineClient &m_engine;
    std::optional<std::int64_t> m_asked;
    int m_begun = 0;                       // openings so far
    plan::Plan m_plan;                     // as in its file
    std::optional<plan::Plan> m_recovered; // what is to become of it
    QString m_path;
    QString m_planPath; // "" for a model
};

} // namespace pipescope::session
