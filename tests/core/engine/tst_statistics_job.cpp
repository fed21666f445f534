#include "engine/statistics_job.h"

#include "base/file.h"
#include "engine/inspect_job.h"
#include "engine/kept_model.h"
#include "small_models.h"
#include "support/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <optional>

using namespace pipescope;
using namespace pipescope::tests;
using engine::statistics;

namespace {

/// Values of every kind. Whatever x holds, y is 0, 1, 2, 3 in each row.
torch::jit::Module kinds()
{
    torch::jit::Module module = emptyModule("Kinds");
    module.register_module("inner", layer(at::arange(4, at::kFloat).view({2, 2})));
    module.register_buffer("flags", at::tensor({1, 0, 1}, at::kInt).to(at::kBool));
    module.register_attribute("table", c10::TensorType::get(), at::full({2}, 7.0));
    module.define("def forward(self, x: Tensor, scale: int = 1, mask: Optional[Tensor] = None) -> "
                  "Tuple[Tensor, List[Tensor], Dict[str, Tensor], int]:\n"
                  "    y = torch.cumsum(torch.ones_like(x), 1) - 1.0\n"
                  "    rows = x.size(0)\n"
                  "    if bool(y.sum() > 1.0):\n"
                  "        z = y * 2.0\n"
                  "    else:\n"
                  "        z = torch.neg(y)\n"
                  "    z = z + self.table.sum() * float(scale)\n"
                  "    return (z, [y, torch.matmul(y[:, 0:2], self.inner.weight)], {'flags': self.flags}, rows)\n"
                  "def failing(self, x: Tensor) -> Tensor:\n"
                  "    y = torch.relu(x)\n"
                  "    return torch.matmul(y, torch.ones([3, 3]))\n");
    return module;
}

std::string messageOf(const Result<report::StatisticsReport> &report)
{
    return report ? "no error" : report.error().message;
}

/// Jobs that keep their model, and how often one was loaded.
struct Keeper
{
    engine::KeptModel kept;
    int loads = 0;
    engine::JobContext context;

    Keeper()
    {
        context.kept = &kept;
        context.progress = [this](std::string_view step, double) { loads += step == "loading the model" ? 1 : 0; };
    }
    Keeper(const Keeper &) = delete;
    Keeper &operator=(const Keeper &) = delete;
};

} // namespace

