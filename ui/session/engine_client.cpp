#include "session/engine_client.h"

#include <QCoreApplication>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>

namespace pipescope::session {

namespace {

using namespace std::chrono_literals;

constexpr auto TimeToEnd = 2000ms;
constexpr auto TimeToSave = 60'000ms; // files to be given their places; one that does not will not wait so long itself
constexpr auto TimeToSaveAtLast = 5000ms; // likewise, where the window is gone; an engine gives up on itself before
constexpr auto Patience = 5000ms;

QString text(const std::string &utf8)
{
    return QString::fromStdString(utf8);
}

Error cancelled()
{
    return {ErrorCode::Cancelled, "the engine was stopped", {}, {}};
}

report::Machine machineOf(const protocol::MemoryLeft &left, int cores)
{
    return {left.bytes > 0 ? std::optional(AvailableMemory{left.bytes, left.source}) : std::nullopt, cores};
}

template <class Note>
Note noteOf(const protocol::Notification &notification)
{
    const auto note = protocol::fromBody<Note>(notification.body);
    return note ? *note : Note{}; // one note that cannot be read is no reason to end a run
}

} // namespace

EngineClient::EngineClient(MakeLink makeLink, QObject *parent)
    : QObject(parent)
    , m_makeLink(std::move(makeLink))
{
    m_patience.setSingleShot(true);
    setPatience(Patience);
    connect(&m_patience, &QTimer::timeout, this, [this] { setUnresponsive(true); });
}

EngineClient::~EngineClient()
{
    if (m_link) {
        m_link->disconnect(this);
        if (isSaving() && !m_hasEnded) {
            m_link->close();
            m_savers.emplace_back(m_link.get());
        }
    }
    const auto atLast = m_clock() + TimeToSaveAtLast;
    for (const QPointer<EngineLink> &saver : m_savers)
        if (saver)
            saver->waitForEnd(std::max(0ms, std::chrono::duration_cast<std::chrono::milliseconds>(atLast - m_clock())));
}

void EngineClient::start()
{
    if (m_link)
        return;
    m_lostBecause.clear();
    m_hasEnded = false;
    m_reader = new MessageReader(this);
    connect(m_reader, &MessageReader::heard, this, &EngineClient::hear);
    m_link = m_makeLink();
    connect(m_link.get(), &EngineLink::received, m_reader, &MessageReader::feed);
    connect(m_link.get(), &EngineLink::printed, this, &EngineClient::printed);
    connect(m_link.get(), &EngineLink::ended, this, [this](const QString &how) {
        m_hasEnded = true;
        m_reader->end(how); // what it said before may still be read
    });
    setState(State::Starting);
    m_greeting = ++m_lastId;
    m_reader->expect(m_greeting, &readAnswer<protocol::HelloCall>);
    m_link->start();
    if (!m_link) // it could not even be started
        return;
    protocol::Hello hello;
    hello.client = QStringLiteral("%1 %2")
                       .arg(QCoreApplication::applicationName(), QCoreApplication::applicationVersion())
                       .toStdString();
    send(protocol::Request{m_greeting, std::string(protocol::HelloCall::method), protocol::toBody(hello)});
}

void EngineClient::stop()
{
    end(State::Off, cancelled());
}

std::int64_t EngineClient::askBody(const QString &title, std::string_view method, std::string body, ReadAnswer read,
                                   Done done)
{
    const std::int64_t id = ++m_lastId;
    m_waiting.emplace(id, Waiting{title, std::string(method), std::move(body), read, std::move(done)});
    if (m_state == State::Ready)
        sendWaiting();
    else
        QTimer::singleShot(0, this, &EngineClient::start); // an answer must not come before this returns
    return id;
}

std::int64_t EngineClient::refuse(const Error &error, ReadAnswer read, const Done &done)
{
    QTimer::singleShot(0, this, [error, read, done] { done(read(error, {}).get()); });
    return ++m_lastId;
}

void EngineClient::cancel(std::int64_t request)
{
    if (m_waiting.count(request) == 0)
        return;
    if (m_state == State::Ready) {
        const auto body = protocol::toBody(protocol::CancelRequest{request});
        m_givenUp.try_emplace(request, m_clock());
        followCancelled();
        send(protocol::Request{++m_lastId, std::string(protocol::CancelCall::method), body});
        return;
    }
    QTimer::singleShot(0, this,
                       [waiting = std::move(m_waiting.extract(request).mapped())] { waiting.fail(cancelled()); });
}

bool EngineClient::isSaving() const
{
    return std::any_of(m_waiting.begin(), m_waiting.end(), [](const auto &entry) {
        const Waiting &waiting = entry.second;
        return waiting.method == protocol::SplitCall::method && waiting.body.empty();
    });
}

QString EngineClient::doing() const
{
    return m_waiting.empty() ? QString() : m_waiting.begin()->second.title;
}

void EngineClient::hear(const Heard &heard)
{
    std::visit([this](const auto &what) { handle(what); }, heard.what);
}

void EngineClient::handle(const Answered &answered)
{
    if (answered.request == m_greeting)
        return greeted(*static_cast<const Result<protocol::Welcome> *>(answered.answer.get()));
    auto waiting = m_waiting.extract(answered.request);
    m_givenUp.erase(answered.request);
    followCancelled();
    if (!waiting.empty())
        waiting.mapped().done(answered.answer.get());
}

void EngineClient::handle(const TracedPart &traced)
{
    if (m_waiting.contains(traced.request))
        Q_EMIT this->traced(traced.request, *traced.part);
}

void EngineClient::handle(const protocol::Notification &notification)
{
    if (!m_waiting.contains(notification.id))
        return;
    if (notification.event == protocol::ProgressEvent) {
        const auto note = noteOf<protocol::ProgressNote>(notification);
        Q_EMIT progressed(notification.id, text(note.step), note.fraction);
    } else if (notification.event == protocol::WarningEvent) {
        Q_EMIT warned(notification.id, text(noteOf<protocol::TextNote>(notification).text));
    } else if (notification.event == protocol::StalledEvent) {
        Q_EMIT stalled(notification.id, text(noteOf<protocol::TextNote>(notification).text));
    } else if (notification.event == protocol::MemoryEvent) {
        const auto note = noteOf<protocol::MemoryNote>(notification);
        setResidentBytes(note.residentBytes);
        setMachine(machineOf(note.left, m_welcome.cores));
    }
}

void EngineClient::greeted(const Result<protocol::Welcome> &welcome)
{
    if (!welcome)
        return lose(text(welcome.error().message));
    m_welcome = *welcome;
    setState(State::Ready);
    setResidentBytes(m_welcome.residentBytes);
    setMachine(machineOf(m_welcome.left, m_welcome.cores));
    sendWaiting();
}

void EngineClient::sendWaiting()
{
    std::vector<protocol::Request> unsent;
    for (auto &[id, waiting] : m_waiting) {
        if (waiting.body.empty())
            continue;
        m_reader->expect(id, waiting.read);
        unsent.push_back({id, waiting.method, std::exchange(waiting.body, {})});
    }
    for (protocol::Request &request : unsent)
        if (m_link) // sending can end the conversation
            send(std::move(request));
}

void EngineClient::send(const protocol::Message &message)
{
    const auto frame = protocol::frameOf(protocol::toBytes(message));
    if (!frame)
        return lose(text(frame.error().message));
    if (!m_hasEnded)
        m_link->send(QByteArray(frame->data(), static_cast<qsizetype>(frame->size())));
}

void EngineClient::end(State state, const Error &error)
{
    if (m_link)
        release(state);
    m_givenUp.clear();
    followCancelled();
    setState(state);
    setResidentBytes(0);
    setMachine({});
    for (const auto &[id, waiting] : std::exchange(m_waiting, {}))
        waiting.fail(error);
}

/// Leaves the link alone, which may be what is calling. It goes when its engine ends or its time is over; at the latest
/// this client takes it, and its process, along.
void EngineClient::release(State state)
{
    EngineLink *link = m_link.release();
    link->disconnect(this);
    link->disconnect(m_reader);
    m_reader->disconnect(this);
    std::exchange(m_reader, nullptr)->retire();
    link->setParent(this);
    if (m_hasEnded)
        return link->deleteLater();
    connect(link, &EngineLink::ended, link, &QObject::deleteLater);
    link->close(); // it has a moment to put away what it is writing
    if (isSaving()) {
        std::erase_if(m_savers, [](const QPointer<EngineLink> &saver) { return !saver; });
        m_savers.emplace_back(link);
    }
    link->goWithin(isSaving() ? TimeToSave : state == State::Off ? TimeToEnd : 0ms);
}

void EngineClient::lose(const QString &what)
{
    m_couldNotStart = m_state == State::Starting;
    m_lostBecause = m_couldNotStart     ? startFailure(what)
                    : doing().isEmpty() ? tr("The engine is gone: %1.").arg(what)
                                        : tr("The engine is gone while %1: %2.").arg(doing(), what);
    end(State::Lost, {ErrorCode::Internal, m_lostBecause.toStdString(), {}, {}});
}

/// What answers nothing, or something else, is no engine: a program that is missing, here or behind ssh, or another's.
QString EngineClient::startFailure(const QString &what) const
{
    const QString told = tr("The engine could not be started: %1.").arg(what);
    const QString command = m_link ? m_link->command() : QString();
    return command.isEmpty()
               ? told
               : told + ' ' +
                     tr("The command is: %1. Install pipescope-cli there, or set another command in Edit > Settings, "
                        "where Test tries it.")
                         .arg(command);
}

void EngineClient::setState(State state)
{
    if (std::exchange(m_state, state) != state)
        Q_EMIT stateChanged();
}

void EngineClient::setResidentBytes(std::int64_t bytes)
{
    if (std::exchange(m_residentBytes, bytes) != bytes)
        Q_EMIT residentBytesChanged();
}

void EngineClient::setMachine(const report::Machine &machine)
{
    if (std::exchange(m_machine, machine) != machine)
        Q_EMIT machineChanged();
}

std::chrono::milliseconds EngineClient::cancelledFor() const
{
    const auto given = m_givenUp.find(m_ignored);
    return given == m_givenUp.end() ? 0ms
                                    : std::chrono::duration_cast<std::chrono::milliseconds>(m_clock() - given->second);
}

void EngineClient::setUnresponsive(bool unresponsive)
{
    if (std::exchange(m_unresponsive, unresponsive) != unresponsive)
        Q_EMIT stateChanged();
}

void EngineClient::followCancelled()
{
    const std::int64_t oldest = m_waiting.empty() ? 0 : m_waiting.begin()->first;
    const std::int64_t ignored = m_givenUp.contains(oldest) ? oldest : 0;
    if (std::exchange(m_ignored, ignored) == ignored)
        return;
    m_patience.stop();
    if (ignored != 0)
        m_patience.start();
    setUnresponsive(false);
}

} // namespace pipescope::session
