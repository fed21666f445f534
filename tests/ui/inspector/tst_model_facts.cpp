#include "inspector/model_facts.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include "known.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::inspector;
using tests::fact;
using tests::joined;

namespace {

report::Inspection model()
{
    report::Inspection model;
    model.path = "/models/two.pt";
    model.fileKind = "TorchScript model";
    model.graph = tests::graphFromText(R"(
        in x
        param w layers.0.weight 64
        call layers.0
        a = aten::linear x w
        end
        call layers.1
        b = aten::relu a
        end
        return b
    )");
    model.splitPoints = partition::splitPoints(model.graph);
    model.operators = {{"aten::linear", 1}, {"aten::relu", 1}};
    return model;
}

} // namespace

class TestModelFacts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { pipescope::tests::failOnWarnings(); }

    void aModelTellsItsFileItsEndsAndHowItCanBeSplit()
    {
        const FactSheet sheet = modelFacts(model());
        QCOMPARE(joined(sheet.subtitle), QString("two.pt; whole model"));
        QCOMPARE(fact(sheet, "file"), QString("TorchScript model"));
        QCOMPARE(fact(sheet, "in"), QString("x Tensor"));
        QCOMPARE(fact(sheet, "nodes"), QString("2"));
        QCOMPARE(fact(sheet, "split points"), QString("1 of 1 possible"));
        QCOMPARE(fact(sheet, "operators"), QString("1 × aten::linear; 1 × aten::relu"));
        QCOMPARE(fact(sheet, "time"), QString());
    }

    void aGraphOfSomeValuesTellsWhich()
    {
        report::Inspection made = model();
        QCOMPARE(fact(modelFacts(made), "specialised for"), QString());
        made.specialised = {*plan::parseInputSpec("rate=16000"), *plan::parseInputSpec("mode='mean'")};
        QCOMPARE(fact(modelFacts(made), "specialised for"), QString("rate=16000, mode='mean'"));
    }

    void aModelTellsItsConstantsAndWhatItDoesNotUse()
    {
        report::Inspection inspection = model();
        QCOMPARE(fact(modelFacts(inspection), "constants"), QString());
        QCOMPARE(fact(modelFacts(inspection), "not used"), QString());
        inspection.graph = tests::graphFromText("in x\nconst c table 2048\nconst d other 1024\n"
                                                "unused critic.bias 1024\nunused critic.weight 1024\n"
                                                "a = aten::linear x c d\nreturn a");
        QCOMPARE(fact(modelFacts(inspection), "constants"), QString("2 in the code (3.00 KiB)"));
        QCOMPARE(fact(modelFacts(inspection), "not used"), QString("2 (2.00 KiB); critic.bias; critic.weight"));
        inspection.structureOnly = true;
        QCOMPARE(fact(modelFacts(inspection), "not used"), QString());
    }

    void aProfiledModelTellsItsCostAndNoGuess()
    {
        report::Inspection profiled = model();
        report::ModuleCost cost;
        cost.seconds = 0.002;
        profiled.moduleCosts = {cost};
        QCOMPARE(fact(modelFacts(profiled), "time"), QString("2.00 ms"));
        QCOMPARE(fact(modelFacts(profiled), "FLOPs"), QString("unknown"));
    }

    void longListsAreCutAndSaySo()
    {
        report::Inspection many = model();
        for (int i = 0; i < 20; ++i) {
            many.state.push_back("state" + std::to_string(i));
            many.operators.emplace_back("aten::op" + std::to_string(i), 1);
        }
        QVERIFY(fact(modelFacts(many), "state").endsWith("state7; 12 more"));
        QVERIFY(fact(modelFacts(many), "operators").endsWith("16 more kinds"));
    }

    void aFileThatWasOnlyReadHasNoSplitPoints()
    {
        report::Inspection read = model();
        read.structureOnly = true;
        QCOMPARE(joined(modelFacts(read).subtitle), QString("two.pt; structure only"));
        QCOMPARE(fact(modelFacts(read), "split points"), QString());
        QCOMPARE(modelFacts(report::Inspection()), FactSheet());
    }
};

PIPESCOPE_TEST(TestModelFacts)
#include "tst_model_facts.moc"
