#include "runview/run_view.h"

#include "../session/fake_link.h"
#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/run_actions.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
#include <QTextDocument>
#include <QToolButton>
#include <QtTest>

using namespace pipescope;
using namespace pipescope::session;
using runview::InputTableModel;
using runview::RunView;

namespace {

std::shared_ptr<const report::Inspection> model()
{
    report::Inspection inspection;
    inspection.graph = tests::graphFromText(R"(
        in x
        in mask
        a = aten::add x mask
        return a
    )");
    inspection.graph.nodes[0].source = {"/src/model.py", 12, 1, "y = x + 1"};
    inspection.graph.arguments[1].hasDefault = true;
    inspection.graph.arguments[1].defaultText = "None";
    return std::make_shared<const report::Inspection>(std::move(inspection));
}

struct Desk
{
    FakeEngine engine;
    Document document;
    EngineClient client{[this] { return std::make_unique<FakeLink>(engine); }};
    RunController controller{document, client};
    Selection selection;
    tests::PlayedActions actions{controller};
    RunView view{document, controller, actions.all(), &selection};

    Desk()
    {
        document.newFor("model.pt");
        client.start();
        engine.greet();
        view.resize(300, 700);
        view.show();
    }
    template <class Widget>
    [[nodiscard]] Widget &find(const char *name) const
    {
        return *view.findChild<Widget *>(name);
    }
    void type(const char *name, const QString &text) const
    {
        auto &line = find<QLineEdit>(name);
        line.selectAll();
        QTest::keyClicks(&line, text);
        QTest::keyClick(&line, Qt::Key_Return);
    }
    void choose(const char *name, const QString &text) const
    {
        auto &box = find<QComboBox>(name);
        box.setCurrentText(text);
        Q_EMIT box.activated(box.currentIndex());
    }
    void selectInput(int row) const
    {
        auto &table = find<QTableView>("inputs");
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {},
                          table.visualRect(table.model()->index(row, 0)).center());
    }
    void click(const char *name) const { QTest::mouseClick(&find<QPushButton>(name), Qt::LeftButton); }
    /// As it is read, however it is written.
    [[nodiscard]] QString seen(const char *label) const
    {
        return QAccessible::queryAccessibleInterface(&find<QLabel>(label))->text(QAccessible::Name);
    }
    [[nodiscard]] QString seenToolTip(const char *label) const
    {
        const QString text = find<QLabel>(label).toolTip();
        QTextDocument rich;
        rich.setHtml(text);
        return Qt::mightBeRichText(text) ? rich.toPlainText() : text;
    }
};

} // namespace

