// The window's side of a conversation with an engine: requests with answers that arrive later, what is told meanwhile,
// and what becomes of all that when the engine dies. An engine is a process that can crash, hang or talk nonsense; none
// of it takes anything from the window.
#pragma once

#include "base/clock.h"
#include "plan/plan_file.h"
#include "protocol/bodies.h"
#include "report/run_needs.h"
#include "report/traced_run.h"
#include "session/engine_link.h"
#include "session/message_reader.h"

#include <QObject>
#include <QPointer>
#include <QString>
#include <QTimer>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace pipescope::session {

/// Who is at the other end and how to reach it; a fresh link for every start.
using MakeLink = std::function<std::unique_ptr<EngineLink>()>;

/// The result of a call: its answer, and for a run the trace as well.
template <class Call>
using Got = std::conditional_t<std::is_same_v<typename Call::Answer, report::RunReport>, report::TracedRun,
                               typename Call::Answer>;

class EngineClient : public QObject
{
    Q_OBJECT

public:
    enum class State {
        Off,      ///< not started, or ended as asked
        Starting, ///< until the greeting is answered
        Ready,
        Lost, ///< it died, or was not understood; lostBecause() says more
    };
    Q_ENUM(State)

    explicit EngineClient(MakeLink makeLink, QObject *parent = nullptr);
    /// Kills the engine, but for one that is saving files, and those that stop() has left to that: they are waited for
    /// a few seconds first, by which all of the files get their places, or none.
    ~EngineClient() override;

    [[nodiscard]] State state() const { return m_state; }
    /// A sentence: what happened, and what the engine was doing.
    [[nodiscard]] QString lostBecause() const { return m_lostBecause; }
    /// Whether one that is Lost was never Ready: its command is at fault, and starting it again does not help.
    [[nodiscard]] bool couldNotStart() const { return m_state == State::Lost && m_couldNotStart; }
    /// How the engine that was started is reached where its files may be another machine's; "" where they are those
    /// that are seen from here. While none is started, of the one that would be now. What an engine says of files is
    /// believed by this, and by no setting, which may have changed since it was started.
    [[nodiscard]] QString elsewhere() const { return m_link ? m_link->elsewhere() : m_makeLink()->elsewhere(); }
    [[nodiscard]] bool isElsewhere() const { return !elsewhere().isEmpty(); }
    /// Of the engine that is Ready.
    [[nodiscard]] const protocol::Welcome &welcome() const { return m_welcome; }
    /// What the engine's process holds of its machine's memory, as it last said; 0 while none is Ready.
    [[nodiscard]] std::int64_t residentBytes() const { return m_residentBytes; }
    /// What its machine has for a run, as it last said; not known while none is Ready.
    [[nodiscard]] const report::Machine &machine() const { return m_machine; }
    /// Whether doing() was cancelled a while ago and still goes on. It may end yet; what helps at once is stop(), which
    /// ends the engine: the next request starts another. What takes long and was not cancelled is no such thing, nor is
    /// what was cancelled while it waits for that: an engine does one after another.
    [[nodiscard]] bool isUnresponsive() const { return m_unresponsive; }
    /// How long ago doing() was cancelled, also where that was before its turn came. Of one that is unresponsive.
    [[nodiscard]] std::chrono::milliseconds cancelledFor() const;
    /// How long that while is.
    void setPatience(std::chrono::milliseconds patience) { m_patience.setInterval(patience); }
    /// By which cancelledFor() and the wait of the destructor are measured.
    void setClock(Clock clock) { m_clock = std::move(clock); }

    /// Starts an engine where none runs. Requests may be made at once; they wait for the greeting.
    void start();
    /// Ends the engine; what was asked is answered as cancelled. One that is saving files may go on with that for a
    /// minute, beside.
    void stop();

    /// Asks for something, starting an engine where none runs. `done` is called once, from the event loop, with the
    /// answer or the reason why there is none; not after this client is gone. A large answer is read beside. `title`
    /// names it for people: "running". The number of the request.
    template <class Call>
    std::int64_t ask(const QString &title, const typename Call::Request &request,
                     std::function<void(Result<Got<Call>>)> done)
    {
        const auto take = [done = std::move(done)](void *answer) {
            done(std::move(*static_cast<Result<Got<Call>> *>(answer)));
        };
        if (const Status writable = checkPlanOf(request); !writable)
            return refuse(writable.error(), &readAnswer<Call>, take);
        return askBody(title, Call::method, protocol::toBody(request), &readAnswer<Call>, take);
    }

