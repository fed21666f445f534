#include "engine/split_job.h"

#include "base/file.h"
#include "core/engine/small_models.h"
#include "engine/inspect_job.h"
#include "plan/plan_file.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <map>
#include <torch/csrc/jit/serialization/import.h>

using namespace pipescope;
using namespace pipescope::tests;

class TestSplitJob : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void everyStageAndThePlanAreWritten()
    {
        report::RunRequest request;
        request.plan.model = save(chain(3, 8), path("chain.pt"));
        request.plan.splits = {"block1", "block2"};
        const auto report = engine::split(request, path("parts"), {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(report->files.size(), std::size_t(3));
        QCOMPARE(report->files[1].parameters, (std::vector<std::string>{"block1.weight"}));
        QCOMPARE(report->stages.size(), std::size_t(3));
        QVERIFY(!report->stages[0].rank.valid());
        for (const report::StageFile &file : report->files)
            QCOMPARE(file.sha256, *fileSha256(path("parts") + "/" + file.file));
        const auto plan = plan::loadPlan(path("parts") + "/" + report->planFile);
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        QCOMPARE(plan->splits, request.plan.splits);
        QCOMPARE(plan->modelSha256, report->plan.modelSha256);
    }

    void aModelOnTheMetaDeviceIsSplit()
    {
        report::RunRequest request;
        request.plan.model = save(chainOnMeta(), path("meta.pt"));
        request.plan.splits = {"block1"};
        const auto report = engine::split(request, path("meta"), {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(report->files.size(), std::size_t(2));
        report::InspectRequest look;
        look.model = path("meta") + "/" + report->files[1].file;
        const auto stage = engine::inspect(look, {});
        QVERIFY2(stage, stage ? "" : stage.error().message.c_str());
        QCOMPARE(stage->graph.modules[0].parameterBytes, std::int64_t(8 * 8 * 4));
    }

    void aStageWithALoopThatOnlyWritesWhatNobodyReadsCanBeLoaded()
    {
        torch::jit::Module module = emptyModule("Loop");
        module.define("def forward(self, x: Tensor) -> Tensor:\n    unused = torch.mul(x, 3.0)\n"
                      "    for i in range(2):\n        torch.sin_(unused)\n    return torch.neg(x)\n");
        report::RunRequest request;
        request.plan.model = save(module, path("loop.pt"));
        request.plan.splits = {"aten::neg"};
        const auto report = engine::split(request, path("loop"), {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        report::InspectRequest look;
        look.model = path("loop") + "/" + report->files[0].file;
        const auto stage = engine::inspect(look, {});
        QVERIFY2(stage, stage ? "" : stage.error().message.c_str());
        QVERIFY(stage->warnings.empty()); // of one that is shown without being loaded there is one
    }

    void stagesLeftByAnEarlierSplitAreToldOf()
    {
        report::RunRequest request;
        request.plan.model = save(chain(3, 8), path("chain.pt"));
        request.plan.splits = {"block1", "block2"};
        const auto first = engine::split(request, path("again"), {});
        QVERIFY2(first, first ? "" : first.error().message.c_str());
        QVERIFY(first->warnings.empty());
        std::filesystem::copy_file(path("chain.pt"), path("again") + "/stage.pt");
        std::filesystem::copy_file(path("chain.pt"), path("again") + "/stage2a.pt");
        request.plan.splits = {"block1"};
        const auto second = engine::split(request, path("again"), {});
        QVERIFY2(second, second ? "" : second.error().message.c_str());
        QCOMPARE(second->warnings, (std::vector<std::string>{"'" + path("again") +
                                                             "' also has stage2.pt, which this split did not write"}));
    }

    void balancingWithoutInputsSaysWhatItWentBy()
    {
        report::RunRequest request;
        request.plan.model = save(chain(4, 8), path("chain.pt"));
        request.balanceInto = 2;
        const auto report = engine::split(request, path("halves"), {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(report->files.size(), std::size_t(2));
        QCOMPARE(report->warnings.size(), std::size_t(1));
        QVERIFY(report->warnings[0].find("by the bytes of their parameters and constants") != std::string::npos);
    }

    void theSavedStagesOfAnotherMethodChainToIt()
    {
        torch::jit::Module model = testing::twoMethods();
        report::RunRequest request;
        request.plan.model = save(model, path("two.pt"));
        request.plan.method = "encode";
        request.plan.splits = {"markers"};
        const auto report = engine::split(request, path("encode"), {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(report->files.size(), std::size_t(2));
        const at::Tensor x = at::arange(64, at::kFloat).reshape({4, 16}) / 64;
        std::map<std::string, c10::IValue> values{{"x", x}, {"scale", 3.0}};
        for (const report::StageFile &file : report->files) {
            torch::jit::Module stage = torch::jit::load(path("encode") + "/" + file.file);
            std::vector<c10::IValue> inputs;
            for (const std::string &name : file.inputs)
                inputs.push_back(values.at(name));
            const c10::IValue outputs = stage.forward(inputs);
            for (std::size_t i = 0; i < file.outputs.size(); ++i)
                values[file.outputs[i]] = outputs.toTupleRef().elements().at(i);
        }
        const at::Tensor result = values.at(report->files.back().outputs.at(0)).toTensor();
        QVERIFY(at::equal(result, model.get_method("encode")({x, 3.0}).toTensor()));
        // This method does not use the second layer.
        QCOMPARE(report->files[0].parameters, (std::vector<std::string>{"first.bias", "first.weight"}));
        QVERIFY(report->files[1].parameters.empty());
        QCOMPARE(report->unused, (partition::UnusedTensors{{"second.bias", "second.weight"}, 2, 16 * 17 * 4}));
    }

    void whatNoStageUsesIsKeptWhereThatIsWanted()
    {
        torch::jit::Module model = testing::twoMethods();
        report::RunRequest request;
        request.plan.model = save(model, path("kept.pt"));
        request.plan.method = "encode";
        request.plan.splits = {"markers"};
        const auto report = engine::split(request, path("kept"), {}, report::Unused::Kept);
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        QCOMPARE(report->files[0].parameters,
                 (std::vector<std::string>{"first.bias", "first.weight", "second.bias", "second.weight"}));
        QCOMPARE(report->stages[0].parameterBytes, std::int64_t(2 * 16 * 17 * 4));
        torch::jit::Module stage = torch::jit::load(path("kept") + "/stage0.pt");
        QVERIFY(at::equal(stage.attr("second").toModule().attr("weight").toTensor(),
                          model.attr("second").toModule().attr("weight").toTensor()));
        QCOMPARE(report->unused.names, (std::vector<std::string>{"second.bias", "second.weight"}));
    }

    void constantsOfTheCodeAreCountedAndBalanced()
    {
        const torch::jit::Module model = testing::frozenModel();
        report::RunRequest request;
        request.plan.model = save(model, path("frozen.pt"));
        request.balanceInto = 2;
        const auto report = engine::split(request, path("frozen"), {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
        // Two linears of 16 and a bias each; the first of each.
        QCOMPARE(report->stages[0].constantBytes, std::int64_t(16 * 17 * 4));
        QCOMPARE(report->stages[1].constantBytes, std::int64_t(16 * 17 * 4));
        QCOMPARE(report->stages[0].parameterBytes, std::int64_t(0));
    }

    void aFolderThatCannotBeMadeIsAnError()
    {
        report::RunRequest request;
        request.plan.model = save(chain(2, 8), path("chain.pt"));
        request.plan.splits = {"block1"};
        const std::string folder = request.plan.model + "/inside"; // below a file, where root cannot make it either
        const auto report = engine::split(request, folder, {});
        QVERIFY(!report);
        QVERIFY(report.error().code == ErrorCode::WriteFailed);
        QVERIFY2(report.error().message.starts_with("cannot write '" + folder + "': "), report.error().message.c_str());
        QCOMPARE(report.error().where, folder);
    }
};

PIPESCOPE_TEST(TestSplitJob)
#include "tst_split_job.moc"
