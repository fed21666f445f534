#include "comm/job_queue.h"

#include "support/test_program.h"

#include <QTest>
#include <atomic>
#include <future>
#include <vector>

using namespace pipescope;
using comm::JobQueue;

class TestJobQueue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void jobsRunOneAfterAnotherInOrder()
    {
        std::vector<int> order;
        std::atomic<int> running = 0;
        bool alone = true;
        JobQueue queue;
        for (int id = 0; id < 50; ++id)
            queue.add(id, [&, id](const std::stop_token &) {
                alone = ++running == 1 && alone;
                order.push_back(id);
                --running;
            });
        queue.finish();
        QVERIFY(alone);
        QCOMPARE(order.size(), std::size_t(50));
        QVERIFY(std::is_sorted(order.begin(), order.end()));
    }

    void aRunningJobIsToldToStop()
    {
        JobQueue queue;
        std::promise<void> begun;
        bool stopped = false;
        queue.add(7, [&](const std::stop_token &stop) {
            begun.set_value();
            while (!stop.stop_requested())
                std::this_thread::yield();
            stopped = true;
        });
        begun.get_future().wait();
        QVERIFY(queue.has(7));
        QVERIFY(queue.cancel(7));
        queue.finish();
        QVERIFY(stopped);
        QVERIFY(!queue.has(7));
        QVERIFY(!queue.cancel(7));
    }

    void aWaitingJobGetsItsTurnAndKnowsThatItIsCancelled()
    {
        JobQueue queue;
        std::promise<void> go;
        queue.add(1, [&](const std::stop_token &) { go.get_future().wait(); });
        bool cancelled = false;
        queue.add(2, [&](const std::stop_token &stop) { cancelled = stop.stop_requested(); });
        QVERIFY(queue.cancel(2));
        go.set_value();
        queue.finish();
        QVERIFY(cancelled);
    }

    void itsEndCancelsAllOfThem()
    {
        std::atomic<int> stopped = 0;
        {
            JobQueue queue;
            for (int id = 0; id < 3; ++id)
                queue.add(id, [&](const std::stop_token &stop) {
                    while (!stop.stop_requested())
                        std::this_thread::yield();
                    ++stopped;
                });
        }
        QCOMPARE(stopped.load(), 3);
    }
};

PIPESCOPE_TEST(TestJobQueue)
#include "tst_job_queue.moc"
