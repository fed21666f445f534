// The inputs in the run view; tst_run_view.cpp has the rest of it.
#include "runview/run_view.h"

#include "run_view_desk.h"
#include "support/links.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

using namespace pipescope;
using namespace pipescope::session;
using runview::InputTableModel;
using tests::modelOfTwoInputs;
using Desk = tests::RunViewDesk;

class TestRunViewInputs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void inputsAreTextInTheCommandLinesGrammar()
    {
        Document document;
        document.newFor("model.pt");
        document.setModel(modelOfTwoInputs());
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

    void aValueIsTypedIntoItsCell()
    {
        Desk desk;
        desk.document.setModel(modelOfTwoInputs());
        auto &table = desk.find<QTableView>("inputs");
        const QPoint place = table.visualRect(table.model()->index(0, InputTableModel::Value)).center();
        QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(table.viewport(), Qt::LeftButton, {}, place);
        auto *cell = table.viewport()->findChild<QLineEdit *>();
        QVERIFY(cell != nullptr);
        QTest::keyClicks(cell, "float32[6, 8]");
        QTest::keyClick(cell, Qt::Key_Return);
        QTRY_COMPARE(desk.document.plan().inputs.size(), std::size_t{1});
        QCOMPARE(toText(desk.document.plan().inputs[0]), std::string("x=float32[6,8]"));
    }

    void kindAndTypeAreChosenByKeys()
    {
        Desk desk;
        desk.document.setModel(modelOfTwoInputs());
        desk.selectInput(0);
        auto &kind = desk.find<QComboBox>("kind");
        auto &type = desk.find<QComboBox>("dtype");
        QCOMPARE(kind.currentText(), QString("nothing given"));
        QTest::keyClick(&kind, Qt::Key_Down);
        QCOMPARE(kind.currentText(), QString("random tensor"));
        QVERIFY(type.isVisible());
        QTest::keyClicks(&type, "int64");
        desk.type("sizes", "6,8");
        QCOMPARE(toText(desk.document.plan().inputs.at(0)), std::string("x=int64[6,8]"));
        QTest::keyClick(&type, Qt::Key_Down);
        const std::string typed = toText(desk.document.plan().inputs.at(0));
        QVERIFY2(typed == "x=int32[6,8]", typed.c_str());
        QTest::keyClick(&kind, Qt::Key_Up);
        QVERIFY(desk.document.plan().inputs.empty());
    }

    void positionalInputsOfAPlanStandAtTheirArgument()
    {
        Document document;
        document.newFor("model.pt");
        document.edit("Inputs", [](plan::Plan &plan) {
            plan.inputs = {*plan::parseInputSpec("float32[2]"), *plan::parseInputSpec("mask=true")};
        });
        document.setModel(modelOfTwoInputs());
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
        document.setModel(modelOfTwoInputs());
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

    void anInputIsPutTogetherFromItsParts()
    {
        Desk desk;
        desk.document.setModel(modelOfTwoInputs());
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
        desk.document.setModel(modelOfTwoInputs());
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

    void anInputThatIsTypedBackIsNoLongerRefused()
    {
        Desk desk;
        desk.document.setModel(modelOfTwoInputs());
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
        desk.document.setModel(modelOfTwoInputs());
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
        desk.document.setModel(modelOfTwoInputs());
        desk.click("run");
        desk.engine.say(protocol::Response{
            desk.engine.requests.back().id,
            Error{ErrorCode::InvalidArgument, "missing a required argument: 'mask' (Tensor)", "mask", {}}});
        auto &problem = desk.find<QLabel>("problem");
        QVERIFY2(problem.text().contains("<a href='0'>input mask</a>"), qPrintable(problem.text()));
        QVERIFY(tests::followByKeys(problem, "0"));
        QCOMPARE(desk.find<QTableView>("inputs").currentIndex().row(), 1);
    }

    void ofAModelThatIsOnlyReadProposalsAreSaidToCome()
    {
        Desk desk;
        report::Inspection read = *modelOfTwoInputs();
        read.structureOnly = true;
        desk.document.setModel(std::make_shared<const report::Inspection>(read));
        const auto &reasons = desk.find<QLabel>("reasons");
        QVERIFY(reasons.isVisible());
        QCOMPARE(reasons.text(), QString("What can be proposed for x is told once the model is loaded."));
        desk.document.setModel(modelOfTwoInputs());
        QVERIFY2(reasons.text().startsWith("Nothing can be proposed for x:"), qPrintable(reasons.text()));
    }

    void whatNothingCanBeProposedForIsSaid()
    {
        Desk desk;
        desk.document.setModel(modelOfTwoInputs());
        auto &reasons = desk.find<QLabel>("reasons");
        QVERIFY(!desk.find<QPushButton>("propose").isVisible());
        QVERIFY(reasons.isVisible());
        QVERIFY2(reasons.text().startsWith("Nothing can be proposed for x:"), qPrintable(reasons.text()));
        desk.document.edit("x", [](plan::Plan &plan) { plan.inputs = {*plan::parseInputSpec("x=float32[2]")}; });
        QVERIFY(!reasons.isVisible());
    }
};

PIPESCOPE_WIDGET_TEST(TestRunViewInputs)
#include "tst_run_view_inputs.moc"
