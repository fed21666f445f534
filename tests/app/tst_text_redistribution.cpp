#include "redistribution_output.h"

#include "support/contains.h"
#include "support/layouts.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QFloat16>
#include <QTest>

using namespace pipescope;
using app::Redistributions;
using tests::contains;
using tests::layoutOf;

namespace {

Redistributions plans(std::string_view mesh, std::string_view from, std::string_view to, const shard::Sizes &shape)
{
    return *app::planBoth(layoutOf(mesh, from, shape), layoutOf(mesh, to, shape), {});
}

std::string textOf(const Redistributions &plans)
{
    return app::redistributionText(plans, {});
}

std::string costError(std::string_view text)
{
    const auto costs = app::parseCosts(text);
    return costs ? "no error" : costs.error().message;
}

} // namespace

class TestTextRedistribution : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aPlanIsATraceAndATableOfSteps()
    {
        QCOMPARE(textOf(plans("4", "S0", "R", {16, 8})),
                 std::string("to Spec(f32[16, 8](R))\n"
                             "\n"
                             "as PyTorch plans: S(0)->R\n"
                             "step  collective  over  from  to  gives  has then     time\n"
                             "   1  all_gather  0     S(0)  R   128 B     512 B  14.7 µs\n"
                             "total: 1 collective, 14.7 µs\n"
                             "\n"
                             "the cheapest plan is the same\n"));
    }

    void unevenShardsShowWhatPaddingAdds()
    {
        QVERIFY(contains(textOf(plans("4", "S0", "R", {13, 3})), " 48 B     156 B  48 B > 192 B "));
    }

    void meshDimensionsAreNamedAndLocalStepsMoveNothing()
    {
        const std::string text = textOf(plans("dp=2,tp=2", "S0,S1", "S1,S0", {8, 8}));
        QVERIFY(contains(text, "as PyTorch plans: S(0)S(1)->S(0)R->S(1)R->S(1)S(0)\n"));
        QVERIFY(contains(text, "  all_gather   tp  "));
        QVERIFY(contains(text, "  all_to_all   dp  "));
        QVERIFY(contains(text, "  local_chunk  tp  "));
        QVERIFY(contains(text, "total: 2 collectives, "));
    }

    void anotherCheapestPlanIsShownToo()
    {
        const Redistributions both = plans("2,2", "P,P", "R,R", {64, 64});
        const std::string text = textOf(both);
        QVERIFY(contains(text, "as PyTorch plans: "));
        QVERIFY(contains(text, "\nthe cheapest plan: P(sum)P(sum)-->RR\n"));
        QVERIFY(contains(text, "\nPyTorch warns: While redistributing from "));
        QVERIFY(both.cheapest.microseconds < both.upstream.microseconds);
    }

    void equalLayoutsNeedNoStep()
    {
        QVERIFY(
            contains(textOf(plans("2", "S0", "S0", {8})), "nothing changes: every rank holds what it is to hold\n"));
    }

    void whatCannotBeIsRefusedInPyTorchsWords()
    {
        const auto refused = app::planBoth(layoutOf("2", "R", {8}), layoutOf("2", "P", {8}), {});
        QVERIFY(!refused);
        QVERIFY(contains(refused.error().message, "Can not redistribute from R to P(sum), only Shard to Partial(sum) "
                                                  "redistribution is supported!"));
    }

    void theJsonHasBothPlans()
    {
        nlohmann::json object;
        app::addRedistribution(object, plans("2,2", "P,P", "R,R", {64, 64}));
        QCOMPARE(object.at("to"), nlohmann::json("RR"));
        QCOMPARE(object.at("plans").size(), std::size_t{2});
        const nlohmann::json &upstream = object.at("plans").at(0);
        QCOMPARE(upstream.at("planner"), nlohmann::json("upstream"));
        QCOMPARE(upstream.at("trace"), nlohmann::json("P(sum)P(sum)->RP(sum)->RR"));
        QCOMPARE(upstream.at("steps").at(0).at("collective"), nlohmann::json("all_reduce"));
        QCOMPARE(upstream.at("steps").at(0).at("mesh_dims"), nlohmann::json(std::vector<int>{0}));
        QCOMPARE(upstream.at("steps").at(0).at("bytes_in"), nlohmann::json(16384));
        QVERIFY(upstream.at("note").is_null());
        QCOMPARE(object.at("plans").at(1).at("steps").size(), std::size_t{1});
    }

    void costsAreReadByName()
    {
        const shard::CostModel costs = *app::parseCosts("bandwidth=25, devices-per-host=8,hop=0");
        QCOMPARE(costs.bandwidth, 25.0);
        QCOMPARE(costs.devicesPerHost, 8);
        QCOMPARE(costs.hopMicroseconds, 0.0);
        QCOMPARE(costs.baseMicroseconds, shard::CostModel{}.baseMicroseconds);
        QCOMPARE(*app::parseCosts(""), shard::CostModel{});
        QVERIFY(costError("bandwith=25").starts_with("expected one of devices-per-host, bandwidth, "));
        QVERIFY(costError("bandwith=25").ends_with(" Did you mean bandwidth?"));
        QCOMPARE(costError("bandwidth"), std::string("expected '=' and a number, found the end at column 10."));
        QCOMPARE(costError("devices-per-host=0"), std::string("a host has at least 1 device at column 18"));
        QCOMPARE(costError("hop=1 base=2"), std::string("expected ',' or the end, found 'base' at column 7."));
        for (const char *wrong : {"bandwidth=0", "bandwidth=-1", "hop=-1", "base=nan", "base=1e999", "base="})
            QVERIFY2(costError(wrong).starts_with("expected a finite number that is not negative; a bandwidth or "
                                                  "factor is not 0 either, found "),
                     wrong);
    }
};

PIPESCOPE_TEST(TestTextRedistribution)
#include "tst_text_redistribution.moc"
