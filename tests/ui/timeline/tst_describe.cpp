#include "timeline/describe.h"

#include "runs.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QRegularExpression>
#include <QTest>
#include <QTranslator>

using namespace pipescope;

namespace {

/// Says everything in capitals, so that what is said without it is seen.
class Shouting : public QTranslator
{
public:
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char *, const char *text, const char *, int) const override
    {
        return QString::fromUtf8(text).toUpper();
    }
};

} // namespace

class TestDescribe : public QObject
{
    Q_OBJECT

private:
    static QString said(timeline::Spot spot) { return describe(*tests::twoRanks(), spot); }

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
                                           "what helps: more microbatches, fewer stages\n"
                                           "from 0 ns to 105 ns"));
    }

    void eachCauseHasWhatHelpsAgainstIt()
    {
        using trace::BubbleCause;
        QCOMPARE(remedyFor(BubbleCause::WarmUp), QString("more microbatches, fewer stages"));
        QCOMPARE(remedyFor(BubbleCause::CoolDown), QString("more microbatches, fewer stages"));
        QCOMPARE(remedyFor(BubbleCause::Input), QString("a better balance, where the stage waited for is slower"));
        QCOMPARE(remedyFor(BubbleCause::Credit), QString("a higher limit (Most in flight), and memory for it"));
        QCOMPARE(remedyFor(BubbleCause::Device), QString("devices of their own"));
        QCOMPARE(remedyFor(BubbleCause::NotRunning),
                 QString("fewer other programs, fewer threads or ranks than cores, longer actions"));
        QCOMPARE(remedyFor(BubbleCause::Runtime), QString("longer actions"));
    }

    void aWaitForCreditNamesTheActionThatEndedItOnBothSides()
    {
        const auto model = tests::modelOf(tests::oneUnderWayTrace().build());
        QVERIFY(describe(*model, {0, 2, -1}).contains("\nwaited for credit from 1F0 on rank 1\n"));
        QVERIFY(describe(*model, {1, 1, -1}).contains("\ngave credit to 0F1 on rank 0\n"));
        QCOMPARE(waitedFor(*model, {0, 2}), QString("1F0 on rank 1 (credit)"));
        QVERIFY(describe(*model, {0, -1, 0}).contains("\n0F0 → 1F0 → here\n"));
    }

    void anActionThatBeganLateWaitedForNothing()
    {
        tests::TraceBuilder builder(2, 2, 1);
        builder.compute(0, 0, 0, 20, 250).send(0, 0, 0, 1, 250, 260);
        builder.wait(1, 1, 0, trace::WaitCause::Input, 0, 3990, 0).receive(1, 1, 0, 0, 3990, 3991);
        builder.compute(1, 1, 0, 3991, 5000);
        QCOMPARE(waitedFor(*tests::modelOf(builder.build()), {1, 2}), QString("nothing (not running)"));
    }

    void ofALongChainTheBeginningAndTheEndAreTold()
    {
        const auto model = tests::modelOf(tests::evenForward(1, 30, 10));
        std::vector<trace::SliceRef> chain;
        for (int i = 0; i < 30; ++i)
            chain.push_back({0, i});
        QCOMPARE(chainText(*model, chain),
                 QString("0F0 → 0F1 → 0F2 → 0F3 → (14 more) → 0F18 → 0F19 → 0F20 → 0F21 → 0F22 → 0F23 → 0F24 → 0F25 → "
                         "0F26 → 0F27 → 0F28 → 0F29 → here"));
        chain.resize(16);
        QVERIFY(!chainText(*model, chain).contains("more"));
    }

    void whatATraceCallsThingsIsNoPlaceForOthers()
    {
        trace::Trace trace = tests::twoRanksTrace().build();
        for (trace::Event &event : trace.events)
            event.value = "%2%3";
        const auto model = tests::modelOf(trace);
        QCOMPARE(describe(*model, {0, 1, -1}).section('\n', 0, 0), QString("send %2%3 to stage 1 on rank 0, 10 ns"));
    }

    void everySentenceCanBeTranslated()
    {
        Shouting translator;
        QVERIFY(QCoreApplication::installTranslator(&translator));
        const auto model = tests::modelOf(tests::oneUnderWayTrace().send(0, 0, 1, 1, 500, 510).build());
        QString all;
        for (const trace::Lane &lane : model->lanes()) {
            for (int i = 0; i < std::ssize(lane.slices); ++i)
                all += describe(*model, {lane.rank.value, i, -1}) + '\n';
            for (int i = 0; i < std::ssize(lane.bubbles); ++i)
                all += describe(*model, {lane.rank.value, -1, i}) + '\n';
            all += describeMemory(lane.rank, model->look(lane.rank.value).memory, 0) + '\n';
        }
        QCoreApplication::removeTranslator(&translator);
        // Left as they are: actions, the value's name, units.
        static const QRegularExpression word(QStringLiteral("\\b(?!ns\\b|h0\\b)[a-z]{2,}\\b"));
        QVERIFY2(!word.match(all).hasMatch(), qPrintable(all));
        QVERIFY2(all.contains("GAVE CREDIT TO"), qPrintable(all));
    }
};

PIPESCOPE_TEST(TestDescribe)
#include "tst_describe.moc"
