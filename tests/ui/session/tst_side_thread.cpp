#include "session/side_thread.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QCoreApplication>
#include <QTest>
#include <QThread>
#include <atomic>
#include <functional>
#include <memory>
#include <new>
#include <semaphore>
#include <stdexcept>
#include <stop_token>
#include <utility>
#include <vector>

using namespace pipescope;
using session::SideThread;
using Older = SideThread::Older;

namespace {

/// Work that begins, waits until it may go on or is stopped, and answers with a number.
struct HeldWork
{
    std::counting_semaphore<> begun{0};
    std::counting_semaphore<> mayGoOn{0};
    std::atomic<bool> isStopped = false;

    [[nodiscard]] auto answering(int number)
    {
        return [this, number](const std::stop_token &stop) {
            begun.release();
            const std::stop_callback onStop(stop, [this] {
                isStopped = true;
                mayGoOn.release();
            });
            mayGoOn.acquire();
            return number;
        };
    }
};

/// An answer that tells, once, that it was moved: it is on its way to whoever asked.
class SignallingAnswer
{
public:
    explicit SignallingAnswer(std::binary_semaphore &isReady)
        : m_isReady(&isReady)
    {
    }
    ~SignallingAnswer() = default;
    SignallingAnswer(const SignallingAnswer &other) = default;
    SignallingAnswer &operator=(const SignallingAnswer &) = delete;
    SignallingAnswer(SignallingAnswer &&other) noexcept
    {
        if (auto *isReady = std::exchange(other.m_isReady, nullptr))
            isReady->release();
    }
    SignallingAnswer &operator=(SignallingAnswer &&) = delete;

private:
    std::binary_semaphore *m_isReady = nullptr;
};

auto answering(int number)
{
    return [number](const std::stop_token &) { return number; };
}

} // namespace

