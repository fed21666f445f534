#include "runview/specialise_switch.h"

#include "run_view_desk.h"
#include "session/specialising.h"
#include "support/branch_model.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QCheckBox>

using namespace pipescope;
using namespace pipescope::runview;
using tests::branchModel;
using tests::branchModelOf;
using tests::inputsOf;

namespace {

/// A model with a branch on its argument rate, loaded from a plan that gives values, so that nothing is decided for the
/// user.
struct SwitchDesk : tests::RunViewDesk
{
    explicit SwitchDesk(const std::vector<std::string> &given, const std::vector<std::string> &specialised = {})
    {
        plan::Plan plan;
        plan.model = "model.pt";
        plan.inputs = inputsOf(given);
        plan.specialised = inputsOf(specialised);
        document.replace(plan, "plan.json");
        controller.look(session::RunController::Look::Loading);
        answer(specialised.empty() ? branchModel() : branchModelOf("16000"));
    }
    void answer(const report::Inspection &model) const { engine.answer(engine.requests.back().id, model); }
    [[nodiscard]] QCheckBox &specialise() const { return find<QCheckBox>("specialise"); }
    void press() const { QTest::mouseClick(&specialise(), Qt::LeftButton, {}, QPoint(5, specialise().height() / 2)); }
    [[nodiscard]] QString sentence() const
    {
        return find<QLabel>("specialisedFor").isVisible() ? seen("specialisedFor") : QString();
    }
    [[nodiscard]] report::InspectRequest asked() const
    {
        return *protocol::fromBody<report::InspectRequest>(engine.requests.back().body);
    }
    void give(const QString &rate) const
    {
        auto *inputs = find<QTableView>("inputs").model();
        QVERIFY(inputs->setData(inputs->index(1, InputTableModel::Value), rate, Qt::EditRole));
    }
};

} // namespace