class TestRunView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void inputsAreTextInTheCommandLinesGrammar()
    {
        Document document;
        document.newFor("model.pt");
        document.setModel(model());
        InputTableModel inputs(document);
        const QAbstractItemModelTester tester(&inputs, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy refused(&inputs, &InputTableModel::refused);
        const auto value = inputs.index(0, InputTableModel::Value);
        QVERIFY(inputs.setData(value, "float32[6, 8]", Qt::EditRole));
        QCOMPARE(value.data().toString(), QString("float32[6,8]"));
        QCOMPARE(toText(document.plan().inputs.at(0)), std::string("x=float32[6,8]"));
        QVERIFY(!inputs.setData(value, "flot32[6]", Qt::EditRole));
        QCOMPARE(refused.size(), 1);
        QVERIFY2(refused[0][0].toString().contains("Did you mean float32?"), qPrintable(refused[0][0].toString()));
        QCOMPARE(value.data().toString(), QString("flot32[6]")); // it stays, with the reason, and the plan as it was
        QVERIFY(value.data(Qt::ToolTipRole).toString().contains("Did you mean float32?"));
        QVERIFY(!value.data(Qt::DecorationRole).isNull());
        QCOMPARE(toText(document.plan().inputs.at(0)), std::string("x=float32[6,8]"));
        QVERIFY(inputs.setData(value, "float32[6,9]", Qt::EditRole));
        QCOMPARE(value.data().toString(), QString("float32[6,9]"));
        // A column is of what was typed, and the name that stands beside is not typed again.
        QVERIFY(!inputs.setData(value, "@", Qt::EditRole));
        QVERIFY2(refused[1][0].toString().contains("column 2"), qPrintable(refused[1][0].toString()));
        QVERIFY(!inputs.setData(value, "elsewhere=float32[2]", Qt::EditRole));
        QVERIFY2(refused[2][0].toString().contains("write the value only"), qPrintable(refused[2][0].toString()));
        QVERIFY(inputs.setData(value, "float32[6,9]", Qt::EditRole));
        QVERIFY(value.data(Qt::DecorationRole).isNull());
        QVERIFY(inputs.setData(value, "", Qt::EditRole));
        QVERIFY(document.plan().inputs.empty());
        QCOMPARE(inputs.index(1, InputTableModel::Value).data().toString(), QString("(default: None)"));
    }

    void positionalInputsOfAPlanStandAtTheirArgument()
    {
        Document document;
        document.newFor("model.pt");
        document.edit("Inputs", [](plan::Plan &plan) {
            plan.inputs = {*plan::parseInputSpec("float32[2]"), *plan::parseInputSpec("mask=true")};
        });
        document.setModel(model());
        InputTableModel inputs(document);
        QCOMPARE(inputs.index(0, InputTableModel::Value).data().toString(), QString("float32[2]"));
        QCOMPARE(inputs.index(1, InputTableModel::Value).data().toString(), QString("true"));
        QVERIFY(inputs.setData(inputs.index(1, InputTableModel::Value), "false", Qt::EditRole));
        QCOMPARE(inputs.index(0, InputTableModel::Value).data().toString(), QString("float32[2]"));
    }

    void howAnInputIsCutIsEditedBesideIt()
    {
        Document document;
        document.newFor("model.pt");
        document.setModel(model());
        InputTableModel inputs(document);
        const auto chunk = inputs.index(1, InputTableModel::Chunk);
        QCOMPARE(chunk.data().toString(), QString("(0)"));
        QVERIFY(inputs.setData(chunk, "replicate", Qt::EditRole));
        QCOMPARE(document.plan().inputChunks.at(0).first, std::string("mask"));
        QVERIFY(!inputs.setData(chunk, "replicat", Qt::EditRole));
        QCOMPARE(chunk.data().toString(), QString("replicat"));
        QCOMPARE(toText(document.plan().inputChunks.at(0).second), std::string("replicate"));
        QVERIFY(inputs.setData(chunk, "-1", Qt::EditRole));
        document.undoStack().undo();
        QCOMPARE(chunk.data().toString(), QString("replicate"));
        document.undoStack().undo();
        QCOMPARE(chunk.data().toString(), QString("(0)"));
    }

    void whatHoldsNoTensorIsSaidToBeReplicated()
    {
        Desk desk;
        report::Inspection inspection;
        inspection.graph = tests::graphFromText("in x\nin sr : int\na = aten::add x sr\nreturn a");
        desk.document.setModel(std::make_shared<const report::Inspection>(inspection));
        const QAbstractItemModel &inputs = *desk.find<QTableView>("inputs").model();
        const auto cut = [&inputs](int row) { return inputs.index(row, InputTableModel::Chunk); };
        QCOMPARE(cut(0).data().toString(), QString("(0)"));
        QCOMPARE(cut(1).data().toString(), QString("(replicated)"));
        QVERIFY(!cut(1).data(Qt::ForegroundRole).isNull() && cut(0).data(Qt::ForegroundRole).isNull());
        const auto &chunk = desk.find<QLineEdit>("chunk");
        desk.selectInput(1);
        QVERIFY(!chunk.isEnabled());
        QCOMPARE(chunk.placeholderText(), QString("not cut: no tensor, replicated"));
        desk.selectInput(0);
        QVERIFY(chunk.isEnabled());
        QCOMPARE(chunk.placeholderText(), QString("dimension 0"));
        desk.document.edit("x", [](plan::Plan &plan) { plan.inputs = {*plan::parseInputSpec("x=[1, none]")}; });
        QCOMPARE(cut(0).data().toString(), QString("(replicated)"));
        desk.document.edit("x", [](plan::Plan &plan) {
            plan.inputs = {*plan::parseInputSpec("x=[1, float32[2]]")};
            plan.inputChunks = {{"sr", *microbatch::parseChunkSpec("0")}};
        });
        QCOMPARE(cut(0).data().toString(), QString("(0)"));
        QCOMPARE(cut(1).data().toString(), QString("0"));
        desk.selectInput(1);
        QVERIFY(chunk.isEnabled()); // so that it can be taken away
    }

    void aLongNameLeavesRoomForItsValue()
    {
        Desk desk;
        report::Inspection inspection;
        inspection.graph = tests::graphFromText("in transformer_h_5_aten__add_1_0\nin b\na = aten::add b b\nreturn a");
        desk.document.setModel(std::make_shared<const report::Inspection>(inspection));
        desk.document.edit("x", [](plan::Plan &plan) {
            plan.inputChunks = {{"b", *microbatch::parseChunkSpec("(0, replicate, replicate, 0)")}};
        });
        QCoreApplication::processEvents();
        const auto &table = desk.find<QTableView>("inputs");
        QVERIFY2(table.columnWidth(InputTableModel::Value) >= table.viewport()->width() / 3,
                 qPrintable(QString::number(table.columnWidth(InputTableModel::Value))));
        const auto name = table.model()->index(0, InputTableModel::Name);
        QCOMPARE(name.data(Qt::ToolTipRole).toString(), QString("transformer_h_5_aten__add_1_0: Tensor"));
    }

    void theBoxesFollowThePlanAndEditIt()
    {
        Desk desk;
        desk.find<QSpinBox>("microbatches").setValue(8);
        QCOMPARE(desk.document.plan().microbatches, 8);
        desk.document.undoStack().undo();
        QCOMPARE(desk.find<QSpinBox>("microbatches").value(), 1);
        desk.document.edit("Schedule", [](plan::Plan &plan) { plan.schedule = "@own.csv"; });
        QCOMPARE(desk.find<QComboBox>("schedule").currentText(), QString("own.csv"));
        QCOMPARE(desk.document.undoStack().count(), 1);
    }

    void buttonsSayAndCanWhatTheirActionsSayAndCan()
    {
        Desk desk;
        desk.document.setModel(model());
        desk.click("run");
        QCOMPARE(desk.engine.requests.back().method, std::string("run"));
        desk.click("cancel");
        QCOMPARE(desk.engine.requests.back().method, std::string("cancel"));
        desk.actions.profile.setEnabled(false);
        desk.actions.profile.setToolTip("The engine is busy.");
        const auto &profile = desk.find<QPushButton>("profile");
        QVERIFY(!profile.isEnabled());
        QCOMPARE(profile.toolTip(), QString("The engine is busy."));
        QCOMPARE(profile.text(), QString("Profile"));
        const auto asked = desk.engine.requests.size();
        desk.click("profile");
        QCOMPARE(desk.engine.requests.size(), asked);
        desk.actions.profile.setEnabled(true);
        QVERIFY(profile.isEnabled());
    }

    void anInputIsPutTogetherFromItsParts()
    {
        Desk desk;
        desk.document.setModel(model());
        desk.selectInput(0);
        QVERIFY(!desk.find<QLineEdit>("sizes").isVisible());
        desk.choose("kind", "random tensor");
        desk.choose("dtype", "int64");
        desk.type("sizes", "8, 128");
        QCOMPARE(toText(desk.document.plan().inputs.at(0)), std::string("x=int64[8,128]"));
        desk.type("high", "50257");
        desk.type("inputSeed", "7");
        QCOMPARE(toText(desk.document.plan().inputs.at(0)), std::string("x=int64[8,128]<50257#7"));
        desk.choose("dtype", "float32");
        QCOMPARE(toText(desk.document.plan().inputs.at(0)), std::string("x=float32[8,128]#7"));
        desk.type("low", "-0.5");
        desk.type("high", "0.5");
        QCOMPARE(toText(desk.document.plan().inputs.at(0)), std::string("x=float32[8,128]>=-0.5<0.5#7"));
        QCOMPARE(desk.find<QLineEdit>("low").text(), QString("-0.5"));
        desk.choose("dtype", "bool");
        QCOMPARE(toText(desk.document.plan().inputs.at(0)), std::string("x=bool[8,128]#7"));
        QVERIFY(!desk.find<QLineEdit>("high").isVisible());
        desk.type("chunk", "replicate");
        QCOMPARE(desk.document.plan().inputChunks.at(0).first, std::string("x"));
        desk.choose("kind", "nothing given");
        QVERIFY(desk.document.plan().inputs.empty());
        desk.choose("kind", "file");
        desk.type("path", "x.pt");
        QCOMPARE(toText(desk.document.plan().inputs.at(0)), std::string("x=@x.pt"));
    }

    void aShapeThatCannotBeReadIsToldInPlaceAndLeavesThePlan()
    {
        Desk desk;
        desk.document.setModel(model());
        desk.selectInput(0);
        desk.choose("kind", "random tensor");
        desk.choose("dtype", "float32");
        desk.type("sizes", "6");
        desk.type("sizes", "6, x");
        QVERIFY(desk.find<QLabel>("problem").isVisible());
        QCOMPARE(desk.find<QLineEdit>("sizes").text(), QString("6, x"));
        QCOMPARE(toText(desk.document.plan().inputs.at(0)), std::string("x=float32[6]"));
        desk.type("sizes", "6, 4");
        QVERIFY(!desk.find<QLabel>("problem").isVisible());
    }

    void whatIsRarelySetIsAClickAway()
    {
        Desk desk;
        QVERIFY(!desk.find<QLineEdit>("devices").isVisible());
        QTest::mouseClick(&desk.find<QToolButton>("more"), Qt::LeftButton);
        desk.type("devices", "cpu:0,cpu:1");
        QCOMPARE(desk.document.plan().devices, (std::vector<std::string>{"cpu:0", "cpu:1"}));
        QCOMPARE(desk.find<QLineEdit>("devices").text(), QString("cpu:2"));
        desk.type("tolerances", "1e-5, 1e-8");
        QCOMPARE(desk.document.plan().rtol, std::optional<double>(1e-5));
        QCOMPARE(desk.document.plan().atol, std::optional<double>(1e-8));
        desk.type("seed", "42");
        QCOMPARE(desk.document.plan().seed, std::uint64_t{42});
        desk.find<QSpinBox>("inFlight").setValue(3);
        QCOMPARE(desk.document.plan().maxInFlight, 3);
        desk.find<QCheckBox>("grad").click();
        QVERIFY(desk.document.plan().grad);
        desk.type("outputChunks", "sum");
        QCOMPARE(toText(*desk.document.plan().outputChunks), std::string("sum"));
    }

    void devicesAreCountedAndListedAsOnTheCommandLine()
    {
        Desk desk;
        QTest::mouseClick(&desk.find<QToolButton>("more"), Qt::LeftButton);
        desk.type("devices", "cpu:2");
        QCOMPARE(desk.document.plan().devices, (std::vector<std::string>{"cpu:0", "cpu:1"}));
        desk.type("devices", "cpu:1,cpu:0");
        QCOMPARE(desk.find<QLineEdit>("devices").text(), QString("cpu:1, cpu:0"));
        desk.type("devices", "cpu");
        QVERIFY(desk.document.plan().devices.empty());
        QCOMPARE(desk.find<QLineEdit>("devices").text(), QString());
        desk.type("devices", "cpu");
        QCOMPARE(desk.find<QLineEdit>("devices").text(), QString());
    }

    void theOneDeviceOfAPlanFileIsNotCounted()
    {
        Desk desk;
        QTest::mouseClick(&desk.find<QToolButton>("more"), Qt::LeftButton);
        desk.document.edit("x", [](plan::Plan &plan) { plan.devices = {"cpu:2"}; });
        auto &devices = desk.find<QLineEdit>("devices");
        QCOMPARE(devices.text(), QString("[cpu:2]"));
        devices.setFocus();
        QTest::keyClick(&devices, Qt::Key_Return);
        QCOMPARE(desk.document.plan().devices, std::vector<std::string>{"cpu:2"});
        QCOMPARE(desk.document.undoStack().count(), 1);
    }

    void aDeviceThatIsNoneIsRefusedAtOnceUntilItIsMended()
    {
        Desk desk;
        desk.document.setModel(model());
        QTest::mouseClick(&desk.find<QToolButton>("more"), Qt::LeftButton);
        desk.type("devices", "gpu");
        const auto &problem = desk.find<QLabel>("problem");
        QVERIFY(problem.isVisible());
        QCOMPARE(problem.text(),
                 QString("Devices: 'gpu' is no device; write cpu:4 for four CPU devices, or a list like "
                         "cpu:0,cpu:1")
                     .toHtmlEscaped());
        QVERIFY(desk.document.plan().devices.empty());
        const std::size_t asked = desk.engine.requests.size();
        for (const char *name : {"run", "check", "profile"})
            desk.click(name);
        QCOMPARE(desk.engine.requests.size(), asked); // not without it
        QVERIFY(problem.isVisible());
        auto &devices = desk.find<QLineEdit>("devices");
        devices.setFocus();
        devices.selectAll();
        QTest::keyClick(&devices, Qt::Key_Delete);
        QTest::keyClick(&devices, Qt::Key_Return);
        QVERIFY(!problem.isVisible());
        desk.click("run");
        QCOMPARE(desk.engine.requests.back().method, std::string("run"));
    }

    void anErrorAndARefusalAreBothSaidUntilEachIsOver()
    {
        Desk desk;
        desk.document.setModel(model());
        const auto &problem = desk.find<QLabel>("problem");
        QTest::mouseClick(&desk.find<QToolButton>("more"), Qt::LeftButton);
        desk.click("run");
        const std::int64_t run = desk.engine.requests.back().id;
        desk.type("seed", "many"); // while it runs
        QVERIFY2(problem.text().contains("Seed: 'many'"), qPrintable(problem.text()));
        desk.engine.say(protocol::Response{run, Error{ErrorCode::ModelFailed, "it broke", {}, {}}});
        QVERIFY2(problem.text().contains("Seed: 'many'") && problem.text().contains("it broke"),
                 qPrintable(problem.text()));
        desk.type("seed", "3");
        QVERIFY2(!problem.isVisible(), qPrintable(problem.text())); // the plan is no longer what broke
        desk.click("run");
        desk.type("seed", "many");
        desk.engine.answer(desk.engine.requests.back().id, report::RunReport{});
        QCOMPARE(problem.text(), desk.controller.heldBecause().toHtmlEscaped());
        QVERIFY(problem.isVisible());
    }

    void aRefusalBelongsToTheFieldItCameFrom()
    {
        Desk desk;
        desk.document.setModel(model());
        const auto &problem = desk.find<QLabel>("problem");
        QTest::mouseClick(&desk.find<QToolButton>("more"), Qt::LeftButton);
        desk.type("devices", "gpu");
        desk.type("seed", "1");
        desk.type("seed", "1"); // as it is
        QVERIFY2(problem.isVisible() && problem.text().startsWith("Devices: "), qPrintable(problem.text()));
        QCOMPARE(desk.find<QLineEdit>("devices").text(), QString("gpu"));
        desk.document.edit("x", [](plan::Plan &plan) { plan.microbatches = 2; });
        QVERIFY(problem.isVisible() && !desk.controller.heldBecause().isEmpty());
        desk.document.setModel(model()); // fields show what the plan says again
        QCOMPARE(desk.find<QLineEdit>("devices").text(), QString());
        QVERIFY(!problem.isVisible() && desk.controller.heldBecause().isEmpty());
    }

    void anInputThatIsTypedBackIsNoLongerRefused()
    {
        Desk desk;
        desk.document.setModel(model());
        auto &inputs = *desk.find<QTableView>("inputs").model();
        const QModelIndex value = inputs.index(0, InputTableModel::Value);
        const QModelIndex chunk = inputs.index(0, InputTableModel::Chunk);
        QVERIFY(inputs.setData(value, "float32[6,8]", Qt::EditRole));
        QVERIFY(!inputs.setData(value, "flot32[6]", Qt::EditRole));
        QVERIFY(!inputs.setData(chunk, "replicat", Qt::EditRole));
        const auto &problem = desk.find<QLabel>("problem");
        QVERIFY2(problem.text().contains("Input x: ") && problem.text().contains("Cut of x: "),
                 qPrintable(problem.text()));
        QVERIFY(inputs.setData(value, "float32[6,8]", Qt::EditRole)); // nothing in the plan changes
        QVERIFY2(!problem.text().contains("Input x: ") && problem.text().contains("Cut of x: "),
                 qPrintable(problem.text()));
        QVERIFY(desk.controller.heldBecause().startsWith("Cut of x: "));
        QVERIFY(inputs.setData(chunk, "", Qt::EditRole));
        QVERIFY(!problem.isVisible());
        QCOMPARE(desk.controller.heldBecause(), QString());
    }

    void aShapeThatIsEmptiedShowsWhatARunGoesByAgain()
    {
        Desk desk;
        desk.document.setModel(model());
        desk.selectInput(0);
        desk.choose("kind", "random tensor");
        desk.type("sizes", "6");
        auto &sizes = desk.find<QLineEdit>("sizes");
        sizes.clear();
        sizes.setFocus();
        QTest::keyClick(&sizes, Qt::Key_Return);
        QCOMPARE(sizes.text(), QString("6"));
        desk.choose("kind", "file"); // which waits for its first text
        QCOMPARE(desk.find<QComboBox>("kind").currentText(), QString("file"));
    }

    void oneToleranceAloneIsRefusedInWords()
    {
        Desk desk;
        QTest::mouseClick(&desk.find<QToolButton>("more"), Qt::LeftButton);
        desk.type("tolerances", "1e-5");
        QVERIFY(desk.find<QLabel>("problem").text().contains("two numbers"));
        QVERIFY(!desk.document.plan().rtol);
        desk.type("tolerances", "-1, 0");
        QVERIFY(!desk.document.plan().rtol);
        QVERIFY(desk.find<QLabel>("problem").isVisible());
    }

    void proposalsAreTakenAsOneStep()
    {
        Desk desk;
        report::Inspection inspection;
        inspection.graph = tests::graphFromText(R"(
            in ids
            param w embed.weight 800
            a = aten::embedding w ids
            return a
        )");
        inspection.graph.parameters[0].tensor.sizes = {50, 4};
        desk.document.setModel(std::make_shared<const report::Inspection>(inspection));
        QVERIFY(desk.find<QLabel>("reasons").text().contains("embed.weight"));
        desk.click("propose");
        QCOMPARE(toText(desk.document.plan().inputs.at(0)), std::string("ids=int64[8,16]<50"));
        QVERIFY(!desk.find<QPushButton>("propose").isVisible());
        desk.document.undoStack().undo();
        QVERIFY(desk.find<QPushButton>("propose").isVisible());
    }

    void aProposalTakesThePlaceOfWhatWasRefused()
    {
        Desk desk;
        report::Inspection inspection;
        inspection.graph = tests::graphFromText("in x\nparam w fc.weight\na = aten::linear x w\nreturn a");
        inspection.graph.parameters[0].tensor.sizes = {10, 512};
        desk.document.setModel(std::make_shared<const report::Inspection>(inspection));
        desk.selectInput(0);
        desk.choose("kind", "other value");
        desk.type("value", "float32[16,x]");
        QVERIFY(desk.find<QLabel>("problem").isVisible());
        desk.document.edit("x", [](plan::Plan &plan) { plan.microbatches = 2; });
        QCOMPARE(desk.find<QLineEdit>("value").text(), QString("float32[16,x]")); // which was about something else
        desk.click("propose");
        const QModelIndex value = desk.find<QTableView>("inputs").model()->index(0, InputTableModel::Value);
        QCOMPARE(value.data().toString(), QString("float32[8,512]"));
        QCOMPARE(desk.find<QLineEdit>("sizes").text(), QString("8, 512"));
        QVERIFY(!desk.find<QLabel>("problem").isVisible());
        desk.click("run");
        QCOMPARE(desk.engine.requests.back().method, std::string("run"));
    }

    void stagesThatDoNotFitTheDevicesSaySoBeforeARun()
    {
        Desk desk;
        desk.document.setModel(model());
        auto &misfit = desk.find<QLabel>("misfit");
        auto &schedule = desk.find<QComboBox>("schedule");
        const int gpipe = schedule.findText("GPipe"); // as the tool bar and the runs are called
        QCOMPARE(schedule.currentIndex(), gpipe);
        const auto canChoose = [&schedule](int item) {
            return schedule.model()->flags(schedule.model()->index(item, 0)).testFlag(Qt::ItemIsEnabled);
        };
        QVERIFY(!misfit.isVisible() && canChoose(gpipe));
        desk.document.edit("x", [](plan::Plan &plan) { plan.devices = {"cpu:0", "cpu:1"}; });
        QVERIFY(misfit.isVisible());
        QVERIFY2(misfit.text().contains("1 stages on 2 ranks"), qPrintable(misfit.text()));
        QVERIFY(!canChoose(gpipe));
        QCOMPARE(schedule.itemData(gpipe, Qt::ToolTipRole).toString(), misfit.text());
        desk.document.undoStack().undo();
        QVERIFY(!misfit.isVisible() && canChoose(gpipe));
    }

    void theLastErrorLeadsToWhereItHappened()
    {
        Desk desk;
        desk.document.setModel(model());
        desk.click("run");
        desk.engine.say(protocol::Response{
            desk.engine.requests.back().id,
            Error{ErrorCode::ModelFailed, "stage 1, microbatch 2, /aten::add: sizes < differ", "/aten::add", "trace"}});
        const auto &problem = desk.find<QLabel>("problem");
        QVERIFY2(problem.text().contains("sizes &lt; differ"), qPrintable(problem.text()));
        QVERIFY(problem.toolTip().contains("trace"));
        QVERIFY2(problem.text().contains("<a href='0'>model.py:12: y = x + 1</a>"), qPrintable(problem.text()));
        Q_EMIT const_cast<QLabel &>(problem).linkActivated("0");
        QCOMPARE(desk.selection.current().node, NodeId{0});
        Q_EMIT const_cast<QLabel &>(problem).linkActivated("2");
        QCOMPARE(desk.selection.current().action, (std::optional<SelectedAction>({StageId{1}, MicrobatchId{2}})));
    }

    void whatIsToldIsSeenAsItWasWritten_data()
    {
        QTest::addColumn<QString>("text");
        QTest::newRow("quotes") << R"("x" & 'y')";
        QTest::newRow("markup") << "<b>x</b>";
        QTest::newRow("entities") << "&lt;x&gt; &amp;";
    }

    void whatIsToldIsSeenAsItWasWritten()
    {
        QFETCH(QString, text);
        Desk desk;
        desk.document.setModel(model());
        QTest::mouseClick(&desk.find<QToolButton>("more"), Qt::LeftButton);
        desk.type("seed", text);
        QVERIFY2(desk.seen("problem").startsWith("Seed: '" + text + "' is not"), qPrintable(desk.seen("problem")));
        desk.type("seed", "3");
        for (const QString &details : {text, text + "\nline 2"}) {
            desk.click("run");
            desk.engine.say(protocol::Response{
                desk.engine.requests.back().id,
                Error{ErrorCode::ModelFailed, "no " + text.toStdString(), {}, details.toStdString()}});
            QCOMPARE(desk.seen("problem"), "no " + text);
            QCOMPARE(desk.seenToolTip("problem"), details);
        }
    }

    void namesInReasonsOfProposalsAreSeenAsTheyAre()
    {
        Desk desk;
        report::Inspection inspection;
        inspection.graph = tests::graphFromText(R"(
            in ids
            param w "words"&more 800
            a = aten::embedding w ids
            return a
        )");
        inspection.graph.parameters[0].tensor.sizes = {50, 4};
        desk.document.setModel(std::make_shared<const report::Inspection>(inspection));
        QVERIFY2(desk.seen("reasons").contains(R"("words"&more)"), qPrintable(desk.seen("reasons")));
    }

    void aMissingInputLeadsToItsRow()
    {
        Desk desk;
        desk.document.setModel(model());
        desk.click("run");
        desk.engine.say(protocol::Response{
            desk.engine.requests.back().id,
            Error{ErrorCode::InvalidArgument, "missing a required argument: 'mask' (Tensor)", "mask", {}}});
        auto &problem = desk.find<QLabel>("problem");
        QVERIFY2(problem.text().contains("<a href='0'>input mask</a>"), qPrintable(problem.text()));
        Q_EMIT problem.linkActivated("0");
        QCOMPARE(desk.find<QTableView>("inputs").currentIndex().row(), 1);
    }

    void whatTheEngineDoesIsSaidWhileItDoesIt()
    {
        Desk desk;
        desk.document.setModel(model());
        const auto &step = desk.find<QLabel>("step");
        desk.click("run");
        QVERIFY(!step.isVisible());
        const std::int64_t run = desk.engine.requests.back().id;
        desk.engine.say(protocol::Notification{
            run, "progress", protocol::toBody(protocol::ProgressNote{"comparing with the unsplit model", -1})});
        QVERIFY(step.isVisible());
        QCOMPARE(step.text(), QString("Now: comparing with the unsplit model"));
        desk.engine.answer(run, report::RunReport{});
        QVERIFY(!step.isVisible());
    }

    void whatNothingCanBeProposedForIsSaid()
    {
        Desk desk;
        desk.document.setModel(model());
        auto &reasons = desk.find<QLabel>("reasons");
        QVERIFY(!desk.find<QPushButton>("propose").isVisible());
        QVERIFY(reasons.isVisible());
        QVERIFY2(reasons.text().startsWith("Nothing can be proposed for x:"), qPrintable(reasons.text()));
        desk.document.edit("x", [](plan::Plan &plan) { plan.inputs = {*plan::parseInputSpec("x=float32[2]")}; });
        QVERIFY(!reasons.isVisible());
    }

    void nothingIsCutOffInANarrowDock()
    {
        Desk desk;
        desk.document.setModel(model());
        QTest::mouseClick(&desk.find<QToolButton>("more"), Qt::LeftButton);
        for (const QWidget *widget : desk.view.findChildren<QWidget *>())
            if (widget->isVisible() && widget->parentWidget() != nullptr && !widget->inherits("QScrollBar") &&
                widget->mapTo(&desk.view, QPoint(widget->width(), 0)).x() > desk.view.width())
                QFAIL(qPrintable(widget->objectName() + " " + widget->metaObject()->className()));
    }

    void theLastErrorIsASentenceInPlace()
    {
        Desk desk;
        desk.document.setModel(model());
        desk.click("run");
        desk.engine.say(
            protocol::Response{desk.engine.requests.back().id,
                               Error{ErrorCode::InvalidArgument, "missing a required argument: 'x'", {}, {}}});
        QCOMPARE(desk.find<QLabel>("problem").text(), QString("missing a required argument: 'x'"));
        QVERIFY(desk.find<QLabel>("problem").isVisible());
        desk.click("run");
        desk.engine.answer(desk.engine.requests.back().id, report::RunReport{});
        QVERIFY(!desk.find<QLabel>("problem").isVisible());
    }
};

QTEST_MAIN(TestRunView)
#include "tst_run_view.moc"