class TestStatisticsJob : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::string m_kinds;

    std::string path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

    static report::StatisticsRequest requestFor(const std::string &model, const std::string &input)
    {
        report::StatisticsRequest request;
        request.plan.model = model;
        if (!input.empty())
            request.plan.inputs = {*plan::parseInputSpec(input)};
        return request;
    }

    static graph::ModelGraph graphOf(const plan::Plan &plan)
    {
        report::InspectRequest request;
        request.model = plan.model;
        request.method = plan.method;
        const auto inspection = engine::inspect(request, {});
        if (!inspection)
            qFatal("%s", inspection.error().message.c_str());
        return inspection->graph;
    }

    /// The first output of the first node of a kind, inside ifs too.
    static ValueId madeBy(const graph::ModelGraph &graph, std::string_view op)
    {
        const auto found = std::find_if(graph.nodes.begin(), graph.nodes.end(),
                                        [&](const graph::Node &node) { return node.op == op; });
        return found == graph.nodes.end() ? ValueId{} : found->outputs.at(0);
    }

    Result<report::StatisticsReport> lookAt(std::string_view op, const std::string &input = "x=float32[3,4]") const
    {
        report::StatisticsRequest request = requestFor(m_kinds, input);
        request.value = madeBy(graphOf(request.plan), op);
        return statistics(request, {});
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_kinds = save(kinds(), path("kinds.pt"));
    }

    void aParameterNeedsNoInputs()
    {
        report::StatisticsRequest request = requestFor(m_kinds, "");
        request.parameter = "inner.weight";
        const auto report = statistics(request, {});
        QVERIFY2(report, messageOf(report).c_str());
        QCOMPARE(report->name, std::string("inner.weight"));
        QCOMPARE(report->type, std::string("Tensor"));
        QCOMPARE(report->leaves.size(), std::size_t(1));
        const report::LeafStatistics &leaf = report->leaves[0];
        QCOMPARE(leaf.path, std::string());
        QCOMPARE(leaf.dtype, std::string("float32"));
        QCOMPARE(leaf.count, 4);
        QCOMPARE(leaf.zeros, 1);
        QCOMPARE(leaf.mean.value(), 1.5);
        QCOMPARE(leaf.deviation.value(), std::sqrt(1.25));

        request.parameter = "flags";
        const auto flags = statistics(request, {});
        QVERIFY2(flags, messageOf(flags).c_str());
        QCOMPARE(flags->leaves.at(0).dtype, std::string("bool"));
        QCOMPARE(flags->leaves[0].zeros, 1);
        request.parameter = "table";
        const auto table = statistics(request, {});
        QVERIFY2(table, messageOf(table).c_str());
        QCOMPARE(table->leaves.at(0).mean.value(), 7.0);
    }

    void aModelThatIsKeptIsLoadedOnce()
    {
        const std::string model = save(kinds(), path("kept.pt"));
        Keeper keeper;
        report::StatisticsRequest request = requestFor(model, "x=float32[3,4]");
        const graph::ModelGraph graph = graphOf(request.plan);
        request.parameter = "inner.weight";
        QVERIFY(statistics(request, keeper.context));
        QCOMPARE(keeper.loads, 1);
        request.parameter.clear();
        request.value = madeBy(graph, "aten::cumsum");
        const auto first = statistics(request, keeper.context);
        QVERIFY2(first, messageOf(first).c_str());
        const auto again = statistics(request, keeper.context);
        QVERIFY(again);
        QVERIFY(*first == *again);
        QCOMPARE(keeper.loads, 1);
        request.plan.method = "failing"; // another graph
        request.value = {};
        request.parameter = "inner.weight";
        QVERIFY(statistics(request, keeper.context));
        QCOMPARE(keeper.loads, 2);
        report::InspectRequest load; // other jobs load it anew, and need the memory
        load.model = model;
        QVERIFY(engine::inspect(load, keeper.context));
        QCOMPARE(keeper.loads, 3);
        QVERIFY(statistics(request, keeper.context));
        QCOMPARE(keeper.loads, 4);
    }

    void aKeptModelGoesWithItsFileAndWithAFailure()
    {
        const std::string model = save(kinds(), path("kept.pt"));
        Keeper keeper;
        report::StatisticsRequest request = requestFor(model, "");
        request.parameter = "table";
        QVERIFY(statistics(request, keeper.context));
        request.parameter = "none";
        QVERIFY(!statistics(request, keeper.context));
        request.parameter = "table";
        QVERIFY(statistics(request, keeper.context));
        QCOMPARE(keeper.loads, 2);
        torch::jit::Module other = kinds();
        other.setattr("table", at::full({2}, 9.0));
        save(other, path("other.pt"));
        std::filesystem::rename(path("other.pt"), model);
        const auto report = statistics(request, keeper.context);
        QVERIFY(report);
        QCOMPARE(report->leaves.at(0).mean.value(), 9.0);
        QCOMPARE(keeper.loads, 3);
    }

    void aModelThatIsNotTheOneExpectedIsNotLoaded()
    {
        report::StatisticsRequest request = requestFor(m_kinds, "");
        request.parameter = "table";
        request.expectedSha256 = *fileSha256(m_kinds);
        QVERIFY(statistics(request, {}));
        request.expectedSha256 = std::string(64, '0');
        const auto refused = statistics(request, {});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::InvalidFile);
        QCOMPARE(refused.error().where, m_kinds);
    }

    void aNameThatIsNotThereIsAnError()
    {
        report::StatisticsRequest request = requestFor(m_kinds, "");
        request.parameter = "inner.bias";
        QCOMPARE(messageOf(statistics(request, {})), std::string("the model holds no tensor 'inner.bias'"));
        request.parameter.clear();
        request.value = ValueId{100'000};
        const auto report = statistics(request, {});
        QVERIFY(!report);
        QCOMPARE(report.error().code, ErrorCode::NotFound);
        request.parameter = "inner.weight";
        QCOMPARE(messageOf(statistics(request, {})),
                 std::string("name either a value of the graph or a parameter, not both"));
        request.value = {};
        request.parameter.clear();
        QVERIFY(!statistics(request, {}));
    }

    void aValueIsComputedOnTheInputs()
    {
        const auto report = lookAt("aten::sub");
        QVERIFY2(report, messageOf(report).c_str());
        QVERIFY(report->name.starts_with("aten::sub"));
        const report::LeafStatistics &leaf = report->leaves.at(0);
        QCOMPARE(leaf.sizes, (std::vector<std::int64_t>{3, 4}));
        QCOMPARE(leaf.zeros, 3);
        QCOMPARE(leaf.smallest.value(), 0.0);
        QCOMPARE(leaf.largest.value(), 3.0);
        QCOMPARE(leaf.mean.value(), 1.5);
        QCOMPARE(leaf.histogram.size(), std::size_t(64));
        QCOMPARE(leaf.histogram[0], 3);
        QCOMPARE(leaf.histogram[63], 3);
    }

    void aValueWithoutTensorsIsToldInWords()
    {
        const auto rows = lookAt("aten::size");
        QVERIFY2(rows, messageOf(rows).c_str());
        QCOMPARE(rows->text, std::string("3"));
        QCOMPARE(rows->type, std::string("int"));
        QVERIFY(rows->leaves.empty());
    }

    void everyTensorOfATreeIsCounted()
    {
        report::StatisticsRequest request = requestFor(m_kinds, "x=float32[3,4]");
        request.value = graphOf(request.plan).outputs.at(0);
        const auto report = statistics(request, {});
        QVERIFY2(report, messageOf(report).c_str());
        QCOMPARE(report->leaves.size(), std::size_t(4));
        QCOMPARE(report->leaves[0].path, std::string("[0]"));
        QCOMPARE(report->leaves[0].smallest.value(), 14.0); // 2 y + 14
        QCOMPARE(report->leaves[0].largest.value(), 20.0);
        QCOMPARE(report->leaves[1].path, std::string("[1][0]"));
        QCOMPARE(report->leaves[2].path, std::string("[1][1]"));
        QCOMPARE(report->leaves[2].sizes, (std::vector<std::int64_t>{3, 2}));
        QCOMPARE(report->leaves[2].mean.value(), 2.5); // [0, 1] [[0, 1], [2, 3]] = [2, 3]
        QCOMPARE(report->leaves[3].path, std::string("[2]['flags']"));
    }

    void argumentsAndConstantsAreValuesToo()
    {
        report::StatisticsRequest request = requestFor(m_kinds, "x=float32[3,4]");
        const graph::ModelGraph graph = graphOf(request.plan);
        request.value = graph.arguments.at(0).value;
        const auto x = statistics(request, {});
        QVERIFY2(x, messageOf(x).c_str());
        QCOMPARE(x->name, std::string("x"));
        QCOMPARE(x->leaves.at(0).count, 12);
        request.value = graph.arguments.at(1).value;
        const auto scale = statistics(request, {});
        QVERIFY2(scale, messageOf(scale).c_str());
        QCOMPARE(scale->text, std::string("1"));
        request.value = graph.arguments.at(2).value;
        const auto mask = statistics(request, {});
        QVERIFY2(mask, messageOf(mask).c_str());
        QCOMPARE(mask->text, std::string("None"));
        for (const graph::Value &value : graph.values) {
            if (value.kind != graph::ValueKind::Constant && value.kind != graph::ValueKind::Parameter &&
                value.kind != graph::ValueKind::Buffer && value.kind != graph::ValueKind::Attribute)
                continue;
            request.value = value.id;
            request.plan.inputs.clear(); // none are needed
            const auto report = statistics(request, {});
            QVERIFY2(report, messageOf(report).c_str());
            QVERIFY2(report->leaves.size() == 1 || !report->text.empty(), value.name.c_str());
        }
    }

    void whatIsMadeInsideABranchIsRefusedInWords()
    {
        for (const char *op : {"aten::neg", "aten::mul"}) { // the one not taken, and the one taken
            const auto report = lookAt(op);
            QVERIFY(!report);
            QCOMPARE(report.error().code, ErrorCode::Unsupported);
            QVERIFY2(report.error().message.find("is made inside prim::If") != std::string::npos,
                     report.error().message.c_str());
        }
        const auto whole = lookAt("prim::If");
        QVERIFY2(whole, messageOf(whole).c_str());
        QCOMPARE(whole->leaves.at(0).largest.value(), 6.0);
    }

    void aMicrobatchIsAPartOfTheBatch()
    {
        report::StatisticsRequest request = requestFor(m_kinds, "x=float32[5,4]");
        request.plan.microbatches = 2;
        request.value = graphOf(request.plan).arguments.at(0).value;
        request.microbatch = MicrobatchId{1};
        const auto report = statistics(request, {});
        QVERIFY2(report, messageOf(report).c_str());
        QCOMPARE(report->leaves.at(0).sizes, (std::vector<std::int64_t>{2, 4}));
        request.microbatch = MicrobatchId{2};
        QCOMPARE(messageOf(statistics(request, {})), std::string("there is no microbatch 2; the batch is cut into 2"));
    }

    void stateIsThatOfTheMicrobatchesBefore()
    {
        report::StatisticsRequest request = requestFor(save(counting(), path("counting.pt")), "x=float32[6,4]");
        request.plan.microbatches = 3;
        const graph::ModelGraph graph = graphOf(request.plan);
        request.value = madeBy(graph, "aten::add_");
        for (int microbatch = 0; microbatch < 3; ++microbatch) {
            request.microbatch = MicrobatchId{microbatch};
            const auto report = statistics(request, {});
            QVERIFY2(report, messageOf(report).c_str());
            QCOMPARE(report->leaves.at(0).mean.value(), microbatch + 1.0);
        }
    }

    void whatComesAfterTheValueIsNotRun()
    {
        report::StatisticsRequest request = requestFor(m_kinds, "x=float32[3,4]");
        request.plan.method = "failing";
        const graph::ModelGraph graph = graphOf(request.plan);
        request.value = madeBy(graph, "aten::relu");
        const auto report = statistics(request, {});
        QVERIFY2(report, messageOf(report).c_str());
        request.value = madeBy(graph, "aten::matmul");
        const auto failed = statistics(request, {});
        QVERIFY(!failed);
        QCOMPARE(failed.error().code, ErrorCode::ModelFailed);
        QVERIFY2(failed.error().message.starts_with("unsplit model, the whole batch, aten::matmul"),
                 failed.error().message.c_str());
    }

    void withoutInputsAValueCannotBeComputed()
    {
        const auto report = lookAt("aten::sub", "");
        QVERIFY(!report);
        QVERIFY2(report.error().message.find('x') != std::string::npos, report.error().message.c_str());
    }

    void aStopIsHeard()
    {
        report::StatisticsRequest request = requestFor(m_kinds, "");
        request.parameter = "inner.weight";
        std::stop_source stop;
        stop.request_stop();
        engine::JobContext context;
        context.stop = stop.get_token();
        const auto report = statistics(request, context);
        QVERIFY(!report);
        QCOMPARE(report.error().code, ErrorCode::Cancelled);
    }
};

PIPESCOPE_TEST(TestStatisticsJob)
#include "tst_statistics_job.moc"