class TestSpecialiseSwitch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aMethodOfTensorsHasNoSwitch()
    {
        tests::RunViewDesk desk;
        QVERIFY(!desk.find<QCheckBox>("specialise").isVisible());
        desk.document.setModel(tests::modelOfTwoInputs());
        QVERIFY(!desk.find<QCheckBox>("specialise").isVisible());
        desk.document.edit("Inputs", [](plan::Plan &plan) { plan.inputs = inputsOf({"x=float32[4]", "mask=none"}); });
        QVERIFY(desk.find<QCheckBox>("specialise").isVisible()); // None is a value to decide by
    }

    void withoutAValueItSaysWhichToGive()
    {
        const SwitchDesk desk({"x=float32[4]"});
        QVERIFY(desk.specialise().isVisible() && !desk.specialise().isEnabled() && !desk.specialise().isChecked());
        QVERIFY2(desk.specialise().toolTip().startsWith("Give one of these a value first: rate."),
                 qPrintable(desk.specialise().toolTip()));
        QCOMPARE(desk.sentence(), QString());
        desk.give("16000");
        QVERIFY(desk.asked().specialise); // whether that opens places
        report::Inspection same = branchModel();
        same.specialised = inputsOf({"rate=16000"});
        desk.answer(same);
        QVERIFY(desk.specialise().isEnabled() && !desk.specialise().isChecked());
        QCOMPARE(desk.sentence(), QString());
    }

    void pressedTheEngineMakesTheGraphAndThePlanHasTheValues()
    {
        const SwitchDesk desk({"x=float32[4]", "rate=16000"});
        desk.press();
        QVERIFY(desk.asked().specialise);
        QVERIFY(desk.specialise().isChecked() && !desk.specialise().isEnabled());
        QCOMPARE(desk.sentence(), QString("The graph of rate=16000 is being made."));
        desk.answer(branchModelOf("16000"));
        QVERIFY(desk.specialise().isChecked() && desk.specialise().isEnabled());
        QCOMPARE(desk.document.plan().specialised, inputsOf({"rate=16000"}));
        QCOMPARE(desk.sentence(),
                 QString("The graph is the one of rate=16000: branches on it are decided, and a run with "
                         "other values is refused."));
        desk.press();
        QVERIFY(desk.document.plan().specialised.empty());
        desk.answer(branchModel());
        QVERIFY(!desk.specialise().isChecked());
        QCOMPARE(desk.sentence(), QString());
    }

    void whatTheEngineRefusesSwitchesNothingOn()
    {
        const SwitchDesk desk({"rate=16000"});
        desk.press();
        desk.engine.say(protocol::Response{
            desk.engine.requests.back().id,
            Error{ErrorCode::InvalidArgument, "there is no number, bool or text to specialise for", "inputs", {}}});
        QVERIFY(!desk.specialise().isChecked() && desk.specialise().isEnabled());
        QVERIFY(desk.document.plan().specialised.empty());
        QVERIFY2(desk.seen("problem").contains("no number, bool or text"), qPrintable(desk.seen("problem")));
    }

    void whereItOpensPlacesAPlanOfBeforeIsToldSo()
    {
        SwitchDesk desk({"x=float32[4]", "rate=16000"});
        desk.controller.profile();
        report::Inspection measured = branchModel();
        measured.profiled = true;
        measured.inputs = desk.document.plan().inputs;
        measured.specialisable = report::Specialisable{inputsOf({"rate=16000"}), 4};
        desk.answer(measured);
        QVERIFY(!desk.specialise().isChecked());
        QCOMPARE(desk.sentence(), QString("The graph of rate=16000 alone has 4 places to split, this one 3."));
        desk.give("8000");
        QCOMPARE(desk.sentence(), QString());
    }

    void aPlanThatIsSpecialisedSaysSo()
    {
        const SwitchDesk desk({"x=float32[4]", "rate=16000"}, {"rate=16000"});
        QVERIFY(desk.specialise().isChecked() && desk.specialise().isEnabled());
        QVERIFY(desk.sentence().startsWith("The graph is the one of rate=16000:"));
    }

    void theGraphFollowsAnotherValueInOneStep()
    {
        SwitchDesk desk({"x=float32[4]", "rate=16000"}, {"rate=16000"});
        desk.document.edit("Split", [](plan::Plan &plan) { plan.splits = {"body", "tail"}; });
        desk.give("8000");
        QCOMPARE(desk.document.plan().specialised, inputsOf({"rate=8000"}));
        QCOMPARE(desk.asked().specialised, inputsOf({"rate=8000"}));
        report::Inspection other = branchModel();
        other.specialised = inputsOf({"rate=8000"});
        desk.answer(other);
        QCOMPARE(desk.document.plan().splits, std::vector<std::string>{"tail"});
        desk.document.undoStack().undo();
        QCOMPARE(desk.document.plan().inputs[1], inputsOf({"rate=16000"})[0]);
        QCOMPARE(desk.document.plan().specialised, inputsOf({"rate=16000"}));
        QCOMPARE(desk.document.plan().splits, (std::vector<std::string>{"body", "tail"}));
    }

    void aPlanWhoseInputsAreOtherOnesOffersTheGraphOfThese()
    {
        const SwitchDesk desk({"x=float32[4]", "rate=8000"}, {"rate=16000"});
        QVERIFY2(desk.sentence().startsWith(
                     "The graph is the one of rate=16000, and rate=8000 is given: such a run is refused."),
                 qPrintable(desk.sentence()));
        Q_EMIT desk.find<QLabel>("specialisedFor").linkActivated("again");
        QVERIFY(desk.asked().specialise);
        report::Inspection other = branchModel();
        other.specialised = inputsOf({"rate=8000"});
        desk.answer(other);
        QCOMPARE(desk.document.plan().specialised, inputsOf({"rate=8000"}));
        QVERIFY(desk.sentence().startsWith("The graph is the one of rate=8000:"));
    }

    void anotherMethodIsNotSpecialisedForTheArgumentsOfThisOne()
    {
        const SwitchDesk desk({"x=float32[4]", "rate=16000"}, {"rate=16000"});
        Q_EMIT desk.find<QComboBox>("method").textActivated("encode");
        QCOMPARE(desk.asked().method, std::string("encode"));
        QVERIFY(desk.asked().specialised.empty());
    }

    void whileTheEngineWorksItWaits()
    {
        SwitchDesk desk({"x=float32[4]", "rate=16000"});
        desk.controller.run();
        QVERIFY(!desk.specialise().isEnabled());
        QVERIFY2(desk.specialise().toolTip().startsWith("Wait until the engine is done."),
                 qPrintable(desk.specialise().toolTip()));
        desk.engine.answer(desk.engine.requests.back().id, report::TracedRun());
        QVERIFY(desk.specialise().isEnabled());
    }
};

PIPESCOPE_WIDGET_TEST(TestSpecialiseSwitch)
#include "tst_specialise_switch.moc"
