// Saving the stages of the plan as files: what the engine does of it, and what it would write over.
#pragma once

#include "report/split_report.h"
#include "session/document.h"
#include "session/engine_client.h"

#include <QObject>
#include <optional>

namespace pipescope::session {

class StageSaver : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive this.
    StageSaver(Document &document, EngineClient &engine, QObject *parent = nullptr);

    /// The plan's stages into a folder, which is made where there is none; saved() follows, or failed(). Of the very
    /// file that the document's model was read from: another one is refused before it is loaded. Nothing where some
    /// are being saved. `unused`: what becomes of what the method does not use.
    void save(const QString &folder, report::Unused unused = report::Unused::LeftOut);
    /// Gives up what is under way; failed() with Cancelled follows.
    void cancel();
    [[nodiscard]] bool isSaving() const { return m_asked.has_value(); }
    /// As save() was told last.
    [[nodiscard]] QString folder() const { return m_folder; }

Q_SIGNALS:
    /// isSaving().
    void stateChanged();
    void saved(const pipescope::report::SplitReport &report);
    void failed(const pipescope::Error &error);

private:
    void forget();
    void answered(std::int64_t request, const Result<report::SplitReport> &answer);

    Document &m_document;
    EngineClient &m_engine;
    std::optional<std::int64_t> m_asked;
    QString m_folder;
};

/// The names of the files that saving so many stages makes, in their order.
[[nodiscard]] QStringList stageFiles(int stages);

/// Those of them that are in the folder already, in their order.
[[nodiscard]] QStringList writtenOver(const QString &folder, int stages);

/// Which of the files that the plan reads, or its own, saving so many stages into the folder would write over; "" for
/// none. Also through links.
[[nodiscard]] QString sourceWrittenOver(const Document &document, const QString &folder, int stages);
/// Likewise for a folder on another machine, by the paths alone: links there are not seen.
[[nodiscard]] QString sourceWrittenOverThere(const Document &document, const QString &folder, int stages);

} // namespace pipescope::session
