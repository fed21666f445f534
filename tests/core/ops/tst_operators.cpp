#include "ops/mobile.h"
#include "ops/operator.h"

#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>
#include <set>
#include <string>

using namespace pipescope;
using ops::Operator;

namespace {

template <class See>
void forEachRow(See see)
{
    for (const std::span<const Operator> family : ops::families())
        for (const Operator &row : family)
            see(row);
}

std::string nameOf(const Operator *row)
{
    return row == nullptr ? "none" : std::string(row->name);
}

bool draws(const std::string &call)
{
    const auto graph =
        tests::graphFromText("in x\nin h : int\nconst no = false\nconst yes = true\nconst nothing = 0.0\n"
                             "const half = 0.5\nconst c\ny = " +
                             call + "\nreturn y");
    return ops::drawsRandom(graph, graph.at(0));
}

} // namespace

class TestOperators : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void noOperatorAndNoWordOfCodeStandsThereTwice()
    {
        std::set<std::string_view> names;
        std::set<std::string_view> codes;
        forEachRow([&](const Operator &row) {
            QVERIFY2(names.insert(row.name).second, std::string(row.name).c_str());
            QVERIFY2(row.code.empty() || codes.insert(row.code).second, std::string(row.name).c_str());
        });
        QVERIFY(names.size() > 300);
    }

    void eachRowSaysSomething()
    {
        forEachRow([](const Operator &row) {
            Operator silent;
            silent.name = row.name;
            QVERIFY2(!(row == silent), std::string(row.name).c_str());
        });
    }

    void whatIsMadeForPhonesIsKnownByItsName()
    {
        for (const char *name : {"prepacked::conv2d_clamp_run", "vulkan_prepack::linear", "metal_prepack::conv2d_run",
                                 "torch.classes.xnnpack.LinearOpContext", "torch.classes.vulkan.LinearPackedContext"})
            QVERIFY2(ops::isForMobile(name), name);
        for (const char *name :
             {"aten::linear", "quantized::linear_prepack", "mylib::prepacked", "torch.classes.quantized.X"})
            QVERIFY2(!ops::isForMobile(name), name);
    }

    void anInPlaceFormIsItsPlainOne()
    {
        QCOMPARE(nameOf(ops::find("aten::relu_")), std::string("aten::relu"));
        QCOMPARE(nameOf(ops::find("aten::__and__")), std::string("aten::__and__"));
        QCOMPARE(nameOf(ops::find("aten::requires_grad_")), std::string("aten::requires_grad_"));
        QCOMPARE(nameOf(ops::find("aten::__")), std::string("none"));
    }

    void anOverloadHasItsOwnRowBeforeThatOfAll()
    {
        QCOMPARE(nameOf(ops::find("aten::lstm", "data")), std::string("aten::lstm.data"));
        QCOMPARE(nameOf(ops::find("aten::lstm")), std::string("none"));
        QCOMPARE(nameOf(ops::find("aten::add", "Tensor")), std::string("aten::add"));
    }

    void operatorsOfOtherLibrariesAreKnownByTheirNames()
    {
        using ops::Batch;
        QVERIFY(ops::of("mylib::fused_batch_norm").batch == Batch::Statistics);
        QVERIFY(ops::of("mylib::instance_norm_relu").batch == Batch::Statistics);
        QVERIFY(ops::of("mylib::linear_dynamic").batch == Batch::DynamicRange);
        QVERIFY(ops::of("mylib::my_choose_qparams").batch == Batch::DynamicRange);
        QVERIFY(ops::of("mylib::fused_moving_avg_obs").batch == Batch::DynamicRange);
        QVERIFY(ops::of("mylib::layer_norm").batch == Batch::Unknown);
        QVERIFY(ops::of("fluid_dynamics::matmul").batch == Batch::Unknown);
        QVERIFY(ops::of("mylib_batch_norm::linear").batch == Batch::Unknown);
        QCOMPARE(nameOf(ops::find("mylib::fused_batch_norm")), std::string("none"));
        QVERIFY(!ops::of("mylib::fused_batch_norm").statistics);
    }

    void anUnknownOperatorHasAnEmptyRow()
    {
        QVERIFY(ops::of("custom::op") == Operator{});
        QCOMPARE(nameOf(ops::find("")), std::string("none"));
        QCOMPARE(nameOf(ops::findByCode("")), std::string("none"));
        QCOMPARE(nameOf(ops::findByCode("and")), std::string("none"));
    }

    void whatCodeWritesAsASignIsFound()
    {
        QCOMPARE(nameOf(ops::findByCode("@")), std::string("aten::matmul"));
        QCOMPARE(nameOf(ops::findByCode("len")), std::string("aten::len"));
    }

    void whatIsSwitchedOffDrawsNothing_data()
    {
        QTest::addColumn<std::string>("call");
        QTest::addColumn<bool>("expected");
        QTest::newRow("in training") << std::string("aten::dropout x half yes") << true;
        QTest::newRow("training known in the run only") << std::string("aten::dropout x half h") << true;
        QTest::newRow("evaluating") << std::string("aten::dropout x half no") << false;
        QTest::newRow("in place") << std::string("aten::dropout_ !x half yes") << true;
        QTest::newRow("nothing dropped") << std::string("aten::feature_dropout x nothing yes") << false;
        QTest::newRow("into a tensor") << std::string("aten::uniform_ !x nothing half") << true;
        QTest::newRow("a recurrent layer") << std::string("aten::lstm.input x c c yes c half yes") << true;
        QTest::newRow("without dropout") << std::string("aten::lstm.input x c c yes c nothing yes") << false;
        QTest::newRow("of packed data") << std::string("aten::lstm.data x c c c yes c half no") << false;
        QTest::newRow("attention") << std::string("aten::scaled_dot_product_attention x x x c nothing") << false;
        QTest::newRow("attention that drops") << std::string("aten::scaled_dot_product_attention x x x c half") << true;
        QTest::newRow("none that draws") << std::string("aten::relu x") << false;
    }
    void whatIsSwitchedOffDrawsNothing()
    {
        QFETCH(std::string, call);
        QTEST(draws(call), "expected");
    }
};

PIPESCOPE_TEST(TestOperators)
#include "tst_operators.moc"
