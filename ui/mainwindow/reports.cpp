#include "mainwindow/reports.h"

#include "mainwindow/error_places.h"

#include <QPlainTextEdit>
#include <QTime>

namespace pipescope::mainwindow {

namespace {

constexpr auto ErrorId = "error";
constexpr auto DifferenceId = "difference";
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
    Notice notice;
    notice.text = shortened(text, LongestNotice);
    const session::Document &document = m_workspace.document;
    if (const auto model = document.model())
        for (const ErrorPlace &place :
             placesOf(error, model->graph, static_cast<int>(document.plan().splits.size()) + 1))
            notice.links.push_back({place.text, [this, place] { Q_EMIT placeAsked(place.selected); }});
    if (m_workspace.engine.state() == session::EngineClient::State::Lost)
        notice.links.push_back({tr("Restart engine"), [this] { restartEngine(); }, true});
    notice.links.push_back({tr("Show log"), [this] { Q_EMIT logAsked(); }});
    m_notices.post(ErrorId, notice);
}

void Reports::tell(const Status &done)
{
    if (!done)
        report(done.error());
}

void Reports::forgetError()
{
    m_notices.remove(ErrorId);
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

void Reports::reportDifference(const report::RunReport &run)
{
    forgetDifference();
    if (!run.equivalence || run.equivalence->overall.equal)
        return;
    Notice notice;
    notice.text = tr("The split model is not the unsplit one: %1")
                      .arg(shortened(QString::fromStdString(run.equivalence->explanation), LongestNotice));
    if (run.equivalence->first && run.equivalence->first->node.valid()) {
        session::Selected first;
        first.node = run.equivalence->first->node;
        notice.links.push_back({tr("First difference"), [this, first] { Q_EMIT placeAsked(first); }});
    }
    notice.links.push_back({tr("Show the check"), [this] { Q_EMIT checkAsked(); }});
    log(notice.text);
    m_notices.post(DifferenceId, notice);
}

void Reports::forgetDifference()
{
    m_notices.remove(DifferenceId);
}

} // namespace pipescope::mainwindow
