#include "session/model_looks.h"

#include "session/file_kind.h"

#include <QFileInfo>
#include <algorithm>
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

/// As they are written: a NaN is not equal to itself, and would be looked for again and again.
bool isSame(const std::vector<plan::InputSpec> &a, const std::vector<plan::InputSpec> &b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const plan::InputSpec &one, const plan::InputSpec &other) {
                          return plan::toText(one) == plan::toText(other);
                      });
}

bool isSame(report::InspectRequest a, report::InspectRequest b)
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

void ModelLooks::look(Look look)
{
    if (const auto model = m_document.model(); model && model->hashLeftOut && model->path == m_document.plan().model)
        look = Look::Reading;
    if (m_looking)
        m_engine.cancel(*m_looking);
    m_afterReading = {};
    const plan::Plan &plan = m_document.plan();
    const report::InspectRequest request = requestFor(plan, look);
    report::InspectRequest sent = request;
    if (look != Look::Reading)
        sent.expectedSha256 = knownSha256();
    m_isSecondLook = false;
    m_isLoading = look != Look::Reading;
    const auto done = [this, look, request](std::int64_t number, Result<report::Inspection> answer) {
        looked(number, look, request, std::move(answer));
    };
    m_looking =
        look == Look::Profiling
            ? m_engine.askFor<protocol::ProfileCall>(*this, tr("profiling %1").arg(fileName(plan.model)), sent, done)
            : m_engine.askFor<protocol::LoadCall>(*this, tr("loading %1").arg(fileName(plan.model)), sent, done);
    m_lookedFor = requestFor(plan, Look::Loading);
    Q_EMIT stateChanged();
}

std::string ModelLooks::knownSha256() const
{
    const auto model = m_document.model();
    return model && model->path == m_document.plan().model ? model->sha256 : std::string();
}

bool ModelLooks::isProfileStale() const
{
    return m_profiledFor && !isSame(requestFor(m_document.plan(), Look::Profiling), *m_profiledFor);
}

void ModelLooks::lookAgainAfter(const Error &error)
{
    if (m_looking || !m_document.model() || error.code != ErrorCode::InvalidFile ||
        error.where != m_document.plan().model)
        return;
    look(Look::Reading);
    m_isSecondLook = true;
}

/// A model that is loaded is one method of it, made for some values: other ones, by an edit or its undoing, are another
/// graph.
void ModelLooks::followPlan()
{
    const auto model = m_document.model();
    if (!model || (model->structureOnly && !model->loadRefused) || m_looking || !m_lookedFor)
        return;
    const report::InspectRequest request = requestFor(m_document.plan(), Look::Loading);
    const bool isAnotherGraph =
        request.method != m_lookedFor->method || !isSame(request.specialised, m_lookedFor->specialised);
    if (request.model == m_lookedFor->model && isAnotherGraph)
        look(Look::Loading);
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

void ModelLooks::looked(std::int64_t id, Look asked, const report::InspectRequest &request,
                        Result<report::Inspection> answer)
{
    if (m_looking != id) // a later look has taken its place
        return;
    m_looking.reset();
    if (!answer) {
        m_afterReading = {};
        Q_EMIT failed(answer.error());
        if (asked != Look::Reading)
            lookAgainAfter(answer.error());
        return;
    }
    const plan::Plan &plan = m_document.plan();
    if (!isSame(requestFor(plan, asked), request)) // the plan was edited meanwhile: this is none of it
        return look(plan.inputs.empty() ? std::min(asked, Look::Loading) : asked);
    if (const auto model = m_document.model(); m_isSecondLook && model && model->sha256 == answer->sha256) {
        Q_EMIT stateChanged();
        return;
    }
    if (!m_isSecondLook)
        Q_EMIT wentWell();
    else if (m_document.model())
        Q_EMIT modelReplaced(); // its hash is another, or this had ended above
    if (!readAgain(*answer)) {
        m_profiledFor = asked == Look::Profiling ? std::optional(request) : std::nullopt;
        m_document.setModel(std::make_shared<const report::Inspection>(*std::move(answer)));
    }
    Q_EMIT stateChanged();
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
    m_afterReading = {};
    return wasLooking;
}

} // namespace pipescope::session
