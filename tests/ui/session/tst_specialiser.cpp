#include "session/specialiser.h"

#include "session/specialising.h"
#include "support/branch_model.h"
#include "support/qt_warnings.h"
#include "support/session_desk.h"
#include "support/test_program.h"

#include <QSignalSpy>
#include <QTest>

using namespace pipescope;
using namespace pipescope::session;
using tests::branchModel;
using tests::branchModelOf;
using tests::inputsOf;

namespace {

using Words = std::vector<std::string>;

report::Inspection ofMethod(const std::string &method, report::Inspection model)
{
    model.graph.method = method;
    return model;
}

/// For a rate that opens no place.
report::Inspection sameGraphOf(const std::string &rate)
{
    report::Inspection same = branchModel();
    same.specialised = inputsOf({"rate=" + rate});
    return same;
}

/// The model is loaded, and its graph is the one of all values.
struct SpecialiserDesk : tests::SessionDesk
{
    explicit SpecialiserDesk(const report::Inspection &model = branchModel())
    {
        begin();
        load(model);
    }
    void load(const report::Inspection &model)
    {
        controller.look(RunController::Look::Loading);
        answer(model);
    }
    void give(const Words &inputs)
    {
        document.edit("Inputs", [&](plan::Plan &plan) { plan.inputs = inputsOf(inputs); });
    }
    void split(const Words &words)
    {
        document.edit("Split", [&](plan::Plan &plan) { plan.splits = words; });
    }
    void choose(const std::string &method)
    {
        document.edit("Method", [&](plan::Plan &plan) { plan.method = method; });
    }
    /// Values whose graph has more places, and a split that this graph has no place for.
    void giveWithASplitThatWouldGo()
    {
        split({"/prim::If", "tail"});
        give({"rate=16000"});
        answer(branchModelOf("16000"));
    }
    /// The last request fails.
    void fail(const Error &error) { engine.say(protocol::Response{engine.requests.back().id, error}); }
    /// The engine makes the graph of the plan's method for all values.
    [[nodiscard]] bool isAskedForMethod(const std::string &method) const
    {
        if (!controller.isLooking())
            return false;
        const auto request = asked<report::InspectRequest>();
        return request.method == method && !request.specialise && !request.structureOnly;
    }
    /// The engine makes the graph of the values that are given.
    [[nodiscard]] bool isAskedFor(const QString &values) const
    {
        if (!controller.isLooking())
            return false;
        const auto request = asked<report::InspectRequest>();
        return request.specialise && !request.measure && !request.structureOnly && request.specialised.empty() &&
               request.expectedSha256 == std::string(64, 'a') && inputsText(request.inputs) == values;
    }
    [[nodiscard]] QString specialisedFor() const { return inputsText(document.plan().specialised); }
    [[nodiscard]] QString graphOf() const { return inputsText(document.model()->specialised); }
};

} // namespace

