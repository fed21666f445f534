#include "mainwindow/reports.h"

#include "mainwindow/error_places.h"
#include "runview/open_inputs.h"
#include "session/file_kind.h"
#include "session/not_loaded.h"
#include "session/run_model.h"
#include "session/staging.h"

#include <QPlainTextEdit>
#include <QTime>
#include <algorithm>
#include <cstdint>

namespace pipescope::mainwindow {

namespace {

std::optional<plan::InputSpec> givenFor(const std::string &argument, const session::Document &document)
{
    const auto model = document.model();
    const auto *given = model ? runview::givenInput(document.plan(), model->graph.arguments, argument) : nullptr;
    return given == nullptr ? std::nullopt : std::optional(*given);
}

std::vector<graph::Argument> missingIn(const session::Document &document)
{
    const auto model = document.model();
    return model ? runview::missingInputs(document.plan(), model->graph.arguments) : std::vector<graph::Argument>();
}

constexpr auto ErrorId = "error";
constexpr auto DifferenceId = "difference";
constexpr auto ReplacedId = "replacedModel";
constexpr auto RefusalId = "refusal";
constexpr qsizetype LongestEntry = 64'000; ///< of the log

} // namespace

Reports::Reports(Workspace &workspace, NoticeArea &notices, QPlainTextEdit &log)
    : m_workspace(workspace)
    , m_notices(notices)
    , m_log(log)
{
    using session::EngineClient;
    for (const auto told : {&EngineClient::warned, &EngineClient::stalled})
        connect(&workspace.engine, told, this, [this](std::int64_t, const QString &text) { Reports::log(text); });
    connect(&workspace.engine, &EngineClient::printed, this, &Reports::log);
    connect(&workspace.document, &session::Document::planChanged, this, &Reports::inputsChanged);
    connect(&workspace.engine, &EngineClient::stateChanged, this, [this] {
        if (m_tellsOfLostEngine && m_workspace.engine.state() == EngineClient::State::Ready)
            forgetError(); // or its button would end the engine that has taken the lost one's place
    });
}

void Reports::log(const QString &text)
{
    m_log.appendPlainText(QTime::currentTime().toString("HH:mm:ss ") + shortened(text.trimmed(), LongestEntry));
}

void Reports::report(const Error &error)
{
    const QString text = QString::fromStdString(error.message);
    log(text);
    if (!error.details.empty())
        log(QString::fromStdString(error.details));
    if (error.code == ErrorCode::Cancelled) { // as asked: no fault
        Q_EMIT saidInPassing(shortened(text, LongestStep));
        return;
    }
    m_input.clear();
    Notice notice;
    notice.text = shortened(text, LongestNotice);
    const session::Document &document = m_workspace.document;
    if (const auto model = document.model()) {
        for (const ErrorPlace &place : placesOf(error, model->graph, session::stageCount(document)))
            notice.links.push_back({place.text, [this, error, named = place.text] { goTo(error, named); }});
        const auto &arguments = model->graph.arguments;
        if (std::any_of(arguments.begin(), arguments.end(),
                        [&](const graph::Argument &argument) { return argument.name == error.where; })) {
            followInput(error.where, notice.text);
            notice.links.push_back({tr("Show the inputs"), [this] { Q_EMIT inputsAsked(); }});
        }
    }
    m_tellsOfLostEngine = m_workspace.engine.state() == session::EngineClient::State::Lost;
    if (m_tellsOfLostEngine)
        notice.links.push_back({m_workspace.engine.couldNotStart() ? tr("Start it again") : tr("Restart engine"),
                                [this] { restartEngine(); }, true});
    notice.links.push_back({tr("Show log"), [this] { Q_EMIT logAsked(); }});
    m_notices.post(ErrorId, notice);
}

/// In the model as it is then: what the place was when the error was reported may be another by now.
void Reports::goTo(const Error &error, const QString &named)
{
    const session::Document &document = m_workspace.document;
    if (const auto model = document.model())
        for (const ErrorPlace &place : placesOf(error, model->graph, session::stageCount(document)))
            if (place.text == named)
                return Q_EMIT placeAsked(place.selected);
    sayGone(named);
}

void Reports::sayGone(const QString &named)
{
    Q_EMIT saidInPassing(shortened(tr("The model as it is open now has no %1.").arg(named), LongestStep));
}

void Reports::tell(const Status &done)
{
    if (!done)
        report(done.error());
}

void Reports::forgetError()
{
    m_notices.remove(ErrorId);
    m_tellsOfLostEngine = false;
    m_input.clear();
}

void Reports::followInput(const std::string &argument, const QString &text)
{
    m_input = argument;
    m_given = givenFor(argument, m_workspace.document);
    m_missing.clear();
    for (const graph::Argument &each : missingIn(m_workspace.document))
        m_missing.push_back(each.name);
    if (std::find(m_missing.begin(), m_missing.end(), argument) == m_missing.end())
        m_missing.clear();
    m_missingText = text;
}

/// What is said of an input is of the value it had; of those that are missing, until none of them is.
void Reports::inputsChanged()
{
    if (m_input.empty())
        return;
    if (m_missing.empty()) {
        if (givenFor(m_input, m_workspace.document) != m_given)
            forgetError();
        return;
    }
    QStringList left;
    for (const graph::Argument &each : missingIn(m_workspace.document))
        if (std::find(m_missing.begin(), m_missing.end(), each.name) != m_missing.end())
            left << tr("'%1' (%2)").arg(QString::fromStdString(each.name), QString::fromStdString(each.type));
    if (left.isEmpty())
        return forgetError();
    const bool isAsBefore = left.size() == std::ssize(m_missing);
    m_notices.reword(ErrorId, isAsBefore
                                  ? m_missingText
                                  : shortened(tr("Still without a value: %1").arg(left.join(tr(", "))), LongestNotice));
}

void Reports::restartEngine()
{
    m_workspace.engine.stop();
    m_workspace.engine.start();
    forgetError();
}

void Reports::post(const QString &id, const Notice &notice)
{
    m_notices.post(id, notice);
}

void Reports::forget(const QString &id)
{
    m_notices.remove(id);
}

void Reports::reportDifference(const report::RunReport &run)
{
    forgetDifference();
    if (!run.equivalence || run.equivalence->overall.equal)
        return;
    Notice notice;
    notice.text = tr("The split model is not the unsplit one: %1")
                      .arg(shortened(QString::fromStdString(run.equivalence->explanation), LongestNotice));
    if (run.equivalence->first && run.equivalence->first->node.valid()) {
        const auto follow = [this, plan = run.plan, first = *run.equivalence->first] {
            const NodeId node = session::nodeOf(plan, first.node, first.nodeName, m_workspace.document);
            if (node.valid())
                Q_EMIT placeAsked(node);
            else
                sayGone(QString::fromStdString(first.nodeName));
        };
        notice.links.push_back({tr("First difference"), follow});
    }
    notice.links.push_back({tr("Show the check"), [this] { Q_EMIT checkAsked(); }});
    log(notice.text);
    m_notices.post(DifferenceId, notice);
}

void Reports::reportRefusal(const report::Inspection *model, const plan::Plan &plan)
{
    // Read only, nothing is known yet of what the plan's own libraries register.
    const bool mayBeLoaded = model && model->structureOnly && !model->loadRefused && !plan.opLibraries.empty();
    const QString unknown = model && !mayBeLoaded ? session::unknownOperators(*model) : QString();
    if (!model || !model->structureOnly || (unknown.isEmpty() && !model->loadRefused)) {
        m_notices.remove(RefusalId);
        return;
    }
    Notice notice;
    notice.kind = Notice::Kind::Warning;
    if (unknown.isEmpty()) {
        notice.text =
            tr("LibTorch cannot load this file: its structure is shown, and it cannot be run. The log says why.");
    } else if (session::needsOtherTorch(*model)) {
        notice.text =
            tr("This file calls what LibTorch does not know: %1. Another version of PyTorch wrote it: its structure is "
               "shown, and it cannot be run.")
                .arg(unknown);
    } else if (session::isForMobile(*model)) {
        notice.text = tr("This file calls what LibTorch does not know: %1. It was made for phones: its structure is "
                         "shown; to run it, save the model again without optimize_for_mobile.")
                          .arg(unknown);
    } else {
        notice.text = tr("This file calls what LibTorch does not know: %1. Its structure is shown; to run it, load the "
                         "library that registers it too.")
                          .arg(unknown);
        notice.links.push_back({tr("Choose the library..."), [this] { Q_EMIT libraryAsked(); }});
    }
    notice.links.push_back({tr("Show log"), [this] { Q_EMIT logAsked(); }});
    log(notice.text);
    m_notices.post(RefusalId, notice);
}

void Reports::forgetDifference()
{
    m_notices.remove(DifferenceId);
}

void Reports::reportReplacedModel(const QString &text)
{
    Notice notice;
    notice.kind = Notice::Kind::Warning;
    notice.text = text.arg(session::fileName(m_workspace.document.plan().model));
    log(notice.text);
    m_notices.post(ReplacedId, notice);
}

void Reports::forgetReplacedModel()
{
    m_notices.remove(ReplacedId);
}

} // namespace pipescope::mainwindow
