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
        const auto now = std::chrono::steady_clock::now();
        const int putOff = endsPutOff();
        QVERIFY(!unlessCommitting(1min, end, now));
        QVERIFY(!ended);
        QCOMPARE(endsPutOff(), putOff + 1);
        QVERIFY(unlessCommitting(1min, end, now + 1min));
        QVERIFY(ended);
        QCOMPARE(endsPutOff(), putOff + 1);
    }
};

PIPESCOPE_TEST(TestCommit)
#include "tst_commit.moc"
