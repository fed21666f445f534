#include "check/cause.h"

#include "check_support.h"

#include "support/test_program.h"

#include <QTest>
#include <string>

using namespace pipescope;

namespace {

// The cause at a model's only operator, which goes by this name.
report::Cause causeOf(const std::string &op)
{
    torch::jit::Module module("Only");
    module.define("def forward(self, x: Tensor) -> Tensor:\n    return torch.relu(x)\n");
    import::ImportedModel model = testing::imported(module);
    model.graph.nodes.at(0).op = op;
    check::BatchDependence dependence;
    dependence.position = 0;
    return check::classify(model, dependence, {true});
}

} // namespace

class TestCause : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void operatorsOfOtherLibrariesHaveTheCauseOfTheirKind_data()
    {
        QTest::addColumn<std::string>("op");
        QTest::addColumn<int>("cause");
        const auto row = [](const char *op, report::Cause cause) {
            QTest::newRow(op) << std::string(op) << static_cast<int>(cause);
        };
        row("aten::batch_norm", report::Cause::BatchStatistics);
        row("mylib::fused_batch_norm", report::Cause::BatchStatistics);
        row("mylib::instance_norm_relu", report::Cause::BatchStatistics);
        row("mylib::linear_dynamic", report::Cause::DynamicQuantization);
        row("mylib::choose_qparams", report::Cause::DynamicQuantization);
        row("mylib::fused_moving_avg_obs", report::Cause::DynamicQuantization);
        row("mylib::mean", report::Cause::BatchReduction);
    }
    void operatorsOfOtherLibrariesHaveTheCauseOfTheirKind()
    {
        QFETCH(std::string, op);
        QTEST(static_cast<int>(causeOf(op)), "cause");
    }
};

PIPESCOPE_TEST(TestCause)
#include "tst_cause.moc"
