#include "timeline/summary.h"

#include "runs.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "timeline/comparison.h"

#include <QTest>

using namespace pipescope;
using timeline::NamedStats;
using timeline::ShownRuns;
using timeline::Spot;
using timeline::Summary;
using timeline::summaryOf;

namespace {

QString factOf(const Summary &summary, const char *name)
{
    for (const Summary::Fact &fact : summary.facts)
        if (fact.name == name)
            return fact.other.isEmpty() ? fact.value : fact.value + '|' + fact.other;
    return QStringLiteral("none");
}

NamedStats statsOf(const char *name, double makespan, double bubbles)
{
    NamedStats stats;
    stats.name = name;
    stats.stats.makespanSeconds = makespan;
    stats.stats.bubbleShare = bubbles;
    return stats;
}

} // namespace

class TestSummary : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void withoutARunThereIsNothingToSay() { QVERIFY(summaryOf({}, {}, {}).title.isEmpty()); }

    void theWholeRunIsSummedUpWhenNothingIsSelected()
    {
        const Summary summary = summaryOf(tests::shown(tests::twoRanks()), {}, {});
        QCOMPARE(summary.title, QString("Whole run"));
        QCOMPARE(summary.subtitle, QString("4 actions, 2 transfers"));
        QCOMPARE(summary.shares.size(), std::size_t{6}); // forward, send, receive, fill, drain, between
        QCOMPARE(factOf(summary, "bubbles"), QString("43.4 %"));
        QCOMPARE(factOf(summary, "sent"), QString("128 B"));
        QCOMPARE(factOf(summary, "peak memory"), QString("none"));
    }

    void twoRunsStandSideBySide()
    {
        const ShownRuns runs({{tests::twoRanks(), QStringLiteral("Run 2")},
                              {tests::modelOf(tests::evenForward(2, 2, 100)), QStringLiteral("Run 1")}});
        const Summary summary = summaryOf(runs, {}, {});
        QCOMPARE(summary.runs, QStringList({"Run 2", "Run 1"}));
        QCOMPARE(factOf(summary, "length"), QString("530 ns|300 ns"));
        QVERIFY(std::abs(summary.shares[0].other.value() - 2.0 / 3) < 1e-12);
    }

    void aBubbleSaysWhereItCameFrom()
    {
        const Summary summary =
            summaryOf(tests::shown(tests::modelOf(tests::evenForward(3, 2, 1000))), {}, Spot{2, -1, 0});
        QCOMPARE(summary.title, QString("Bubble on rank 2, 2.00 µs"));
        QCOMPARE(factOf(summary, "kind"), QString("fill"));
        QCOMPARE(factOf(summary, "came of"), QString("0F0 → 1F0 → here"));
        QCOMPARE(factOf(summary, "what helps"), QString("more microbatches, fewer stages"));
    }

    void aBubbleSaysWhatHelps()
    {
        const auto runs = tests::shown(tests::modelOf(tests::oneUnderWayTrace().build()));
        QCOMPARE(factOf(summaryOf(runs, {}, Spot{0, -1, 0}), "what helps"),
                 QString("a higher limit (Most in flight), and memory for it"));
        QCOMPARE(factOf(summaryOf(runs, {}, Spot{1, -1, 1}), "what helps"),
                 QString("a better balance, where the stage waited for is slower"));
    }

    void anActionIsComparedWithThoseOfItsStage()
    {
        const Summary summary = summaryOf(tests::shown(tests::twoRanks()), {}, Spot{1, 2, -1});
        QCOMPARE(summary.title, QString("1F0"));
        QCOMPARE(factOf(summary, "median of stage 1"), QString("200 ns"));
        QCOMPARE(factOf(summary, "waited"), QString("105 ns"));
        QCOMPARE(factOf(summary, "waited for"), QString("0F0 on rank 0 (fill)"));
        QCOMPARE(factOf(summary, "needs"), QString("0F0"));
        QCOMPARE(factOf(summary, "bytes in"), QString("64 B"));
    }

    void anActionThatWaitedForCreditNamesWhoGaveIt()
    {
        const auto runs = tests::shown(tests::modelOf(tests::oneUnderWayTrace().build()));
        QCOMPARE(factOf(summaryOf(runs, {}, Spot{0, 2, -1}), "credit from"), QString("1F0"));
        QCOMPARE(factOf(summaryOf(runs, {}, Spot{1, 1, -1}), "gave credit to"), QString("0F1"));
    }

    void twoRunsAreComparedInWords()
    {
        const NamedStats fast = statsOf("Run 2", 0.9, 0.30);
        const NamedStats slow = statsOf("Run 1", 1.0, 0.36);
        QCOMPARE(comparisonText(fast, slow), QString("Run 2 takes 100 ms (10.0 %) less than Run 1. Its bubbles are "
                                                     "30.0 % of the time, 6.0 points fewer than 36.0 %."));
        QCOMPARE(comparisonText(slow, fast), QString("Run 1 takes 100 ms (11.1 %) more than Run 2. Its bubbles are "
                                                     "36.0 % of the time, 6.0 points more than 30.0 %."));
        QCOMPARE(comparisonText(fast, fast),
                 QString("Run 2 takes as long as Run 2, 900 ms. Bubbles are 30.0 % of the time in both."));
    }
};

PIPESCOPE_TEST(TestSummary)
#include "tst_summary.moc"
