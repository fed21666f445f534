// Looks at the model's file, by the engine: what is found is the document's model.
#pragma once

#include "report/inspection.h"
#include "session/document.h"
#include "session/engine_client.h"

#include <QDateTime>
#include <QObject>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pipescope::session {

class ModelLooks : public QObject
{
    Q_OBJECT

public:
    /// Both must outlive this.
    ModelLooks(Document &document, EngineClient &engine, QObject *parent = nullptr);

    /// How the model's file may be looked at: `Reading` runs nothing in it, `Loading` runs its code, `Profiling` also
    /// runs the model on the plan's inputs.
    enum class Look { Reading, Loading, Profiling };
    Q_ENUM(Look)

    /// Whose graph is to be made of a model that is loaded: that of the plan as it is; that of the numbers, bools,
    /// texts and None among the plan's inputs, for which the plan is then specialised; or that one only where it has
    /// more places to split and all splits of the plan are in it, else nothing follows, also of an error.
    enum class GraphOf { Plan, Inputs, InputsWhereItHelps };

    /// Has the engine look at the document's model; Document::setModel follows, or failed(). Where the graph is of
    /// other values than before, splits that it has no place for are taken out of the plan, in one undo step with the
    /// edit that asked for it, and splitsLeftOut() tells of them. Replaces an earlier look that is under way. What was
    /// looked at before is loaded only while its file is the same; else failed(), and the file is read anew. Where the
    /// plan is edited meanwhile so that the answer would be another, it looks again first. A file whose hash was left
    /// out is read to its end, whatever the look: loading it is to be asked for again.
    void look(Look look, GraphOf graphOf = GraphOf::Plan);
    /// Where the model's file was written to since it was read: true, and it is read again; `then` follows where it is
    /// the same one nevertheless, else modelReplaced(). Forgotten by any other look. False, and nothing else, where
    /// nothing was written. So too where the model is from an engine elsewhere, or of here, and the one now is not:
    /// then only what was read follows, as what was trusted there is not trusted here.
    bool readsFirst(const std::function<void()> &then);
    /// After what failed for its file: that may be because it is another by now. Then what is known is of another, and
    /// whether to trust it is to be asked. Nothing for other errors, and while a look is under way, which will tell.
    void lookAgainAfter(const Error &error);
    /// `sha256` is what stood at the model's path when `known` was all that was known of it: where that is so still, it
    /// is read again, and modelReplaced(). Nothing where something newer is known, or either is "".
    void foundThere(const std::string &sha256, const std::string &known);
    void cancel();
    /// Of a document that is gone: what is under way is nobody's. Tells nothing. False where there was nothing.
    bool forget();

    [[nodiscard]] bool isLooking() const { return m_looking.has_value(); }
    /// isLooking(), in a way that runs code of the file.
    [[nodiscard]] bool isLoading() const { return isLooking() && m_isLoading; }
    /// EngineClient::elsewhere of the engine that the document's model is from.
    [[nodiscard]] QString modelElsewhere() const { return m_stamp.elsewhere; }
    /// Of the document's model; "" where none is known for the plan. Only the file that was looked at may run: that one
    /// is trusted, and its graph is what the plan is about.
    [[nodiscard]] std::string knownSha256() const;
    /// Whether the document's model was profiled on other inputs, or with another seed, threads, gradients or
    /// libraries, than the plan has now. False where it was not profiled.
    [[nodiscard]] bool isProfileStale() const;
    /// What specialising for the plan's present inputs would bring, where the engine has told: nullopt where it opens
    /// no place, and where the plan is specialised.
    [[nodiscard]] std::optional<report::Specialisable> specialisable() const;

Q_SIGNALS:
    /// isLooking().
    void stateChanged();
    void failed(const pipescope::Error &error);
    void wentWell();
    /// The model's file is another than it was when it was read.
    void modelReplaced();
    /// Words of splits, which the graph that follows has no place for.
    void splitsLeftOut(const std::vector<std::string> &words);

private:
    /// Of the model's file: whose it is, and what is seen of it where it is on this machine.
    struct FileStamp
    {
        QString elsewhere;
        QDateTime written;
        qint64 size = 0;
        friend bool operator==(const FileStamp &, const FileStamp &) = default;
    };
    [[nodiscard]] FileStamp modelStamp() const;
    [[nodiscard]] bool readAgain(const report::Inspection &found);
    void followPlan();
    struct Asked
    {
        Look look;
        GraphOf graphOf;
        report::InspectRequest request;
    };
    [[nodiscard]] report::InspectRequest requestFor(Look look, GraphOf graphOf) const;
    void looked(std::int64_t id, const Asked &asked, Result<report::Inspection> answer);
    void lookFailed(const Asked &asked, const Error &error);
    void leaveOutSplits(const report::Inspection &found);
    [[nodiscard]] bool takeGraphOfInputs(const report::Inspection &found, GraphOf graphOf);

    Document &m_document;
    EngineClient &m_engine;
    FileStamp m_stamp; ///< when the document's model was read
    std::optional<std::int64_t> m_looking;
    bool m_isLoading = false;                            ///< what m_looking does, or did
    std::function<void()> m_afterReading;                ///< what waits for a look that reads again, if any
    std::optional<report::InspectRequest> m_lookedFor;   ///< of the last look, as if to load
    std::optional<report::InspectRequest> m_profiledFor; ///< what the document's model was profiled by, if it was
    std::optional<report::Specialisable> m_turnedDown;   ///< of InputsWhereItHelps, though there are more places
    std::vector<plan::InputSpec> m_turnedDownFor;        ///< the plan's plain inputs then
    bool m_isSecondLook = false;                         ///< only whether the file has been replaced is of interest
};

} // namespace pipescope::session
