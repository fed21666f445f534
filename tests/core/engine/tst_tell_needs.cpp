// What a run needs, told before it begins.
#include "core/engine/layer_watch.h"
#include "core/engine/small_models.h"
#include "engine/run_job.h"
#include "make_examples/examples.h"
#include "support/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

using namespace pipescope;
using namespace pipescope::tests;
using report::RunNeeds;

namespace {

/// 8 layers, each of two Linear(32, 32): 16 * (32 * 32 + 32) numbers of 4 bytes.
constexpr std::int64_t MlpWeights = 16 * 1056 * 4;

struct Told
{
    std::vector<RunNeeds> needs;
    std::vector<std::string> warnings;
    engine::JobContext context;

    explicit Told(std::int64_t available = 1 << 30, int cores = 64)
    {
        context.machine = [available, cores] { return report::Machine{AvailableMemory{available, "the test"}, cores}; };
        context.needs = [this](const RunNeeds &told) { needs.push_back(told); };
        context.warn = [this](const std::string &text) { warnings.push_back(text); };
    }
    Told(const Told &) = delete;
    Told &operator=(const Told &) = delete;
};

} // namespace

class TestTellNeeds : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

    /// 16 rows in 4 microbatches.
    report::RunRequest mlp() const
    {
        report::RunRequest request;
        request.plan.model = save(examples::mlpChain(examples::Size::Small), path("mlp.pt"));
        request.plan.inputs = {*plan::parseInputSpec("x=float32[16,32]")};
        request.plan.microbatches = 4;
        return request;
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void aBalancedRunKnowsItsShapes()
    {
        Told told;
        report::RunRequest request = mlp();
        request.balanceInto = 2;
        const auto report = engine::run(request, told.context);
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(told.needs.size(), std::size_t(1));
        const RunNeeds &needs = told.needs.front();
        QCOMPARE(needs.weights, MlpWeights);
        QCOMPARE(needs.stageWeights.size(), std::size_t(2));
        QCOMPARE(needs.stageWeights[0] + needs.stageWeights[1], MlpWeights);
        // A value of a microbatch is float32[4,32], 512 bytes: wherever the cut is, a rank has one that it takes and
        // one that it makes, two of the four under way wait, three are returned; and x is 2048.
        QCOMPARE(needs.inFlight, 4);
        QCOMPARE(needs.activations, std::optional<std::int64_t>(2048 + 2 * 1024 + 2 * 512 + 3 * 512));
        // The unsplit model takes and makes 2048 each of the whole batch, beside x and three copies of the outputs.
        QCOMPARE(needs.comparison, std::optional<std::int64_t>(2048 + 4096 + 3 * 2048 - 6656));
        QCOMPARE(needs.fits(), std::optional(true));
        QVERIFY(told.warnings.empty());
    }

    void namedStagesSayWhatIsKnown()
    {
        Told told;
        report::RunRequest request = mlp();
        request.plan.splits = {"layers.4"};
        QVERIFY(engine::run(request, told.context));
        QCOMPARE(told.needs.size(), std::size_t(1));
        QCOMPARE(told.needs[0].weights, MlpWeights);
        QCOMPARE(told.needs[0].stageWeights, (std::vector<std::int64_t>{MlpWeights / 2, MlpWeights / 2}));
        QVERIFY(!told.needs[0].activations && !told.needs[0].comparison);
        QCOMPARE(told.needs[0].fits(), std::optional<bool>());
    }

    void aRunThatDoesNotFitIsWarnedOfAndMadeNevertheless()
    {
        Told told(60'000);
        report::RunRequest request = mlp();
        request.plan.splits = {"layers.4"};
        const auto report = engine::run(request, told.context);
        QVERIFY(report);
        QCOMPARE(told.needs[0].fits(), std::optional(false));
        QCOMPARE(report->warnings, told.warnings);
        QCOMPARE(told.warnings.size(), std::size_t(1));
        QVERIFY2(told.warnings[0].starts_with("the run needs at least 66.0 KiB of memory (weights 66.0 KiB), but 58.6 "
                                              "KiB are free (as the test says): "),
                 told.warnings[0].c_str());
    }

    void threadsAreCountedAgainstCores()
    {
        Told told(1 << 30, 2);
        report::RunRequest request = mlp();
        request.plan.splits = {"layers.4"};
        request.plan.threadsPerRank = 2;
        QVERIFY(engine::run(request, told.context));
        QCOMPARE(told.needs[0].threads(), 4);
        QVERIFY(told.needs[0].lacksCores());
        QVERIFY(told.warnings.empty()); // no fault of the run: it is told with what it needs
    }

    void itIsToldBeforeAnyRankComputes()
    {
        Told told;
        const LayerWatch watch;
        int before = -1;
        told.context.needs = [&](const RunNeeds &) { before = watch.count(); };
        report::RunRequest request;
        request.plan.model = save(chain(2, 8), path("chain.pt"));
        request.plan.inputs = {*plan::parseInputSpec("x=float32[6,8]")};
        request.plan.splits = {"block1"};
        request.plan.microbatches = 3;
        QVERIFY(engine::run(request, told.context));
        QCOMPARE(before, 0);
        QVERIFY(watch.count() > 0);
    }

    void whatIsFreeIsAskedBeforeTheModelIsLoaded()
    {
        Told told;
        std::vector<std::string> order;
        told.context.progress = [&](std::string_view step, double) {
            if (order.empty() || order.back() != step)
                order.emplace_back(step);
        };
        told.context.machine = [&] {
            order.emplace_back("machine");
            return report::Machine();
        };
        report::RunRequest request = mlp();
        request.plan.splits = {"layers.4"};
        QVERIFY(engine::run(request, told.context));
        QCOMPARE(order[0], std::string("machine"));
        QCOMPARE(std::count(order.begin(), order.end(), "machine"), 1);
    }
};

PIPESCOPE_TEST(TestTellNeeds)
#include "tst_tell_needs.moc"
