// Does work beside the window, on one thread; its own thread asks for the work and hears the answers. Often only the
// newest work counts: `Older` says what becomes of older work.
#pragma once

#include "base/result.h"

#include <QObject>
#include <QThreadPool>
#include <deque>
#include <exception>
#include <functional>
#include <stop_token>
#include <type_traits>
#include <utility>

namespace pipescope::session {

/// An exception as an error: OutOfResources where memory was short, else Internal. The message is a clause.
[[nodiscard]] Error errorOf(const std::exception &thrown);

class SideThread : public QObject
{
    Q_OBJECT

public:
    /// What becomes of older work where new work is asked for.
    enum class Older {
        Stopped,  ///< it is stopped, and not told of
        Finished, ///< the one under way is finished and told of; one that has not begun is forgotten
        Kept,     ///< each is told of, in the order asked for
    };

    explicit SideThread(Older older, QObject *parent = nullptr);
    /// Stops what is under way and waits for it. Nothing is told of any more.
    ~SideThread() override;
    SideThread(const SideThread &) = delete;
    SideThread &operator=(const SideThread &) = delete;
    SideThread(SideThread &&) = delete;
    SideThread &operator=(SideThread &&) = delete;

    /// `work(stop)` on the thread, then `done(answer)` from the event loop. Work that is stopped may answer anything:
    /// nobody hears it. Where the answer is a Result, an exception of the work becomes its error; other work throws
    /// nothing. `done` may ask for more, and may delete this.
    template <class Work, class Done>
    void start(Work work, Done done)
    {
        begin([work = std::move(work), done = std::move(done)](const std::stop_token &stop) mutable -> Telling {
            return [answer = answerOf(work, stop), done = std::move(done)]() mutable { done(std::move(answer)); };
        });
    }
    /// Nothing is told of what was asked for so far.
    void cancel();
    /// Whether something is still to be told.
    [[nodiscard]] bool isBusy() const { return m_isWanted || !m_waiting.empty(); }

private:
    using Telling = std::function<void()>;
    using Job = std::function<Telling(const std::stop_token &)>;

    template <class Answer>
    struct IsResult : std::false_type
    {
    };
    template <class T>
    struct IsResult<Result<T>> : std::true_type
    {
    };

    template <class Work>
    static auto answerOf(Work &work, const std::stop_token &stop)
    {
        using Answer = std::invoke_result_t<Work &, const std::stop_token &>;
        if constexpr (IsResult<Answer>::value) {
            try {
                return work(stop);
            } catch (const std::exception &thrown) {
                return Answer(errorOf(thrown));
            }
        } else {
            return work(stop);
        }
    }

    void begin(Job job);
    void startNext();
    void finish(const Telling &tell);

    const Older m_older;
    QThreadPool m_pool; // of one thread
    std::deque<Job> m_waiting;
    std::stop_source m_stop;  // of the one under way
    bool m_isRunning = false; // wanted or not
    bool m_isWanted = false;  // the one under way
};

} // namespace pipescope::session