    /// As ask(), for an owner that may be gone when the answer comes, or have asked for something else since: `done` is
    /// called with the request's number as well, and only while the owner lives.
    template <class Call, class Done>
    std::int64_t askFor(QObject &owner, const QString &title, const typename Call::Request &request, Done done)
    {
        const auto number = std::make_shared<std::int64_t>(0); // known once it is asked, and the answer comes later
        *number = ask<Call>(title, request, [alive = QPointer(&owner), number, done = std::move(done)](auto answer) {
            if (alive)
                done(*number, std::move(answer));
        });
        return *number;
    }

    /// Asks the engine to give up a request. Its `done` is called when it has; an engine that does not answer can still
    /// be stopped.
    void cancel(std::int64_t request);

    /// Of the oldest request under way: "running model.pt"; "" when there is none.
    [[nodiscard]] QString doing() const;
    [[nodiscard]] bool isBusy() const { return !m_waiting.empty(); }

Q_SIGNALS:
    /// state() or isUnresponsive().
    void stateChanged();
    void residentBytesChanged();
    void machineChanged();
    /// A fraction below 0 is unknown.
    void progressed(std::int64_t request, const QString &step, double fraction);
    void warned(std::int64_t request, const QString &text);
    void stalled(std::int64_t request, const QString &text);
    /// What the ranks of a run have done since the part before.
    void traced(std::int64_t request, const trace::TracePart &part);
    void printed(const QString &text);

private:
    using Done = std::function<void(void *)>; ///< takes what Waiting::read makes
    struct Waiting
    {
        QString title;
        std::string method;
        std::string body; ///< until it is sent
        ReadAnswer read;
        Done done;

        void fail(const Error &error) const { done(read(error, {}).get()); }
    };

    /// A ReadAnswer, of Result<Got<Call>>.
    template <class Call>
    static std::shared_ptr<void> readAnswer(const Result<std::string> &body, trace::TraceCollector &&parts)
    {
        using Answer = typename Call::Answer;
        Result<Answer> answer = body ? protocol::fromBody<Answer>(*body) : Result<Answer>(body.error());
        if constexpr (std::is_same_v<Answer, Got<Call>>) {
            return std::make_shared<Result<Answer>>(std::move(answer));
        } else {
            using Traced = Result<Got<Call>>;
            return std::make_shared<Traced>(answer ? report::withTrace(*std::move(answer), std::move(parts))
                                                   : Traced(answer.error()));
        }
    }

    /// Its text must go over as it is.
    static Status checkPlanOf(const auto &request)
    {
        if constexpr (requires { request.plan; })
            return plan::checkWritable(request.plan);
        else if constexpr (requires { request.run.plan; })
            return plan::checkWritable(request.run.plan);
        else
            return Success{};
    }

    std::int64_t askBody(const QString &title, std::string_view method, std::string body, ReadAnswer read, Done done);
    /// Of a request that is not sent.
    std::int64_t refuse(const Error &error, ReadAnswer read, const Done &done);
    void hear(const Heard &heard);
    void handle(const Answered &answered);
    void handle(const TracedPart &traced);
    void handle(const protocol::Notification &notification);
    void handle(const Lost &lost) { lose(lost.why); }
    /// Whether it has been asked to write files, and has not answered.
    [[nodiscard]] bool isSaving() const;
    void greeted(const Result<protocol::Welcome> &welcome);
    void sendWaiting();
    void send(const protocol::Message &message);
    /// Ends the conversation; everything that waits is answered with `error`.
    void end(State state, const Error &error);
    void release(State state);
    void lose(const QString &what);
    [[nodiscard]] QString startFailure(const QString &what) const;
    void setState(State state);
    void setResidentBytes(std::int64_t bytes);
    void setMachine(const report::Machine &machine);
    void setUnresponsive(bool unresponsive);
    /// Whose cancellation the engine is to follow now.
    void followCancelled();

    const MakeLink m_makeLink;
    std::unique_ptr<EngineLink> m_link;
    std::vector<QPointer<EngineLink>> m_savers; ///< ended while they were saving
    bool m_hasEnded = false;                    ///< m_link's engine
    MessageReader *m_reader = nullptr;          ///< of m_link; a child
    State m_state = State::Off;
    QString m_lostBecause;
    bool m_couldNotStart = false;
    protocol::Welcome m_welcome;
    std::int64_t m_lastId = 0;
    std::int64_t m_greeting = 0;
    std::map<std::int64_t, Waiting> m_waiting;
    std::int64_t m_residentBytes = 0;
    report::Machine m_machine;
    Clock m_clock = std::chrono::steady_clock::now;
    /// Requests among those waiting that were cancelled, since then.
    std::map<std::int64_t, std::chrono::steady_clock::time_point> m_givenUp;
    std::int64_t m_ignored = 0; ///< the oldest request, where it is one of those; else 0
    QTimer m_patience;
    bool m_unresponsive = false;
};

} // namespace pipescope::session
