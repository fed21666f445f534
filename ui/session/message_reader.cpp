#include "session/message_reader.h"

#include "protocol/bodies.h"
#include "session/side_thread.h"

#include <QPointer>
#include <exception>

namespace pipescope::session {

namespace {

/// A clause.
QString whyNotRead(const std::exception &thrown)
{
    return MessageReader::tr("its messages cannot be read: %1").arg(QString::fromStdString(errorOf(thrown).message));
}

} // namespace

MessageReader::MessageReader(QObject *parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
}

MessageReader::~MessageReader()
{
    m_stop.request_stop();
    m_pool.waitForDone();
}

void MessageReader::expect(std::int64_t request, ReadAnswer read)
{
    // The thread reads what arrived before this request was sent: answers to others.
    if (m_isBusy)
        m_expected.emplace_back(request, read);
    else
        m_reading.expect(request, read);
}

void MessageReader::feed(const QByteArray &bytes)
{
    m_fed.append(bytes);
    readOn();
}

void MessageReader::end(const QString &why)
{
    m_end = why;
    readOn();
}

void MessageReader::retire()
{
    m_isOver = true;
    m_stop.request_stop();
    if (!m_isBusy)
        deleteLater();
}

void MessageReader::readOn()
{
    if (m_isBusy || m_isOver)
        return;
    const QPointer<MessageReader> self(this);
    if (const QByteArray bytes = std::exchange(m_fed, {}); !bytes.isEmpty()) {
        if (static_cast<qsizetype>(m_reading.waitingBytes()) + bytes.size() > AtOnce)
            readBeside(bytes);
        else
            readHere(bytes);
    }
    if (self && m_end && !m_isBusy && !m_isOver)
        Q_EMIT heard({Lost{*std::exchange(m_end, std::nullopt)}, std::this_thread::get_id()});
}

/// A listener may open a dialog; more messages can arrive before it returns. The engine can also end, and this reader
/// with it.
void MessageReader::readHere(const QByteArray &bytes)
{
    m_reading.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
    const QPointer<MessageReader> self(this);
    while (self && !m_isBusy && !m_isOver) {
        const std::optional<Heard> next = m_reading.next();
        if (!next)
            return;
        Q_EMIT heard(*next);
    }
}

void MessageReader::readBeside(const QByteArray &bytes)
{
    m_isBusy = true;
    // The pool ends before the rest of this does, and what was still to be told ends with this.
    m_pool.start([this, bytes, stop = m_stop.get_token()] {
        m_reading.feed({bytes.constData(), static_cast<std::size_t>(bytes.size())});
        while (!stop.stop_requested()) {
            std::optional<Heard> next = m_reading.next();
            if (!next)
                break;
            QMetaObject::invokeMethod(
                this,
                [this, next = *std::move(next)] {
                    if (!m_isOver)
                        Q_EMIT heard(next);
                },
                Qt::QueuedConnection);
        }
        QMetaObject::invokeMethod(this, &MessageReader::finishBeside, Qt::QueuedConnection);
    });
}

void MessageReader::finishBeside()
{
    m_isBusy = false;
    for (const auto &[request, read] : std::exchange(m_expected, {}))
        m_reading.expect(request, read);
    if (m_isOver)
        deleteLater();
    else
        readOn();
}

void MessageReader::Reading::feed(std::string_view bytes)
{
    if (m_isLost)
        return;
    try {
        m_frames.feed(bytes);
    } catch (const std::exception &thrown) {
        m_fault = whyNotRead(thrown);
    }
}

std::size_t MessageReader::Reading::waitingBytes() const
{
    std::size_t bytes = m_frames.waitingBytes();
    for (const auto &[request, parts] : m_parts)
        bytes += parts.bytes;
    return bytes;
}

std::optional<Heard> MessageReader::Reading::next()
{
    try {
        if (!m_fault)
            return readNext();
    } catch (const std::exception &thrown) {
        m_fault = whyNotRead(thrown);
    }
    return Heard{lose(*std::exchange(m_fault, std::nullopt)), std::this_thread::get_id()};
}

std::optional<Heard> MessageReader::Reading::readNext()
{
    while (!m_isLost) {
        const auto frame = m_frames.next();
        if (frame && !*frame)
            return std::nullopt;
        std::optional<What> what = frame ? read(**frame) : lose(QString::fromStdString(frame.error().message));
        if (what)
            return Heard{*std::move(what), std::this_thread::get_id()};
    }
    return std::nullopt;
}

auto MessageReader::Reading::read(std::string_view payload) -> std::optional<What>
{
    Result<protocol::Message> message = protocol::messageFrom(payload);
    if (!message)
        return lose(QString::fromStdString(message.error().message));
    if (auto *response = std::get_if<protocol::Response>(&*message))
        return read(*response);
    if (auto *notification = std::get_if<protocol::Notification>(&*message))
        return read(*notification);
    return lose(tr("it asked something, which only the window does"));
}

auto MessageReader::Reading::read(protocol::Response &response) -> std::optional<What>
{
    const auto *error = std::get_if<Error>(&response.answer);
    if (response.id == 0 && error != nullptr)
        return lose(QString::fromStdString(error->message));
    const auto expected = m_expected.extract(response.id);
    auto parts = m_parts.extract(response.id);
    if (expected.empty()) // cancel's own answer is nobody's
        return std::nullopt;
    const ReadAnswer readBody = expected.mapped();
    try {
        const Result<std::string> body = error != nullptr
                                             ? Result<std::string>(*error)
                                             : Result<std::string>(std::get<std::string>(std::move(response.answer)));
        return Answered{response.id,
                        readBody(body, parts.empty() ? trace::TraceCollector() : std::move(parts.mapped().collector))};
    } catch (const std::exception &thrown) {
        Error unread = errorOf(thrown);
        unread.message =
            tr("the engine's answer cannot be read: %1").arg(QString::fromStdString(unread.message)).toStdString();
        return Answered{response.id, readBody(unread, {})};
    }
}

auto MessageReader::Reading::read(protocol::Notification &notification) -> std::optional<What>
{
    if (!m_expected.contains(notification.id))
        return std::nullopt;
    if (notification.event != protocol::TraceEvent)
        return std::move(notification);
    Parts &parts = m_parts[notification.id];
    Result<trace::TracePart> part = protocol::fromBody<trace::TracePart>(notification.body);
    if (part && part->number == 0)
        parts.bytes = 0; // the collector begins afresh too
    parts.bytes += notification.body.size();
    if (!part) {
        parts.collector.addUnreadable(part.error().message);
        return std::nullopt;
    }
    parts.collector.add(*part);
    return TracedPart{notification.id, std::make_shared<const trace::TracePart>(*std::move(part))};
}

auto MessageReader::Reading::lose(const QString &why) -> What
{
    m_isLost = true;
    return Lost{why};
}

} // namespace pipescope::session
