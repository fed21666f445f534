#include "engine/distinct_outputs.h"
#include "engine/run_job.h"

#include "core/engine/small_models.h"
#include "make_examples/script_text.h"
#include "support/test_program.h"

#include <ATen/ATen.h>
#include <QTemporaryDir>
#include <QTest>
#include <atomic>
#include <limits>
#include <set>
#include <torch/library.h>

using namespace pipescope;
using namespace pipescope::tests;

namespace {

std::set<int> wrongSlips; // from 0
std::atomic<int> slips = 0;

/// As a race would: right, but for some calls.
at::Tensor slip(const at::Tensor &x)
{
    return at::add(x, wrongSlips.contains(slips++) ? 1 : 0);
}

c10::IValue filled(double value)
{
    return at::full({2}, value);
}

} // namespace

TORCH_LIBRARY(pipescope_repeat, library)
{
    library.def("slip(Tensor x) -> Tensor", &slip);
}

/// Of a plan that is run several times every run is checked, whichever is reported.
class TestRepeatedRuns : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    report::RunRequest request() const
    {
        const examples::ScriptText text(R"script(
class Slipping(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.Slipping, x: Tensor) -> Tensor:
    h = torch.mul(x, 2)
    return ops.pipescope_repeat.slip(h)
)script");
        report::RunRequest made;
        made.plan.model = save(text.make("Slipping"), m_folder.filePath("slipping.pt").toStdString());
        made.plan.inputs = {*plan::parseInputSpec("x=float32[4,4]")};
        made.plan.splits = {"pipescope_repeat::slip"};
        made.warmUps = 1;
        return made;
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }
    void init()
    {
        wrongSlips.clear();
        slips = 0;
    }

    void aRunThatDiffersIsToldWhicheverItIs_data()
    {
        QTest::addColumn<QList<int>>("wrong"); // the warm-up is call 0, the measured runs follow
        QTest::addColumn<QString>("runs");
        QTest::newRow("the first") << QList<int>{1} << "run 1 of 3: ";
        QTest::newRow("one in the middle") << QList<int>{2} << "run 2 of 3: ";
        QTest::newRow("the last") << QList<int>{3} << "run 3 of 3: ";
        QTest::newRow("two of them") << QList<int>{1, 3} << "runs 1 and 3 of 3: ";
        QTest::newRow("all") << QList<int>{1, 2, 3} << "microbatch 0 differs";
    }

    void aRunThatDiffersIsToldWhicheverItIs()
    {
        QFETCH(const QList<int>, wrong);
        QFETCH(const QString, runs);
        wrongSlips = {wrong.begin(), wrong.end()};
        report::RunRequest made = request();
        made.repeat = 3;
        const auto report = engine::run(made, {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(report->makespans.size(), std::size_t(3));
        QVERIFY(report->equivalence.has_value());
        QVERIFY(!report->equivalence->overall.equal);
        QVERIFY(report->equivalence->overall.maxAbsError > 0.99);
        QVERIFY2(report->equivalence->explanation.starts_with(runs.toStdString()),
                 report->equivalence->explanation.c_str());
    }

    void runsThatAreAllRightAreEquivalent()
    {
        report::RunRequest made = request();
        made.repeat = 3;
        const auto report = engine::run(made, {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QVERIFY(report->equivalence->overall.equal && report->equivalence->overall.bitwise);
        QCOMPARE(report->equivalence->explanation, std::string());
    }

    void runsThatGaveTheSameAreKeptOnce()
    {
        engine::DistinctOutputs outputs;
        outputs.add({{filled(1)}, {filled(2)}});
        outputs.add({{filled(1)}, {filled(3)}});
        outputs.add({{filled(1)}, {filled(2)}});
        QCOMPARE(outputs.runs(), 3);
        QCOMPARE(outputs.kept().size(), std::size_t(2));
        QCOMPARE(outputs.kept()[0].runs, (std::vector<int>{0, 2}));
        QCOMPARE(outputs.kept()[1].runs, std::vector<int>{1});
        QVERIFY(outputs.kept()[1].outputs[1][0].toTensor().equal(filled(3).toTensor()));
    }

    void theSameNumbersInOtherBitsAreNotTheSame()
    {
        engine::DistinctOutputs outputs;
        outputs.add({{filled(0.0)}});
        outputs.add({{filled(-0.0)}});
        outputs.add({{at::full({2}, 0.0, at::kDouble)}});
        outputs.add({{filled(std::numeric_limits<double>::quiet_NaN())}});
        outputs.add({{filled(std::numeric_limits<double>::quiet_NaN())}});
        QCOMPARE(outputs.kept().size(), std::size_t(4));
    }
};

PIPESCOPE_TEST(TestRepeatedRuns)
#include "tst_repeated_runs.moc"
