// A schedule that takes the microbatches in an order of its own, and models to which that matters.
#include "engine/microbatch_order.h"

#include "base/file.h"
#include "core/engine/small_models.h"
#include "engine/run_job.h"
#include "schedule/schedule_csv.h"
#include "support/test_program.h"
#include "tensor/make_input.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::tests;

namespace {

/// Two layers, between them what `code` makes of x; `n` and `hidden` are kept from call to call.
torch::jit::Module stateful(const std::string &code)
{
    torch::jit::Module module = emptyModule("Stateful");
    module.register_module("first", layer(at::eye(4)));
    module.register_module("second", layer(at::eye(4)));
    module.register_attribute("n", c10::IntType::get(), std::int64_t{0});
    module.register_attribute("hidden", c10::TensorType::get(), at::zeros({4}));
    module.define("def forward(self, x: Tensor) -> Tensor:\n    x = self.first.forward(x)\n" + code +
                  "    return self.second.forward(x)\n");
    return module;
}

} // namespace

class TestMicrobatchOrder : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Result<report::RunReport> runBy(const std::string &csv, const torch::jit::Module &module) const
    {
        const std::string file = m_folder.filePath(QStringLiteral("schedule.csv")).toStdString();
        if (!writeFile(file, csv))
            qFatal("the schedule cannot be written");
        report::RunRequest made;
        made.plan.model = save(module, m_folder.filePath(QStringLiteral("model.pt")).toStdString());
        made.plan.inputs.push_back(*plan::parseInputSpec("x=float32[6,4]"));
        made.plan.splits = {"second"};
        made.plan.microbatches = 3;
        made.plan.schedule = "@" + file;
        return engine::run(made, {});
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void theOrderIsThatOfTheStagesForwards()
    {
        const auto schedule = schedule::parseCsv("0F2,0F0,,0F1\n,1F0,1F2,1F1\n", "a.csv");
        QVERIFY(schedule);
        QCOMPARE(engine::microbatchOrder(*schedule, StageId{0}),
                 (std::vector<MicrobatchId>{MicrobatchId{2}, MicrobatchId{0}, MicrobatchId{1}}));
        QCOMPARE(engine::microbatchOrder(*schedule, StageId{1}),
                 (std::vector<MicrobatchId>{MicrobatchId{0}, MicrobatchId{2}, MicrobatchId{1}}));
    }

    void theUnsplitModelIsRunInTheSameOrder_data()
    {
        QTest::addColumn<std::string>("code");
        QTest::newRow("a counter") << std::string("    self.n += 1\n    x = x * self.n\n");
        QTest::newRow("a tensor") << std::string("    x = x + self.hidden\n    self.hidden = x.sum(0)\n");
        QTest::newRow("in place") << std::string("    self.hidden.add_(1.0)\n    x = x + self.hidden\n");
    }

    void theUnsplitModelIsRunInTheSameOrder()
    {
        QFETCH(std::string, code);
        for (const char *csv : {"0F2,0F0,0F1\n1F2,1F0,1F1\n", "0F0,0F1,0F2\n1F0,1F1,1F2\n"}) {
            const auto report = runBy(csv, stateful(code));
            QVERIFY2(report, report ? "" : report.error().message.c_str());
            QVERIFY2(report->equivalence->overall.bitwise, report->equivalence->explanation.c_str());
            QVERIFY(!report->separability->holds);
            QVERIFY(report->separability->cause == report::Cause::State);
        }
    }

    void stagesWithOrdersOfTheirOwnAreRefusedWhereStateIsKept()
    {
        const char *const csv = "0F2,0F0,0F1\n1F0,1F2,1F1\n";
        const auto refused = runBy(csv, stateful("    self.n += 1\n    x = x * self.n\n"));
        QVERIFY(!refused);
        QVERIFY(refused.error().code == ErrorCode::InvalidArgument);
        QVERIFY2(refused.error().message.find("stage 0 takes the microbatches in the order 2, 0, 1, and stage 1 in the "
                                              "order 0, 2, 1; the model keeps state") != std::string::npos,
                 refused.error().message.c_str());
        const auto report = runBy(csv, stateful("    x = x * 2\n"));
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QVERIFY(report->equivalence->overall.bitwise);
        QVERIFY(report->separability->holds);
    }
};

PIPESCOPE_TEST(TestMicrobatchOrder)
#include "tst_microbatch_order.moc"
