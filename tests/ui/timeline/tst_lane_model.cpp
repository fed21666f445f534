#include "timeline/lane_model.h"

#include "runs.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;

class TestLaneModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aLaneIsCalledAsItsRank()
    {
        trace::Trace trace = tests::twoRanksTrace().build();
        trace.rankNames.pop_back();
        const auto model = tests::modelOf(trace);
        QCOMPARE(model->look(0).name, std::string("rank 0 (cpu:0)"));
        QCOMPARE(model->look(1).name, std::string("rank 1"));
    }

    void theLongestActionOfALaneIsKnown()
    {
        tests::TraceBuilder builder(1, 2, 12);
        builder.compute(0, 0, 0, 0, 10).compute(0, 1, 11, 10, 20).compute(0, 1, 2, 20, 30);
        QCOMPARE(tests::modelOf(builder.build())->look(0).longestAction, std::size_t{4}); // 1F11
    }

    void whatIsExplainedIsKeptAsLongAsTheModel()
    {
        auto trace = std::make_shared<const trace::Trace>(tests::twoRanksTrace().build());
        const timeline::LaneModel model(trace);
        trace.reset();
        QCOMPARE(model.trace().events.size(), std::size_t{9});
    }
};

PIPESCOPE_TEST(TestLaneModel)
#include "tst_lane_model.moc"
