#include "schedule/schedule_request.h"

#include "schedule/schedule_table.h"
#include "support/schedule_text.h"
#include "support/test_program.h"

#include <QTest>
#include <limits>

using namespace pipescope;
using namespace pipescope::schedule;
using tests::shown;
using tests::textOf;

namespace {

using Ranks = std::vector<RankId>;

QString faultOf(const ScheduleRequest &request)
{
    const Status good = checkRequest(request);
    return good ? QString() : shown(good.error().message);
}

QString misfitOf(const char *key, const ScheduleRequest &request)
{
    const Status fit = (*findSchedule(key))->fits(request);
    return fit ? QString() : shown(fit.error().message);
}

ScheduleRequest given(int ranks, Ranks rankOf)
{
    ScheduleRequest request{ranks, static_cast<int>(rankOf.size()), 2};
    request.placement = Placement::Given;
    request.givenRanks = std::move(rankOf);
    return request;
}

} // namespace

class TestScheduleRequest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // As upstream's generate_stage_to_rank_mapping.
    void stagesArePlacedInALoopAVOrAsGiven()
    {
        QCOMPARE(placedRanks({2, 4, 1}), (Ranks{{0}, {1}, {0}, {1}}));
        QCOMPARE(placedRanks({4, 2, 1}), (Ranks{{0}, {1}}));
        ScheduleRequest v{2, 4, 1};
        v.placement = Placement::V;
        QCOMPARE(placedRanks(v), (Ranks{{0}, {1}, {1}, {0}}));
        v = {4, 12, 1};
        v.placement = Placement::V;
        QCOMPARE(placedRanks(v), (Ranks{{0}, {1}, {2}, {3}, {3}, {2}, {1}, {0}, {0}, {1}, {2}, {3}}));
        QCOMPARE(placedRanks(given(2, {{1}, {0}, {1}})), (Ranks{{1}, {0}, {1}}));
    }

    void countsBelowOneAreRefused()
    {
        for (const ScheduleRequest &request : {ScheduleRequest{0, 2, 2}, {2, 0, 2}, {2, 2, 0}, {2, 2, -1}})
            QVERIFY(faultOf(request).startsWith("a schedule needs at least one rank, stage and microbatch, but got "));
        QCOMPARE(faultOf({1, 1, 1}), QString());
        ScheduleRequest request{2, 2, 2};
        request.groupSize = -1;
        QCOMPARE(faultOf(request),
                 QString("groups of -1 microbatches; give a number above 0, or 0 for the schedule's own"));
    }

    void placementsThatDoNotAddUpAreRefused()
    {
        ScheduleRequest v{2, 5, 2};
        v.placement = Placement::V;
        QCOMPARE(faultOf(v), QString("num_stages 5 must be evenly divisible by pp_size 2 for V schedules"));
        QCOMPARE(faultOf(given(2, {{0}, {2}})), QString("stage 1 is given to rank 2, but ranks are 0 to 1"));
        QCOMPARE(faultOf(given(2, {{0}, {-1}})), QString("stage 1 is given to rank -1, but ranks are 0 to 1"));
        QCOMPARE(faultOf(given(3, {{0}, {2}, {0}})), QString("rank 1 is given no stage"));
        ScheduleRequest request = given(2, {{0}, {1}});
        request.stages = 3;
        QCOMPARE(faultOf(request), QString("3 stages need a rank each, but 2 ranks are given for them"));
        request = given(2, {{0}, {1}});
        request.placement = Placement::Loop;
        QCOMPARE(faultOf(request), QString("ranks are given for the stages, but the placement says where they are"));
    }

    void costsThatAreNoneAreRefused()
    {
        ScheduleRequest request{2, 2, 2};
        request.costs = {{1, 1, 1, 5}};
        QCOMPARE(faultOf(request), QString("costs are given for 1 stages of 2"));
        request.costs = {{1, 1, 1, 5}, {1, -2, 1, 5}};
        QCOMPARE(faultOf(request), QString("stage 1 costs -2 s; costs are 0 or more"));
        request.costs[1].inputBackwardSeconds = std::numeric_limits<double>::quiet_NaN();
        QCOMPARE(faultOf(request), QString("stage 1 costs nan s; costs are 0 or more"));
        request.costs[1] = {1, 1, 1, -5};
        QCOMPARE(faultOf(request), QString("stage 1 keeps -5 bytes; give 0 or more"));
        request.costs[1] = {0, 0, 0, 0};
        QCOMPARE(faultOf(request), QString());
        request.memoryCap = -1;
        QCOMPARE(faultOf(request), QString("a memory cap of -1 bytes; give a number above 0, or 0 for none"));
        request.memoryCap = 1;
        QCOMPARE(faultOf(request), QString());
        request.costs.clear();
        QCOMPARE(faultOf(request), QString("a memory cap says nothing without the bytes that each stage keeps; give "
                                           "the stages' costs"));
    }

    void aRowRefusesWhatItHasNoScheduleFor()
    {
        QCOMPARE(misfitOf("gpipe", {2, 2, 1}), QString());
        QCOMPARE(misfitOf("forward", {2, 5, 1}), QString());
        QCOMPARE(
            misfitOf("gpipe", {2, 4, 8}),
            QString("GPipe runs one stage per rank, but got 4 stages on 2 ranks; use `forward` for several stages on "
                    "a rank"));
        QVERIFY(misfitOf("forward", {3, 2, 8}).startsWith("a forward schedule needs no more ranks than stages"));
        QVERIFY(misfitOf("forward", {0, 2, 8}).startsWith("a schedule needs at least one rank"));
        ScheduleRequest training{2, 2, 4};
        training.trains = true;
        QCOMPARE(misfitOf("gpipe", training), QString());
        QCOMPARE(misfitOf("forward", training),
                 QString("Forward only has no backward; training needs a schedule that has"));
        ScheduleRequest groups{2, 2, 4};
        groups.groupSize = 2;
        QCOMPARE(misfitOf("gpipe", groups), QString("GPipe has no groups of 2 microbatches: a rank has one stage"));
        QVERIFY(misfitOf("forward", groups).endsWith("not groups of 2"));
    }

    // Three microbatches of 5 bytes.
    void gpipeFitsWhereTheMemoryHoldsAllMicrobatches()
    {
        ScheduleRequest request{2, 2, 3};
        request.trains = true;
        request.costs = {{1, 1, 1, 4}, {1, 1, 1, 5}};
        request.memoryCap = 15;
        QCOMPARE(misfitOf("gpipe", request), QString());
        request.memoryCap = 14;
        QCOMPARE(
            misfitOf("gpipe", request),
            QString("GPipe keeps the activations of all microbatches, at stage 1 3 times 5 bytes, more than the 14 "
                    "bytes a rank may keep; use fewer microbatches"));
        request.trains = false; // keeps nothing for a backward
        QCOMPARE(misfitOf("gpipe", request), QString());
    }

    void stagesRunWhereTheyArePlaced()
    {
        const auto swapped = buildSchedule("gpipe", given(2, {{1}, {0}}));
        QVERIFY(swapped);
        QCOMPARE(textOf(*swapped), (std::vector<std::string>{"1F0 1F1 1B0 1B1", "0F0 0F1 0B0 0B1"}));
        ScheduleRequest v{2, 4, 2};
        v.placement = Placement::V;
        QCOMPARE(textOf(*buildSchedule("forward", v)),
                 (std::vector<std::string>{"0F0 0F1 3F0 3F1", "1F0 1F1 2F0 2F1"}));
    }

    void theKeysOfAllRowsAreListed()
    {
        QCOMPARE(shown(scheduleKeys()), QString("forward, gpipe"));
        QCOMPARE(shown(scheduleKeys("'")), QString("'forward', 'gpipe'"));
    }
};

PIPESCOPE_TEST(TestScheduleRequest)
#include "tst_schedule_request.moc"
