#include "comm/rank_threads.h"

#include "support/test_program.h"

#include <QTest>
#include <set>

using namespace pipescope;
using comm::RankThreads;
using namespace std::chrono_literals;

class TestRankThreads : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void preparationRunsOnEachThreadBeforeTheFirstJob()
    {
        std::vector<std::thread::id> prepared(3);
        RankThreads threads(3, [&](RankId rank) { prepared[rank.index()] = std::this_thread::get_id(); });
        QCOMPARE((std::set<std::thread::id>(prepared.begin(), prepared.end()).size()), std::size_t(3));
        QVERIFY(std::find(prepared.begin(), prepared.end(), std::this_thread::get_id()) == prepared.end());
    }

    void everyJobRunsOnTheSameThreads()
    {
        std::vector<std::thread::id> before(2);
        std::vector<std::thread::id> now(2);
        RankThreads threads(2, [&](RankId rank) { before[rank.index()] = std::this_thread::get_id(); });
        for (int i = 0; i < 100; ++i) {
            now.assign(2, {});
            threads.start({[] {}, [&](RankId rank) { now[rank.index()] = std::this_thread::get_id(); }});
            QVERIFY(threads.waitFor(10s));
            QVERIFY2(now == before, qPrintable(QString("job %1").arg(i)));
        }
    }

    void theGateOpensOnceWhenAllAreAwakeAndBeforeAnyRuns()
    {
        RankThreads threads(4, [](RankId) {});
        for (int i = 0; i < 200; ++i) {
            std::atomic<int> opened = 0;
            std::atomic<int> tooEarly = 0;
            std::atomic<int> ran = 0;
            threads.start({[&] {
                               tooEarly += ran;
                               ++opened;
                           },
                           [&](RankId) {
                               tooEarly += opened == 1 ? 0 : 1;
                               ++ran;
                           }});
            QVERIFY(threads.waitFor(10s));
            QCOMPARE(opened.load(), 1);
            QCOMPARE(ran.load(), 4);
            QVERIFY2(tooEarly == 0, qPrintable(QString("job %1").arg(i)));
        }
    }

    void waitingEndsWhenTheTimeIsOver()
    {
        std::atomic<bool> go = false;
        RankThreads threads(1, [](RankId) {});
        threads.start({[] {},
                       [&](RankId) {
                           while (!go)
                               std::this_thread::yield();
                       }});
        QVERIFY(!threads.waitFor(1ms));
        go = true;
        QVERIFY(threads.waitFor(10s));
    }

    void threadsThatHadNoJobEnd()
    {
        RankThreads threads(3, [](RankId) {});
        QVERIFY(threads.waitFor(0ms));
    }
};

PIPESCOPE_TEST(TestRankThreads)
#include "tst_rank_threads.moc"
