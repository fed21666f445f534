#include "session/model_looks.h"

#include "session/file_kind.h"
#include "session/specialising.h"

#include <QFileInfo>
#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

namespace pipescope::session {

namespace {

/// All that the answer depends on, so that one for another plan can be told.
report::InspectRequest requestFor(const plan::Plan &plan, ModelLooks::Look look)
{
    report::InspectRequest request;
    request.model = plan.model;
    request.structureOnly = look == ModelLooks::Look::Reading;
    if (request.structureOnly) // which lists all methods and loads nothing
        return request;
    request.method = plan.method;
    request.opLibraries = plan.opLibraries;
    request.specialised = plan.specialised;
    if (look != ModelLooks::Look::Profiling)
        return request;
    request.inputs = plan.inputs;
    request.seed = plan.seed;
    request.threads = plan.threadsPerRank;
    request.grad = plan.grad;
    return request;
}

bool isSameRequest(report::InspectRequest a, report::InspectRequest b)
{
    const bool areInputs = isSame(a.inputs, b.inputs) && isSame(a.specialised, b.specialised);
    for (report::InspectRequest *request : {&a, &b}) {
        request->inputs.clear();
        request->specialised.clear();
    }
    return areInputs && a == b;
}

} // namespace

ModelLooks::ModelLooks(Document &document, EngineClient &engine, QObject *parent)
    : QObject(parent)
    , m_document(document)
    , m_engine(engine)
{
    connect(&m_document, &Document::modelChanged, this, [this] { m_stamp = modelStamp(); });
    connect(&m_document, &Document::planChanged, this, &ModelLooks::followPlan);
}

report::InspectRequest ModelLooks::requestFor(Look look, GraphOf graphOf) const
{
    const plan::Plan &plan = m_document.plan();
    report::InspectRequest request = session::requestFor(plan, look);
    if (graphOf == GraphOf::Plan || look == Look::Reading)
        return request;
    request.specialised.clear();
    request.specialise = true;
    request.measure = look == Look::Profiling;
    if (!request.measure) // nothing is run on the others
        request.inputs = plainInputs(plan, m_document.model()->graph.arguments);
    return request;
}

void ModelLooks::look(Look look, GraphOf graphOf)
{
    if (const auto model = m_document.model(); model && model->hashLeftOut && model->path == m_document.plan().model)
        look = Look::Reading;
    if (m_looking)
        m_engine.cancel(*m_looking);
    m_afterReading = {};
    const plan::Plan &plan = m_document.plan();
    const Asked asked{look, graphOf, requestFor(look, graphOf)};
    report::InspectRequest sent = asked.request;
    if (look != Look::Reading)
        sent.expectedSha256 = knownSha256();
    m_isSecondLook = false;
    m_isLoading = look != Look::Reading;
    const auto done = [this, asked](std::int64_t number, Result<report::Inspection> answer) {
        looked(number, asked, std::move(answer));
    };
    m_looking =
        look == Look::Profiling
            ? m_engine.askFor<protocol::ProfileCall>(*this, tr("profiling %1").arg(fileName(plan.model)), sent, done)
            : m_engine.askFor<protocol::LoadCall>(*this, tr("loading %1").arg(fileName(plan.model)), sent, done);
    m_lookedFor = session::requestFor(plan, Look::Loading);
    Q_EMIT stateChanged();
}

std::string ModelLooks::knownSha256() const
{
    const auto model = m_document.model();
    return model && model->path == m_document.plan().model ? model->sha256 : std::string();
}

bool ModelLooks::isProfileStale() const
{
    return m_profiledFor && !isSameRequest(session::requestFor(m_document.plan(), Look::Profiling), *m_profiledFor);
}

std::optional<report::Specialisable> ModelLooks::specialisable() const
{
    const auto model = m_document.model();
    const plan::Plan &plan = m_document.plan();
    if (!model || model->graph.method != plan.method || !plan.specialised.empty())
        return std::nullopt;
    const std::vector<plan::InputSpec> now = plainInputs(plan, model->graph.arguments);
    if (m_turnedDown && isSame(now, m_turnedDownFor))
        return m_turnedDown;
    plan::Plan measured;
    measured.inputs = model->inputs;
    return isSame(now, plainInputs(measured, model->graph.arguments)) ? model->specialisable : std::nullopt;
}

void ModelLooks::lookAgainAfter(const Error &error)
{
    if (m_looking || !m_document.model() || error.code != ErrorCode::InvalidFile ||
        error.where != m_document.plan().model)
        return;
    auto lookedFor = m_lookedFor;
    look(Look::Reading);
    m_isSecondLook = true;
    m_lookedFor = std::move(lookedFor); // where the file is the same, an edit before this look is still to be followed
}

/// A model that is loaded is one method of it, made for some values: other ones, by an edit or its undoing, are another
/// graph.
void ModelLooks::followPlan()
{
    const auto model = m_document.model();
    if (!model || (model->structureOnly && !model->loadRefused) || m_looking || !m_lookedFor)
        return;
    const report::InspectRequest request = session::requestFor(m_document.plan(), Look::Loading);
    const bool isOfOtherValues = !isSame(request.specialised, m_lookedFor->specialised);
    if (request.model != m_lookedFor->model || (request.method == m_lookedFor->method && !isOfOtherValues))
        return;
    // What was measured is measured again where nothing but the graph is another.
    report::InspectRequest profile = session::requestFor(m_document.plan(), Look::Profiling);
    if (m_profiledFor)
        profile.specialised = m_profiledFor->specialised;
    look(m_profiledFor && isSameRequest(profile, *m_profiledFor) ? Look::Profiling : Look::Loading);
}

ModelLooks::FileStamp ModelLooks::modelStamp() const
{
    const QFileInfo file(QString::fromStdString(m_document.plan().model));
    return {m_engine.elsewhere(), file.lastModified(), file.size()};
}

bool ModelLooks::readsFirst(const std::function<void()> &then)
{
    if (!m_document.model() || modelStamp() == m_stamp)
        return false;
    look(Look::Reading);
    m_afterReading = then;
    return true;
}

/// What waited for it goes on where the file is the same, only written again.
bool ModelLooks::readAgain(const report::Inspection &found)
{
    const auto then = std::exchange(m_afterReading, {});
    if (!then)
        return false;
    const auto known = m_document.model();
    if (!known || known->sha256 != found.sha256) {
        Q_EMIT modelReplaced();
        return false;
    }
    const FileStamp stamp = modelStamp();
    if (stamp.elsewhere != m_stamp.elsewhere)
        return false;
    m_stamp = stamp;
    then();
    return true;
}

void ModelLooks::looked(std::int64_t id, const Asked &asked, Result<report::Inspection> answer)
{
    if (m_looking != id) // a later look has taken its place
        return;
    m_looking.reset();
    if (!answer)
        return lookFailed(asked, answer.error());
    const bool isOfPlan = isSameRequest(requestFor(asked.look, asked.graphOf), asked.request);
    if (asked.graphOf == GraphOf::InputsWhereItHelps && (!isOfPlan || !takeGraphOfInputs(*answer, asked.graphOf))) {
        followPlan(); // first: what hears of the end may look for its own sake
        Q_EMIT stateChanged();
        return;
    }
    if (!isOfPlan) { // it was edited meanwhile
        const bool hasInputs = !m_document.plan().inputs.empty();
        return look(hasInputs ? asked.look : std::min(asked.look, Look::Loading),
                    hasInputs ? asked.graphOf : GraphOf::Plan);
    }
    if (const auto model = m_document.model(); m_isSecondLook && model && model->sha256 == answer->sha256) {
        followPlan();
        Q_EMIT stateChanged();
        return;
    }
    if (asked.graphOf == GraphOf::Inputs && !takeGraphOfInputs(*answer, asked.graphOf))
        return Q_EMIT stateChanged();
    if (!m_isSecondLook)
        Q_EMIT wentWell();
    else if (m_document.model())
        Q_EMIT modelReplaced(); // its hash is another, or this had ended above
    if (!readAgain(*answer)) {
        leaveOutSplits(*answer);
        const auto before = m_document.model();
        if (!before || before->sha256 != answer->sha256 || before->graph.method != answer->graph.method)
            m_turnedDown.reset(); // of the graph before
        m_profiledFor = asked.look == Look::Profiling
                            ? std::optional(session::requestFor(m_document.plan(), Look::Profiling))
                            : std::nullopt;
        m_document.setModel(std::make_shared<const report::Inspection>(*std::move(answer)));
    }
    Q_EMIT stateChanged();
}

void ModelLooks::lookFailed(const Asked &asked, const Error &error)
{
    m_afterReading = {};
    const bool isReported = asked.graphOf != GraphOf::InputsWhereItHelps;
    if (isReported)
        Q_EMIT failed(error);
    if (asked.look != Look::Reading)
        lookAgainAfter(error);
    if (isReported)
        return;
    followPlan(); // as the plan may have been edited meanwhile
    Q_EMIT stateChanged();
}

/// The plan is specialised for what the graph is of, as the inputs have it written. False where it is left as it is.
bool ModelLooks::takeGraphOfInputs(const report::Inspection &found, GraphOf graphOf)
{
    const auto before = m_document.model();
    const plan::Plan &plan = m_document.plan();
    if (!before)
        return false;
    std::vector<plan::InputSpec> given = plainInputs(plan, before->graph.arguments);
    if (graphOf == GraphOf::InputsWhereItHelps) {
        if (!plan.specialised.empty()) // by now
            return false;
        const int places = legalPlaces(found);
        if (places <= legalPlaces(*before))
            return false;
        // Nothing of the user's is thrown away where nobody asked: no split, and no step that can be redone.
        if (m_document.undoStack().canRedo() || keptSplits(plan.splits, before->graph, found.graph) != plan.splits) {
            m_turnedDown = {found.specialised, places};
            m_turnedDownFor = std::move(given);
            return false;
        }
    }
    std::erase_if(given, [&](const plan::InputSpec &input) {
        return std::none_of(found.specialised.begin(), found.specialised.end(),
                            [&](const plan::InputSpec &made) { return made.name == input.name; });
    });
    m_lookedFor->specialised = given; // the answer is here already
    plan::Plan specialised = plan;
    specialised.specialised = std::move(given);
    m_document.edit(
        tr("Specialise for %1").arg(inputsText(specialised.specialised)),
        [&](plan::Plan &edited) { edited = specialised; }, specialisedKey(specialised));
    return true;
}

/// In place of the model's graph comes one of other values. What an undo brings back, or a plan's file, is left alone:
/// its splits were made for it.
void ModelLooks::leaveOutSplits(const report::Inspection &found)
{
    const auto before = m_document.model();
    const bool isOtherGraph = before && !before->structureOnly && !found.structureOnly &&
                              before->sha256 == found.sha256 && before->graph.method == found.graph.method &&
                              !isSame(before->specialised, found.specialised);
    QUndoStack &steps = m_document.undoStack();
    if (!isOtherGraph || !steps.canUndo() || steps.canRedo())
        return;
    const std::vector<std::string> splits = m_document.plan().splits;
    const std::vector<std::string> kept = keptSplits(splits, before->graph, found.graph);
    if (kept == splits)
        return;
    std::vector<std::string> lost;
    std::copy_if(splits.begin(), splits.end(), std::back_inserter(lost),
                 [&](const std::string &word) { return std::find(kept.begin(), kept.end(), word) == kept.end(); });
    m_document.edit(
        tr("Leave out splits"), [&](plan::Plan &plan) { plan.splits = kept; }, specialisedKey(m_document.plan()));
    Q_EMIT splitsLeftOut(lost);
}

void ModelLooks::foundThere(const std::string &sha256, const std::string &known)
{
    const auto model = m_document.model();
    if (!model || sha256.empty() || known.empty() || model->sha256 != known || sha256 == known)
        return;
    Q_EMIT modelReplaced();
    if (!m_looking)
        look(Look::Reading);
}

void ModelLooks::cancel()
{
    if (m_looking)
        m_engine.cancel(*m_looking);
}

bool ModelLooks::forget()
{
    const bool wasLooking = std::exchange(m_looking, std::nullopt).has_value();
    m_lookedFor.reset();
    m_profiledFor.reset();
    m_turnedDown.reset();
    m_afterReading = {};
    return wasLooking;
}

} // namespace pipescope::session