class TestSideThread : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        tests::failOnWarnings();
        m_told.clear();
    }

    void workIsDoneOnAnotherThreadAndToldOfOnThisOneFromItsEventLoop()
    {
        SideThread thread(Older::Stopped);
        QThread *worked = nullptr;
        QThread *told = nullptr;
        thread.start([](const std::stop_token &) { return QThread::currentThread(); },
                     [&](QThread *where) {
                         worked = where;
                         told = QThread::currentThread();
                     });
        QVERIFY(thread.isBusy());
        QVERIFY(told == nullptr);
        QTRY_VERIFY(told != nullptr);
        QCOMPARE(told, QThread::currentThread());
        QVERIFY(worked != told);
        QVERIFY(!thread.isBusy());
    }

    void newWorkStopsOlderWorkWhichIsNotToldOf()
    {
        HeldWork first;
        SideThread thread(Older::Stopped);
        thread.start(first.answering(1), keep());
        first.begun.acquire();
        thread.start(answering(2), keep()); // forgotten before it begins
        thread.start(answering(3), keep());
        QVERIFY(first.isStopped);
        QVERIFY(thread.isBusy());
        QTRY_COMPARE(m_told, std::vector{3});
        QVERIFY(!thread.isBusy());
    }

    void olderWorkThatHasBegunIsFinishedAndTheNewestFollows()
    {
        HeldWork first;
        SideThread thread(Older::Finished);
        thread.start(first.answering(1), keep());
        first.begun.acquire();
        thread.start(answering(2), keep());
        thread.start(answering(3), keep());
        QVERIFY(!first.isStopped);
        first.mayGoOn.release();
        QTRY_COMPARE(m_told, (std::vector{1, 3}));
    }

    void eachIsToldOfInOrderWhereAllAreKept()
    {
        HeldWork first;
        SideThread thread(Older::Kept);
        thread.start(first.answering(1), keep());
        first.begun.acquire();
        for (const int number : {2, 3, 4})
            thread.start(answering(number), keep());
        first.mayGoOn.release();
        QTRY_COMPARE(m_told, (std::vector{1, 2, 3, 4}));
    }

    void nothingIsToldOfOnceItIsCancelled()
    {
        for (const Older older : {Older::Stopped, Older::Finished, Older::Kept}) {
            HeldWork first;
            m_told.clear();
            SideThread thread(older);
            thread.start(first.answering(1), keep());
            first.begun.acquire();
            if (older != Older::Stopped)
                thread.start(answering(2), keep());
            thread.cancel();
            QVERIFY(first.isStopped);
            QVERIFY(!thread.isBusy());
            thread.start(answering(3), keep());
            QTRY_COMPARE(m_told, std::vector{3});
        }
    }

    void anAnswerThatIsReadyIsNotToldOfOnceItIsCancelled()
    {
        std::binary_semaphore isReady(0);
        SideThread thread(Older::Finished);
        thread.start([&isReady](const std::stop_token &) { return SignallingAnswer(isReady); },
                     [this](const SignallingAnswer &) { m_told.push_back(1); });
        isReady.acquire();
        thread.cancel();
        thread.start(answering(2), keep());
        QTRY_COMPARE(m_told, std::vector{2});
    }

    void itsEndStopsWorkAndWaitsForIt()
    {
        HeldWork first;
        std::atomic<bool> hasEnded = false;
        {
            SideThread thread(Older::Kept);
            thread.start(
                [&](const std::stop_token &stop) {
                    const int number = first.answering(1)(stop);
                    hasEnded = true;
                    return number;
                },
                keep());
            thread.start(answering(2), keep());
            first.begun.acquire();
        }
        QVERIFY(first.isStopped);
        QVERIFY(hasEnded);
        QCoreApplication::processEvents();
        QVERIFY(m_told.empty());
    }

    void anErrorIsAnAnswer()
    {
        SideThread thread(Older::Stopped);
        std::unique_ptr<Result<int>> told;
        thread.start(
            [](const std::stop_token &) {
                return Result<int>(Error{ErrorCode::InvalidFile, "no trace", {}, {}});
            },
            [&told](const Result<int> &answer) { told = std::make_unique<Result<int>>(answer); });
        QTRY_VERIFY(told != nullptr);
        QVERIFY(told->error() == (Error{ErrorCode::InvalidFile, "no trace", {}, {}}));
    }

    void anExceptionIsTheErrorOfAResult()
    {
        SideThread thread(Older::Kept);
        std::vector<Error> told;
        const auto keepError = [&told](const Result<int> &answer) { told.push_back(answer.error()); };
        thread.start([](const std::stop_token &) -> Result<int> { throw std::runtime_error("a fault"); }, keepError);
        thread.start([](const std::stop_token &) -> Result<int> { throw std::bad_alloc(); }, keepError);
        QTRY_COMPARE(told.size(), std::size_t(2));
        QVERIFY(told[0] == (Error{ErrorCode::Internal, "a fault", {}, {}}));
        QVERIFY(told[1].code == ErrorCode::OutOfResources);
    }

    void whoIsToldMayAskForMore()
    {
        SideThread thread(Older::Stopped);
        thread.start(answering(1), [&](int number) {
            m_told.push_back(number);
            thread.start(answering(2), keep());
        });
        QTRY_COMPARE(m_told, (std::vector{1, 2}));
    }

    void whoIsToldMayDeleteIt()
    {
        auto thread = std::make_unique<SideThread>(Older::Kept);
        thread->start(answering(1), [&](int number) {
            m_told.push_back(number);
            thread.reset();
        });
        thread->start(answering(2), keep());
        QTRY_COMPARE(m_told, std::vector{1});
        QCoreApplication::processEvents();
        QCOMPARE(m_told, std::vector{1});
    }

private:
    std::function<void(int)> keep()
    {
        return [this](int number) { m_told.push_back(number); };
    }

    std::vector<int> m_told;
};

PIPESCOPE_TEST(TestSideThread)
#include "tst_side_thread.moc"
