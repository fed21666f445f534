#include "runview/needs_text.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using runview::needsLabel;
using runview::needsToolTip;

namespace {

report::RunNeeds twoStages()
{
    report::RunNeeds needs;
    needs.weights = 3 << 20;
    needs.stageWeights = {1 << 20, 2 << 20};
    needs.activations = 1 << 20;
    needs.comparison = 0;
    needs.inFlight = 4;
    needs.ranks = 2;
    needs.machine = {AvailableMemory{8 << 20, "/proc/meminfo"}, 2};
    return needs;
}

} // namespace

class TestNeedsText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void theLabelIsASentence()
    {
        QCOMPARE(needsLabel(twoStages()), QString("Needs about 4.00 MiB of memory (weights 3.00 MiB, activations 1.00 "
                                                  "MiB), 8.00 MiB are free; 2 threads on 2 cores."));
    }

    void theWarningTakesItsPlaceInTheSameWordsAsEverywhere()
    {
        report::RunNeeds needs = twoStages();
        needs.machine.memory->bytes = 2 << 20;
        QCOMPARE(needsLabel(needs), "Warning: " + QString::fromStdString(report::memoryWarning(needs)) + '.');
        QVERIFY(needsLabel(needs).contains("2.00 MiB are free"));
    }

    void theToolTipHasEachStageAndWhatIsFree()
    {
        const QString tip = needsToolTip(twoStages());
        QVERIFY2(tip.contains("Weights of the stages: stage 0: 1.00 MiB, stage 1: 2.00 MiB."), qPrintable(tip));
        QVERIFY2(tip.contains("4 microbatches are under way at once."), qPrintable(tip));
        QVERIFY2(tip.contains("/proc/meminfo"), qPrintable(tip));
        QVERIFY(!tip.contains("ranks wait"));
    }

    void theToolTipSaysThatThereAreFewerCoresThanThreads()
    {
        report::RunNeeds needs = twoStages();
        needs.threadsPerRank = 2;
        const QString tip = needsToolTip(needs);
        QVERIFY2(tip.contains("2 ranks with 2 threads each have 4 threads, and the machine has 2 cores"),
                 qPrintable(tip));
    }

    void manyStagesAreCutShort()
    {
        report::RunNeeds needs = twoStages();
        needs.stageWeights.assign(20, 1 << 20);
        QVERIFY(needsToolTip(needs).contains("stage 15: 1.00 MiB, 4 more."));
    }
};

PIPESCOPE_WIDGET_TEST(TestNeedsText)
#include "tst_needs_text.moc"
