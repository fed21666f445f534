#include "partition/live_bytes.h"

#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using partition::LiveBytes;
using pipescope::tests::graphFromText;

class TestLiveBytes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aValueIsThereFromWhereItIsMadeToItsLastUse()
    {
        const auto live = LiveBytes::of(graphFromText(R"(
            in x
            a = aten::linear x *100
            b = aten::linear a *10
            c = aten::linear b *10
            d = aten::add c a *1
            return d
        )"));
        QVERIFY(live);
        QCOMPARE(live->peak(0, 4), std::int64_t(120)); // a, b and c
        QCOMPARE(live->peak(0, 2), std::int64_t(110)); // a and b, which go on
        QCOMPARE(live->peak(2, 4), std::int64_t(120)); // a and b came, c was made
        QCOMPARE(live->peak(2, 3), std::int64_t(20));  // a goes past it
        QCOMPARE(live->peak(2, 2), std::int64_t(0));
        QCOMPARE(live->across(1), std::int64_t(100));
        QCOMPARE(live->across(2), std::int64_t(110));
        QCOMPARE(live->across(4), std::int64_t(0));
        QCOMPARE(live->returned(), std::int64_t(1));
        QCOMPARE(live->all(), std::int64_t(121));
    }

    void aConvolutionWorksOnACopyInAnotherLayout()
    {
        graph::ModelGraph graph = graphFromText(R"(
            in x
            a = aten::conv2d x *100
            b = aten::conv2d a *10
            c = aten::relu b *10
            return c
        )");
        graph.values[graph.arguments[0].value.index()].bytes = 3;
        const auto live = LiveBytes::of(graph);
        QVERIFY(live);
        QCOMPARE(live->peak(0, 1), std::int64_t(200)); // a, and a in the other layout
        QCOMPARE(live->peak(1, 2), std::int64_t(210)); // a came, b is made, and a in the other layout
        QCOMPARE(live->peak(2, 3), std::int64_t(20));
        QCOMPARE(live->peak(0, 3), std::int64_t(210));
        QCOMPARE(live->across(1), std::int64_t(100));
        QCOMPARE(live->all(), std::int64_t(120));
    }

    void viewsAreOneMemory()
    {
        const auto live = LiveBytes::of(graphFromText(R"(
            in x
            a = aten::linear x *100
            v~a = aten::view a *100
            b = aten::linear x *10
            c = aten::add v b *100
            return c
        )"));
        QVERIFY(live);
        QCOMPARE(live->across(3), std::int64_t(110)); // of a the view is used yet
        QCOMPARE(live->all(), std::int64_t(210));
    }

    void whatMayBeAnArgumentOrAWeightTakesNothingMore()
    {
        graph::ModelGraph graph = graphFromText(R"(
            in x
            param w a.weight 64
            v~x = aten::view x *40
            t~w = aten::t w *64
            y = aten::matmul v t *8
            return y
        )");
        graph.values[graph.arguments[0].value.index()].bytes = 40;
        for (graph::Value &value : graph.values)
            if (value.kind == graph::ValueKind::Parameter)
                value.bytes = 64;
        const auto live = LiveBytes::of(graph);
        QVERIFY(live);
        QCOMPARE(live->peak(0, 3), std::int64_t(8));
    }

    void withoutAProfileNothingIsKnown()
    {
        QVERIFY(!LiveBytes::of(graphFromText(R"(
            in x
            a = aten::linear x *100
            b = aten::linear a
            return b
        )")));
    }
};

PIPESCOPE_TEST(TestLiveBytes)
#include "tst_live_bytes.moc"
