#include "trace/trace_feeds.h"

#include "support/test_program.h"
#include "support/trace_builder.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::trace;
using schedule::Feeds;
using tests::TraceBuilder;

class TestTraceFeeds : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutTransfersStagesAreAChain()
    {
        QVERIFY(feedsOf(tests::evenForward(3, 2, 10)) == Feeds::chain(3));
        QVERIFY(feedsOf(tests::oneUnderWayTrace().build()) ==
                Feeds::chain(2)); // its waits name stages, but no transfers
        QVERIFY(!hasTransfers(tests::oneUnderWayTrace().build()));
        QVERIFY(feedsOf(Trace{}) == Feeds());
    }

    void aTraceThatSaysItsFeedsNeedsNoTransfers()
    {
        Trace trace = tests::twoTowersTrace();
        QVERIFY(feedsOf(trace) == Feeds(2, {}));
        trace.feeds->push_back({{0}, {1}});
        QVERIFY(feedsOf(trace) == Feeds::chain(2));
        trace.feeds = {{{{0}, {2}}, {{1}, {1}}, {{1}, {0}}, {{-1}, {1}}}}; // none of them is an edge of the trace
        QVERIFY(feedsOf(trace) == Feeds(2, {}));
    }

    void theEdgesOfFeedsMakeTheSameFeeds()
    {
        const Feeds feeds(4, {{{2}, {3}}, {{0}, {1}}, {{0}, {2}}, {{0}, {1}}});
        QCOMPARE(edgesOf(feeds), (std::vector<Feeds::Edge>{{{0}, {1}}, {{0}, {2}}, {{2}, {3}}}));
        QVERIFY(Feeds(4, edgesOf(feeds)) == feeds);
        QVERIFY(edgesOf(Feeds()).empty());
    }

    void sendsReceivesAndWaitsForInputsShowWhatFeedsWhat()
    {
        TraceBuilder builder(4, 4, 2);
        builder.send(0, 0, 0, 2, 0, 1).send(0, 0, 1, 2, 1, 2);
        builder.receive(3, 3, 0, 2, 5, 6);
        builder.wait(1, 1, 0, WaitCause::Input, 0, 3, 0);
        builder.wait(1, 1, 0, WaitCause::Credit, 0, 3, 3); // who gave a credit feeds nothing
        builder.send(99, 0, 0, 3, 0, 1);                   // of a rank that the trace does not have
        QVERIFY(hasTransfers(builder.build()));
        QVERIFY(feedsOf(builder.build()) == Feeds(4, {{{0}, {1}}, {{0}, {2}}, {{2}, {3}}}));
    }

    void gradientsGoTheWaysBack()
    {
        const Trace trace = TraceBuilder(3, 3, 1).send(2, 2, 0, 0, 0, 1).receive(0, 0, 0, 2, 1, 2).build();
        QVERIFY(feedsOf(trace) == Feeds(3, {{{0}, {2}}}));
    }

    void whatTheTraceDoesNotHaveIsLeftOut()
    {
        TraceBuilder builder(1, 2, 1);
        builder.send(0, 0, 0, 7, 0, 1).send(0, -1, 0, 1, 1, 2).send(0, 1, 0, 1, 2, 3).send(0, 1, 0, -1, 3, 4);
        QVERIFY(feedsOf(builder.build()) == Feeds(2, {}));
        QVERIFY(feedsOf(TraceBuilder(1, 2, 1).send(5, 0, 0, 1, 0, 1).build()) == Feeds::chain(2));
    }
};

PIPESCOPE_TEST(TestTraceFeeds)
#include "tst_trace_feeds.moc"
