#include "base/commit.h"

#include "support/test_program.h"

#include <QTest>
#include <chrono>

using namespace pipescope;
using namespace std::chrono_literals;

class TestCommit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void nothingIsEndedWhileOneIsUnderWay()
    {
        int ended = 0;
        const auto end = [&ended] { ++ended; };
        QVERIFY(unlessCommitting(0ms, end));
        QCOMPARE(ended, 1);
        {
            const Commit outer;
            {
                const Commit inner;
            }
            QVERIFY(!unlessCommitting(0ms, end));
        }
        QVERIFY(unlessCommitting(0ms, end));
        QCOMPARE(ended, 2);
    }

    void noneIsEndedRightAfterOneEither()
    {
        {
            const Commit commit;
        }
        bool ended = false;
        const auto end = [&ended] { ended = true; };
        QVERIFY(!unlessCommitting(1min, end));
        QVERIFY(!ended);
        QTest::qSleep(20);
        QVERIFY(unlessCommitting(10ms, end));
    }
};

PIPESCOPE_TEST(TestCommit)
#include "tst_commit.moc"
