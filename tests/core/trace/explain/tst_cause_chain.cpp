#include "trace/explain/cause_chain.h"

#include "support/explained.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using trace::Explanation;

namespace {

QString chainOf(const Explanation &model, std::size_t rank, std::size_t bubble)
{
    const trace::Lane &lane = model.lanes()[rank];
    QStringList actions;
    for (const trace::SliceRef ref : trace::chainOf(model, lane, lane.bubbles[bubble]))
        actions << QString::fromStdString(schedule::toText(keyOf(model.eventOf(model.at(ref)))));
    return actions.join(' ');
}

} // namespace

class TestCauseChain : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPipelineThatFillsIsFollowedToItsStart()
    {
        const auto model = tests::explained(tests::evenForward(4, 2, 10));
        QCOMPARE(chainOf(*model, 3, 0), QString("0F0 1F0 2F0"));
        QCOMPARE(chainOf(*model, 1, 0), QString("0F0"));
    }

    void theChainBeginsWhereARankWasBusyAllAlong()
    {
        // Stage 1 is slow with microbatch 1; before it, rank 1 did not wait.
        tests::TraceBuilder builder(3, 3, 2);
        builder.compute(0, 0, 0, 0, 10).compute(0, 0, 1, 10, 20);
        builder.compute(1, 1, 0, 10, 20).compute(1, 1, 1, 20, 90);
        builder.compute(2, 2, 0, 20, 30).compute(2, 2, 1, 90, 100);
        QCOMPARE(chainOf(*tests::explained(builder.build()), 2, 1), QString("1F1"));
    }

    void aBackwardWaitsForABackward()
    {
        trace::Trace trace = tests::TraceBuilder(2, 2, 1)
                                 .compute(0, 0, 0, 0, 10)
                                 .compute(1, 1, 0, 10, 20)
                                 .compute(1, 1, 0, 20, 40)
                                 .compute(0, 0, 0, 40, 60)
                                 .build();
        trace.events[2].action = schedule::ActionKind::FullBackward;
        trace.events[3].action = schedule::ActionKind::FullBackward;
        QCOMPARE(chainOf(*tests::explained(trace), 0, 0), QString("1B0"));
    }

    void aWaitForCreditIsFollowedToTheBeginningOfTheRun()
    {
        const auto model = tests::explained(tests::oneUnderWayTrace().build());
        QCOMPARE(chainOf(*model, 0, 0), QString("0F0 1F0"));
        QCOMPARE(chainOf(*model, 1, 1), QString("0F0 1F0 0F1"));
    }

    void howeverManyMicrobatchesWaitedForCreditTheChainGoesAllTheWayBack()
    {
        constexpr int microbatches = 400;
        tests::TraceBuilder builder(2, 2, microbatches);
        for (int i = 0; i < microbatches; ++i) {
            const std::int64_t begin = 400 * i;
            if (i > 0)
                builder.creditWait(0, 0, i, 1, i - 1, begin - 300, begin);
            builder.compute(0, 0, i, begin, begin + 100).compute(1, 1, i, begin + 100, begin + 400);
        }
        const QStringList chain = chainOf(*tests::explained(builder.build()), 1, microbatches - 1).split(' ');
        QCOMPARE(chain.size(), 2 * microbatches - 1);
        QCOMPARE(chain.first(), QString("0F0"));
        QCOMPARE(chain.last(), QString("0F399"));
    }

    void whatWaitedForNobodyHasNoChain()
    {
        const auto model = tests::explained(tests::twoRanksTrace().build());
        QCOMPARE(chainOf(*model, 0, 1), QString());
        QCOMPARE(chainOf(*model, 1, 0), QString("0F0"));
    }
};

PIPESCOPE_TEST(TestCauseChain)
#include "tst_cause_chain.moc"
