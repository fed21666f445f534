// Reads the engine's bytes: messages, answers and the parts of a trace. A few bytes are read at once; more are read by
// a thread of the reader, so that a large answer does not hold the window up. Both ways, everything is told on the
// reader's own thread, in the order in which it arrived.
#pragma once

#include "base/result.h"
#include "protocol/frame.h"
#include "protocol/message.h"
#include "trace/trace_collector.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

namespace pipescope::session {

/// Makes the answer to a request from its body and the parts of a trace that came before it. The function knows what
/// stands behind the pointer, and so does who gave it. Called on any thread.
using ReadAnswer = std::shared_ptr<void> (*)(const Result<std::string> &body, trace::TraceCollector &&parts);

struct Answered
{
    std::int64_t request = 0;
    std::shared_ptr<void> answer;
};

/// A part of the trace of a request's run.
struct TracedPart
{
    std::int64_t request = 0;
    std::shared_ptr<const trace::TracePart> part;
};

/// Nothing more is told: the engine has ended, or was not understood.
struct Lost
{
    QString why; ///< a clause
};

struct Heard
{
    std::variant<Answered, TracedPart, protocol::Notification, Lost> what;
    std::thread::id readBy;
};

class MessageReader : public QObject
{
    Q_OBJECT

public:
    /// More bytes than these are read beside. Bytes that wait for the rest of their message count too, and so do the
    /// parts of a trace that wait for their run's answer: the answer puts them together.
    static constexpr qsizetype AtOnce = 64 << 10;

    explicit MessageReader(QObject *parent);
    /// Gives up what is being read beside and waits for its thread.
    ~MessageReader() override;

    /// Before the request is sent; what is said of requests that nobody expects an answer to is passed over.
    void expect(std::int64_t request, ReadAnswer read);
    void feed(const QByteArray &bytes);
    /// Nothing more arrives. Lost follows after everything that has arrived.
    void end(const QString &why);
    /// Tells nothing any more, and is deleted as soon as its thread has given up what it reads.
    void retire();

Q_SIGNALS:
    void heard(const pipescope::session::Heard &heard);

private:
    /// Where reading has come to. One thread's at a time: this object's, or that of the pool while it is busy.
    class Reading
    {
    public:
        void expect(std::int64_t request, ReadAnswer answer) { m_expected.emplace(request, answer); }
        void feed(std::string_view bytes);
        /// Of messages that have not arrived whole, and of parts whose answer has not come.
        [[nodiscard]] std::size_t waitingBytes() const;
        /// The next message; nullopt where it has not arrived whole, and after Lost. Throws nothing: an exception is
        /// the error of the answer that was being read, or Lost.
        std::optional<Heard> next();

    private:
        using What = decltype(Heard::what);
        /// The parts of a run's trace.
        struct Parts
        {
            trace::TraceCollector collector;
            std::size_t bytes = 0; ///< of the messages of the latest repetition
        };
        std::optional<Heard> readNext();
        /// nullopt for what is nobody's.
        std::optional<What> read(std::string_view payload);
        std::optional<What> read(protocol::Response &response);
        std::optional<What> read(protocol::Notification &notification);
        What lose(const QString &why);

        protocol::FrameReader m_frames;
        std::map<std::int64_t, ReadAnswer> m_expected;
        std::map<std::int64_t, Parts> m_parts; ///< by request
        std::optional<QString> m_fault;        ///< why bytes could not be taken, a clause; not told yet
        bool m_isLost = false;
    };

    void readOn();
    void readHere(const QByteArray &bytes);
    void readBeside(const QByteArray &bytes);
    void finishBeside();

    Reading m_reading;
    std::vector<std::pair<std::int64_t, ReadAnswer>> m_expected; ///< since the thread is busy
    QByteArray m_fed;                                            ///< likewise
    std::optional<QString> m_end;
    bool m_isBusy = false; ///< the thread
    bool m_isOver = false;
    std::stop_source m_stop;
    QThreadPool m_pool; ///< of one thread
};

} // namespace pipescope::session
