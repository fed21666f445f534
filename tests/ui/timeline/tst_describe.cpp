#include "timeline/describe.h"

#include "runs.h"
#include "support/qt_warnings.h"

#include <QtTest>

using namespace pipescope;

class TestDescribe : public QObject
{
    Q_OBJECT

private:
    static QString said(timeline::Spot spot) { return QString::fromStdString(describe(*tests::twoRanks(), spot)); }

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aComputeSaysWhatItNeedsAndWhatNeedsIt()
    {
        QCOMPARE(said({1, 4, -1}), QString("1F1 on rank 1, 200 ns\n"
                                           "stage 1, microbatch 1, forward\n"
                                           "needs 0F1 on rank 0\n"
                                           "from 330 ns to 530 ns"));
        QVERIFY(said({0, 2, -1}).contains("needed by 1F1 on rank 1"));
    }

    void aTransferSaysWhatGoesWhere()
    {
        QCOMPARE(said({0, 1, -1}), QString("send h0 to stage 1 on rank 0, 10 ns\n"
                                           "64 B for stage 1, microbatch 0\n"
                                           "from 100 ns to 110 ns"));
    }

    void aBubbleSaysItsCauseAndItsShare()
    {
        QCOMPARE(said({1, -1, 0}), QString("Bubble on rank 1, 105 ns (19.8 % of the run)\n"
                                           "fill: waiting for stage 0's microbatch 0\n"
                                           "from 0 ns to 105 ns"));
    }
};

QTEST_GUILESS_MAIN(TestDescribe)
#include "tst_describe.moc"