/// What becomes of the plan where the engine is asked for the graph of some values: at once for a new plan, where that
/// opens places, and where the user says so.
class TestSpecialiser : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void valuesThatOpenPlacesSpecialiseANewPlan()
    {
        SpecialiserDesk desk;
        desk.split({"tail"});
        desk.give({"x=float32[4]", "rate=16000"});
        QVERIFY(desk.isAskedFor("rate=16000"));
        desk.answer(branchModelOf("16000"));
        QVERIFY(!desk.controller.isLooking()); // the answer was all that is needed
        QCOMPARE(desk.specialisedFor(), QString("rate=16000"));
        QCOMPARE(desk.graphOf(), QString("rate=16000"));
        QCOMPARE(desk.document.plan().splits, Words{"tail"});
        QCOMPARE(desk.document.undoStack().undoText(), QString("Specialise for rate=16000"));

        desk.document.undoStack().undo();
        QVERIFY(desk.controller.isLooking());
        QVERIFY(
            !desk.asked<report::InspectRequest>().specialise); // the graph of all values, and the user's from now on
        desk.answer(branchModel());
        QVERIFY(!desk.controller.isLooking());
        QCOMPARE(desk.graphOf(), QString());
        desk.give({"rate=8000"});
        QVERIFY(!desk.controller.isLooking());
    }

    void valuesThatOpenNoPlaceChangeNothing()
    {
        SpecialiserDesk desk;
        const auto model = desk.document.model();
        desk.give({"rate=8000"});
        desk.answer(sameGraphOf("8000"));
        QCOMPARE(desk.specialisedFor(), QString());
        QVERIFY(desk.document.model() == model);
        QVERIFY(!desk.controller.specialisable());
        desk.give({"rate=8000", "x=float32[4]"}); // the same values
        QVERIFY(!desk.controller.isLooking());
        desk.give({"rate=16000"});
        QVERIFY(desk.isAskedFor("rate=16000"));
    }

    void aSplitThatWouldGoIsAReasonToAsk()
    {
        SpecialiserDesk desk;
        desk.giveWithASplitThatWouldGo();
        QCOMPARE(desk.specialisedFor(), QString());
        const auto offered = desk.controller.specialisable();
        QVERIFY(offered.has_value());
        QCOMPARE(offered->places, 4);
        desk.give({"rate=8000"});
        QVERIFY(!desk.controller.specialisable()); // of the values before
    }

    void anotherMethodIsAskedAboutAnew()
    {
        SpecialiserDesk desk;
        desk.giveWithASplitThatWouldGo();
        QVERIFY(desk.controller.specialisable());
        desk.choose("encode");
        QVERIFY(!desk.controller.specialisable()); // of the method before
        desk.answer(ofMethod("encode", branchModel()));
        QVERIFY(!desk.controller.specialisable());
        QVERIFY(desk.isAskedFor("rate=16000"));
        QCOMPARE(desk.asked<report::InspectRequest>().method, std::string("encode"));
        desk.answer(ofMethod("encode", sameGraphOf("16000")));
        QVERIFY(!desk.controller.isLooking() && !desk.controller.specialisable());
    }

    void aReplacedFileIsAskedAboutAnew()
    {
        SpecialiserDesk desk;
        desk.giveWithASplitThatWouldGo();
        QVERIFY(desk.controller.specialisable());
        report::Inspection other = branchModel();
        other.sha256 = std::string(64, 'b');
        other.structureOnly = true;
        desk.controller.look(RunController::Look::Reading);
        desk.answer(other);
        QVERIFY(!desk.controller.specialisable());
        other.structureOnly = false;
        desk.load(other);
        QVERIFY(!desk.controller.specialisable());
        QVERIFY(desk.controller.isLooking() && desk.asked<report::InspectRequest>().specialise);
    }

    void whatCanBeRedoneIsNotThrownAway()
    {
        SpecialiserDesk desk;
        desk.give({"rate=16000"});
        desk.split({"tail"});
        desk.document.undoStack().undo();
        desk.answer(branchModelOf("16000"));
        QCOMPARE(desk.specialisedFor(), QString());
        QCOMPARE(desk.graphOf(), QString());
        const auto offered = desk.controller.specialisable();
        QVERIFY(offered.has_value());
        QCOMPARE(offered->places, 4);
        QVERIFY(desk.document.undoStack().canRedo());
        desk.document.undoStack().redo();
        QCOMPARE(desk.document.plan().splits, Words{"tail"});
    }

    void aModelWithoutBranchesIsNotAskedAbout()
    {
        SpecialiserDesk desk(
            tests::branchInspection("in x\nin rate : int\na = aten::add x rate\nb = aten::sin a\nreturn b\n"));
        desk.give({"rate=16000"});
        QVERIFY(!desk.controller.isLooking());
    }

    void tensorsAloneAreNotAskedAbout()
    {
        SpecialiserDesk desk;
        desk.give({"x=float32[4]"});
        QVERIFY(!desk.controller.isLooking());
    }

    void aPlanThatCameWithValuesStaysAsItWasSaved()
    {
        SpecialiserDesk desk;
        plan::Plan plan;
        plan.model = "model.pt";
        plan.inputs = inputsOf({"rate=16000"});
        desk.document.replace(plan, "plan.json");
        desk.load(branchModel());
        QVERIFY(!desk.controller.isLooking());
        desk.give({"rate=8000"});
        QVERIFY(!desk.controller.isLooking());
        plan.specialised = plan.inputs;
        desk.document.replace(plan, "plan.json");
        desk.controller.look(RunController::Look::Loading);
        QCOMPARE(inputsText(desk.asked<report::InspectRequest>().specialised), QString("rate=16000"));
        desk.answer(branchModelOf("16000"));
        QVERIFY(!desk.controller.isLooking() && !desk.document.isModified());
    }

    void valuesGivenBeforeTheModelIsLoadedAreAskedAboutThen()
    {
        tests::SessionDesk desk;
        desk.begin();
        desk.document.edit("Inputs", [](plan::Plan &plan) { plan.inputs = inputsOf({"rate=16000"}); });
        desk.controller.look(RunController::Look::Loading);
        desk.answer(branchModel());
        QVERIFY(desk.asked<report::InspectRequest>().specialise);
        desk.answer(branchModelOf("16000"));
        QCOMPARE(inputsText(desk.document.plan().specialised), QString("rate=16000"));
    }

    void whatFailsIsNotReportedWhereNobodyAsked()
    {
        SpecialiserDesk desk;
        const QSignalSpy failed(&desk.controller, &RunController::failed);
        desk.give({"rte=16000"});
        desk.engine.say(protocol::Response{desk.engine.requests.back().id,
                                           Error{ErrorCode::NotFound, "no argument is called rte", "rte", {}}});
        QVERIFY(failed.empty() && !desk.controller.isLooking());
        desk.give({"rate=16000"});
        desk.controller.cancel();
        desk.engine.say(protocol::Response{desk.engine.requests[desk.engine.requests.size() - 2].id,
                                           Error{ErrorCode::Cancelled, "stopped", {}, {}}});
        QVERIFY(failed.empty() && !desk.controller.isLooking());
    }

    void anEditMeanwhileIsAskedAboutAnew()
    {
        SpecialiserDesk desk;
        desk.give({"rate=16000"});
        const auto first = desk.engine.requests.back().id;
        desk.give({"rate=8000"});
        desk.engine.answer(first, branchModelOf("16000"));
        QCOMPARE(desk.specialisedFor(), QString());
        QVERIFY(desk.isAskedFor("rate=8000"));
    }

    void anotherMethodMeanwhileIsFollowedBeforeItsValues()
    {
        SpecialiserDesk desk;
        desk.give({"rate=16000"});
        desk.choose("encode");
        desk.give({"rate=8000"});
        desk.answer(branchModelOf("16000"));
        QVERIFY(desk.isAskedForMethod("encode"));
        desk.answer(ofMethod("encode", branchModel()));
        QCOMPARE(desk.document.model()->graph.method, std::string("encode"));
        QVERIFY(desk.isAskedFor("rate=8000"));
        QCOMPARE(desk.asked<report::InspectRequest>().method, std::string("encode"));
    }

    void anotherMethodMeanwhileIsFollowedAfterAFailure()
    {
        SpecialiserDesk desk;
        desk.choose("encode");
        desk.answer(ofMethod("encode", branchModel()));
        desk.give({"rate=16000"});
        QVERIFY(desk.isAskedFor("rate=16000"));
        desk.document.undoStack().undo();
        desk.document.undoStack().undo(); // the first method again
        desk.fail({ErrorCode::InvalidArgument, "rate is no whole number", "rate", {}});
        QVERIFY(desk.isAskedForMethod("forward"));
        desk.answer(branchModel());
        QCOMPARE(desk.document.model()->graph.method, std::string("forward"));
    }

    void anotherMethodMeanwhileIsFollowedOnceTheFileIsKnownToBeTheSame()
    {
        SpecialiserDesk desk;
        desk.give({"rate=16000"});
        desk.choose("encode");
        desk.fail({ErrorCode::InvalidFile, "the file ends early", "model.pt", {}});
        QVERIFY(desk.asked<report::InspectRequest>().structureOnly);
        report::Inspection same = branchModel();
        same.structureOnly = true;
        desk.answer(same);
        QVERIFY(desk.isAskedForMethod("encode"));
    }

    void theUsersWordSpecialisesAndLeavesOutSplitsInOneStep()
    {
        SpecialiserDesk desk;
        desk.giveWithASplitThatWouldGo();
        QSignalSpy leftOut(&desk.controller, &RunController::splitsLeftOut);
        desk.controller.specialise();
        QVERIFY(desk.isAskedFor("rate=16000"));
        desk.answer(branchModelOf("16000"));
        QCOMPARE(desk.specialisedFor(), QString("rate=16000"));
        QCOMPARE(desk.document.plan().splits, Words{"tail"});
        QCOMPARE(leftOut.size(), 1);
        QCOMPARE(leftOut[0][0].value<Words>(), Words{"/prim::If"});
        desk.document.undoStack().undo();
        QCOMPARE(desk.specialisedFor(), QString());
        QCOMPARE(desk.document.plan().splits, (Words{"/prim::If", "tail"}));
        desk.answer(branchModel());
        QCOMPARE(desk.document.plan().splits, (Words{"/prim::If", "tail"})); // which this graph has
        desk.document.undoStack().redo();
        desk.answer(branchModelOf("16000"));
        QCOMPARE(desk.document.plan().splits, Words{"tail"});
        QCOMPARE(leftOut.size(), 1);
    }

    void theGraphOfAllValuesLosesWhatIsInsideTheBranch()
    {
        SpecialiserDesk desk;
        desk.give({"rate=16000"});
        desk.answer(branchModelOf("16000"));
        desk.split({"body", "tail"});
        desk.document.edit(
            "Off", [](plan::Plan &plan) { plan.specialised.clear(); }, specialisedKey(plan::Plan()));
        desk.answer(branchModel());
        QCOMPARE(desk.document.plan().splits, Words{"tail"});
        desk.document.undoStack().undo();
        QCOMPARE(desk.document.plan().splits, (Words{"body", "tail"}));
        QCOMPARE(desk.specialisedFor(), QString("rate=16000"));
    }

    void whatWasMeasuredIsMeasuredAgain()
    {
        SpecialiserDesk desk;
        plan::Plan plan;
        plan.model = "model.pt";
        plan.inputs = inputsOf({"x=float32[4]", "rate=16000"});
        desk.document.replace(plan, "plan.json");
        desk.load(branchModel());
        desk.controller.profile();
        report::Inspection measured = branchModel();
        measured.profiled = true;
        measured.inputs = plan.inputs;
        measured.specialisable = report::Specialisable{inputsOf({"rate=16000"}), 4};
        desk.answer(measured);
        QCOMPARE(desk.controller.specialisable()->places, 4);
        desk.controller.specialise();
        const auto asked = desk.asked<report::InspectRequest>();
        QVERIFY(asked.specialise && asked.measure);
        QCOMPARE(asked.inputs, plan.inputs);
        measured = branchModelOf("16000");
        measured.profiled = true;
        measured.inputs = plan.inputs;
        desk.answer(measured);
        QVERIFY(!desk.controller.isProfileStale() && desk.document.model()->profiled);
        desk.document.undoStack().undo();
        QVERIFY(desk.asked<report::InspectRequest>().inputs == plan.inputs); // likewise of all values
    }

    void aFloatThatIsWrittenAsAWholeNumberIsKeptAsItIsGiven()
    {
        SpecialiserDesk desk;
        desk.give({"rate=1"});
        report::Inspection made = branchModelOf("1.0");
        desk.answer(made);
        QCOMPARE(desk.specialisedFor(), QString("rate=1"));
        QVERIFY(!desk.controller.isLooking());
    }
};

PIPESCOPE_TEST(TestSpecialiser)
#include "tst_specialiser.moc"
