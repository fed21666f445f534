#include "session/split_preview.h"

#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::session;

namespace {

SplitTable tableOf(const std::string &text)
{
    const auto graph = std::make_shared<const graph::ModelGraph>(tests::graphFromText(text));
    return {graph, std::make_shared<const SplitTable::Points>(partition::splitPoints(*graph))};
}

const char *const Measured = R"(in x
a = aten::linear x @0.004 *64
b = aten::linear a @0.002 *32
c = aten::linear b @0.001 *16
d = aten::linear c @0.001 *16
return d
)";

const char *const HeldText = R"(in x
param w one.weight 100
param v two.weight 300
a = aten::linear x w *64
b = aten::linear a v
c = aten::linear b w
return c
)";

} // namespace

class TestSplitPreview : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aLegalPlaceTellsWhatCrossesAndHowStagesBalance()
    {
        const SplitPreview preview = tableOf(Measured).preview({}, 1);
        QVERIFY(preview.legal);
        QCOMPARE(preview.id, partition::splitPoints(tests::graphFromText(Measured))[0].id);
        QCOMPARE(preview.crossingCount, 1);
        QCOMPARE(preview.bytes, std::optional<std::int64_t>(64));
        QCOMPARE(preview.kind, CostKind::Time);
        QCOMPARE(preview.before.costs.size(), 1U);
        QCOMPARE(preview.after.costs.size(), 2U);
        QCOMPARE(preview.after.costs[0], 0.004);
        QCOMPARE(preview.after.costs[1], 0.004);
        QCOMPARE(preview.after.excess, 0.0);
        QCOMPARE(preview.cuts, std::vector<int>{1});
        QCOMPARE(preview.stage, 1);
    }

    void theSlowestStageIsComparedWithTheMean()
    {
        const SplitPreview preview = tableOf(Measured).preview({1}, 2);
        QCOMPARE(preview.after.slowest, 0);
        QVERIFY(std::abs(preview.after.excess - 0.5) < 1e-9); // 4 of 4, 2 and 2: the mean is 8/3
        QCOMPARE(costText(preview.kind, preview.after.costs[0]), std::string("4.00 ms"));
    }

    void aMovedSplitLeavesItsPlaceAndMergesWithOneThatIsThere()
    {
        const SplitTable table = tableOf(Measured);
        QCOMPARE(table.preview({1, 3}, 2, 1).cuts, (std::vector<int>{2, 3}));
        QVERIFY(!table.preview({1, 3}, 2, 1).merges);
        const SplitPreview merged = table.preview({1, 3}, 3, 1);
        QVERIFY(merged.merges);
        QCOMPARE(merged.cuts, std::vector<int>{3});
        QVERIFY(!table.preview({1, 3}, 1, 1).merges);
    }

    void anIllegalPlaceTellsWhyAndChangesNothing()
    {
        const SplitTable table = tableOf("in x\na = aten::sin x\nb = aten::relu_ !a\nreturn b\n");
        const SplitPreview preview = table.preview({}, 1);
        QVERIFY(!preview.legal);
        QVERIFY(preview.reason.find("in place") != std::string::npos);
        QVERIFY(preview.cuts.empty());
        QCOMPARE(preview.after, preview.before);
    }

    void beyondTheEndsThereIsNoPlace()
    {
        const SplitTable table = tableOf(Measured);
        for (const int position : {-1, 0, 4, 1000}) {
            QVERIFY(!table.preview({2}, position).legal);
            QVERIFY(!table.preview({2}, position).reason.empty());
        }
        QVERIFY(!SplitTable().preview({}, 1).legal);
    }

    void withoutProfileBytesAreUnknownAndParametersCompared()
    {
        const SplitTable table = tableOf(HeldText);
        const SplitPreview preview = table.preview({}, 2);
        QCOMPARE(preview.kind, CostKind::Parameters);
        QVERIFY(!preview.bytes);
        // The first tensor is used on both sides: each stage holds a copy, and one stage holds it once.
        QCOMPARE(preview.before.costs, std::vector<double>{400});
        QCOMPARE(preview.after.costs, (std::vector<double>{400, 100}));
    }

    void constantsOfTheCodeAreComparedAsParametersAre()
    {
        const SplitTable table = tableOf("in x\nconst c table 300\nbuffer m mean 50\nparam w w 100\n"
                                         "a = aten::f x c m\nb = aten::f a w\nreturn b\n");
        const SplitPreview preview = table.preview({}, 1);
        QCOMPARE(preview.kind, CostKind::Parameters);
        QCOMPARE(preview.after.costs, (std::vector<double>{300, 100}));
    }

    void withoutTimesFlopsAreCompared()
    {
        const SplitTable table = tableOf("in x\na = aten::sin x %100\nb = aten::sin a %300\nreturn b\n");
        QCOMPARE(table.preview({}, 1).kind, CostKind::Flops);
        QCOMPARE(table.preview({}, 1).after.slowest, 1);
        QVERIFY(std::abs(table.preview({}, 1).after.excess - 0.5) < 1e-9);
    }

    void anExtentIsNamedByTheModulesInsideIt()
    {
        const graph::ModelGraph graph = tests::graphFromText(R"(in x
call tok
a = aten::embedding x
end
call blocks.0
call blocks.0.fc
b = aten::linear a
end
c = aten::relu b
end
call blocks.1
d = aten::linear c
end
e = aten::add d c
return e
)");
        QCOMPARE(extentText(graph, 1, 4), std::string("blocks.0–1"));
        QCOMPARE(extentText(graph, 0, 3), std::string("tok – blocks.0"));
        QCOMPARE(extentText(graph, 3, 4), std::string("blocks.1"));
        QCOMPARE(extentText(graph, 2, 3), std::string("relu"));
        QCOMPARE(extentText(graph, 2, 4), std::string("blocks.1"));
    }

    /// How fast is in tests/bench.
    void aLargeModelIsAnsweredAtEveryPosition()
    {
        std::string text = "in x\nparam w w 64\nv0 = aten::linear x w\n";
        for (int i = 1; i < 5000; ++i) {
            const std::string at = std::to_string(i);
            text += "v" + at + " = aten::linear v" + std::to_string(i - 1) + " w\n";
        }
        const SplitTable table = tableOf(text + "return v4999\n");
        std::vector<int> cuts;
        for (int i = 1; i < 16; ++i)
            cuts.push_back(i * 300);
        std::size_t all = 0;
        for (int position = 1; position < 5000; ++position)
            all += table.preview(cuts, position).after.costs.size();
        QVERIFY(all > 4999U * 15U);
    }
};

PIPESCOPE_TEST(TestSplitPreview)
#include "tst_split_preview.moc"
