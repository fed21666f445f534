#include "session/specialising.h"

#include "support/branch_model.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::session;
using tests::inputsOf;

namespace {

using Words = std::vector<std::string>;

plan::Plan planOf(const Words &inputs, const Words &specialised = {})
{
    plan::Plan plan;
    plan.model = "model.pt";
    plan.inputs = inputsOf(inputs);
    plan.specialised = inputsOf(specialised);
    return plan;
}

} // namespace

class TestSpecialising : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void numbersBoolsTextsAndNoneAreWhatAGraphIsMadeForByName()
    {
        std::vector<graph::Argument> arguments;
        for (const char *name : {"x", "rate", "mode", "mask", "sizes", "gain"})
            arguments.push_back({name, {}, {}, false, {}});
        const plan::Plan plan = planOf({"float32[4]", "16000", "gain=0.5", "'mean'", "none", "[1, 2]"});
        QCOMPARE(inputsText(plainInputs(plan, arguments)), QString("rate=16000, gain=0.5, mode='mean', mask=none"));
        QCOMPARE(inputsText(plainInputs(planOf({"x=float32[4]"}), arguments)), QString());
    }

    void aNumberThatIsNoneIsTheSameAsItself()
    {
        QVERIFY(isSame(inputsOf({"gain=nan"}), inputsOf({"gain=nan"})));
        QVERIFY(!isSame(inputsOf({"gain=0.0"}), inputsOf({"gain=-0.0"})));
        QVERIFY(!isSame(inputsOf({"gain=1"}), {}));
    }

    void whatIsGivenOtherwiseThanTheGraphIsForIsToldOf()
    {
        const auto unlike = [](const Words &given, const Words &specialised) {
            return inputsText(unlikeSpecialised(planOf({}, specialised), inputsOf(given)));
        };
        QCOMPARE(unlike({"rate=8000", "mode='sum'"}, {"rate=16000", "mode='sum'"}), QString("rate=8000"));
        QCOMPARE(unlike({"rate=16000"}, {"rate=16000"}), QString());
        QCOMPARE(unlike({"mode='sum'"}, {"rate=16000"}), QString()); // which is no part of the graph
        QCOMPARE(unlike({"gain=1"}, {"gain=1.0"}), QString());       // as the engine writes it for a float
        QCOMPARE(unlike({"flag=true"}, {"flag=1"}), QString("flag=true"));
    }

    void theGraphFollowsTheValuesThatItIsFor()
    {
        plan::Plan plan = planOf({"x=float32[4]", "rate=8000", "mode='sum'"}, {"rate=16000", "flag=true"});
        followInputs(plan);
        QCOMPARE(inputsText(plan.specialised), QString("rate=8000")); // there is no flag any more
        plan.inputs = inputsOf({"rate=[1, 2]"});
        followInputs(plan);
        QVERIFY(plan.specialised.empty());
    }

    void splitsStayWhereTheOtherGraphHasThePlace()
    {
        const auto kept = [](const Words &words, const report::Inspection &from, const report::Inspection &to) {
            return keptSplits(words, from.graph, to.graph);
        };
        const report::Inspection all = tests::branchModel();
        const report::Inspection one = tests::branchModelOf("16000");
        QCOMPARE(kept({"/prim::If", "tail", "head:end"}, all, one), (Words{"tail", "head:end"}));
        QCOMPARE(kept({"body", "body/aten::tan", "tail"}, one, all), Words{"tail"}); // inside the if
        QCOMPARE(kept({"tail/aten::relu#1"}, all, one), Words{"tail/aten::relu#1"});
        QCOMPARE(kept({"4"}, all, one), Words{"4"}); // so many stages, wherever they begin
        QCOMPARE(kept({}, all, one), Words{});
    }

    /// One branch fewer, and the second of a kind is what was the third.
    void aNodeThatMayBeAnotherOneOfItsNameIsNoPlaceToKeep()
    {
        const report::Inspection all =
            tests::branchInspection("in x\nin rate : int\na = aten::sin x\nb = prim::If rate a {\n"
                                    "c = aten::sin a\n}\nd = aten::sin b\nreturn d\n");
        const report::Inspection one = tests::branchInspection(
            "in x\nin rate : int\na = aten::sin x\nd = aten::sin a\ne = aten::cos d\nreturn e\n");
        QCOMPARE(keptSplits({"/aten::sin#1"}, one.graph, one.graph), Words{"/aten::sin#1"});
        QCOMPARE(keptSplits({"/aten::sin#2"}, all.graph, one.graph), Words{});
        QCOMPARE(keptSplits({"/aten::sin#1"}, one.graph, all.graph), Words{});
    }

    void placesThatCannotBeCutDoNotCount()
    {
        report::Inspection model = tests::branchModelOf("16000");
        QCOMPARE(legalPlaces(tests::branchModel()), 3);
        QCOMPARE(legalPlaces(model), 4);
        model.splitPoints[0].cut.legal = false;
        QCOMPARE(legalPlaces(model), 3);
    }
};

PIPESCOPE_TEST(TestSpecialising)
#include "tst_specialising.moc"
