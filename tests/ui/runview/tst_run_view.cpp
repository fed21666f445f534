#include "runview/run_view.h"

#include "../session/fake_link.h"
#include "support/graph_builder.h"
#include "support/qt_warnings.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTableView>
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
    RunView view{document, controller};

    Desk()
    {
        document.newFor("model.pt");
        client.start();
        engine.greet();
        view.show();
    }
    template <class Widget>
    [[nodiscard]] Widget &find(const char *name) const
    {
        return *view.findChild<Widget *>(name);
    }
    void click(const char *name) const { QTest::mouseClick(&find<QPushButton>(name), Qt::LeftButton); }
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
        QCOMPARE(value.data().toString(), QString("float32[6,8]"));
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
        QCOMPARE(chunk.data().toString(), QString("replicate"));
        document.undoStack().undo();
        QCOMPARE(chunk.data().toString(), QString("(0)"));
    }

    void theBoxesFollowThePlanAndEditIt()
    {
        Desk desk;
        desk.find<QSpinBox>("microbatches").setValue(8);
        QCOMPARE(desk.document.plan().microbatches, 8);
        desk.document.undoStack().undo();
        QCOMPARE(desk.find<QSpinBox>("microbatches").value(), 1);
        desk.document.edit("Schedule", [](plan::Plan &plan) { plan.schedule = "@own.csv"; });
        QCOMPARE(desk.find<QComboBox>("schedule").currentText(), QString("@own.csv"));
        QCOMPARE(desk.document.undoStack().count(), 1);
    }

    void runningNeedsALoadedModelAndCanBeCancelled()
    {
        Desk desk;
        QVERIFY(!desk.find<QPushButton>("run").isEnabled());
        desk.document.setModel(model());
        QVERIFY(desk.find<QPushButton>("run").isEnabled());
        desk.click("run");
        QCOMPARE(desk.engine.requests.back().method, std::string("run"));
        QVERIFY(!desk.find<QPushButton>("run").isEnabled());
        desk.click("cancel");
        QCOMPARE(desk.engine.requests.back().method, std::string("cancel"));
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
