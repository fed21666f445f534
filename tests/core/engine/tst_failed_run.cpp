#include "engine/inspect_job.h"
#include "engine/run_job.h"

#include "core/engine/small_models.h"
#include "support/contains.h"
#include "support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using namespace pipescope::tests;

namespace {

/// x [rows, 4] through a layer `fc` with a weight of [8, 4].
torch::jit::Module linear()
{
    torch::jit::Module fc = emptyModule("Linear");
    fc.register_parameter("weight", at::ones({8, 4}), false);
    fc.define("def forward(self, x: Tensor) -> Tensor:\n    return torch.linear(x, self.weight)\n");
    torch::jit::Module module = emptyModule("Model");
    module.register_module("fc", fc);
    module.define("def forward(self, x: Tensor) -> Tensor:\n    return self.fc.forward(torch.contiguous(x))\n");
    return module;
}

torch::jit::Module embedding()
{
    torch::jit::Module module = emptyModule("Model");
    module.register_parameter("table", at::ones({10, 4}), false);
    module.define("def forward(self, ids: Tensor) -> Tensor:\n"
                  "    return torch.relu(torch.embedding(self.table, ids))\n");
    return module;
}

torch::jit::Module model(const char *code)
{
    torch::jit::Module module = emptyModule("Model");
    module.define(code);
    return module;
}

} // namespace

class TestFailedRun : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    report::RunRequest request(const torch::jit::Module &module, const std::vector<const char *> &inputs,
                               int microbatches) const
    {
        report::RunRequest made;
        made.plan.model = save(module, m_folder.filePath("model.pt").toStdString());
        for (const char *input : inputs)
            made.plan.inputs.push_back(*plan::parseInputSpec(input));
        made.plan.microbatches = microbatches;
        return made;
    }

    static Error errorOf(const report::RunRequest &request)
    {
        const auto report = engine::run(request, {});
        return report ? Error{ErrorCode::Internal, "no error", {}, {}} : report.error();
    }

private Q_SLOTS:
    void initTestCase() { QVERIFY(m_folder.isValid()); }

    void aWrongShapeIsTheWholeBatchsFault()
    {
        const Error error = errorOf(request(linear(), {"x=float32[6,5]"}, 2));
        QCOMPARE(error.code, ErrorCode::ModelFailed);
        QVERIFY2(error.message.starts_with("unsplit model, the whole batch, fc/aten::linear"), error.message.c_str());
        QVERIFY2(error.message.ends_with(" (the result of aten::contiguous is float32[6, 5], the weight of fc is "
                                         "float32[8, 4]); give it as x=float32[6,4]"),
                 error.message.c_str());
    }

    void aWrongDtypeIsToldBesideTheWeights()
    {
        const Error error = errorOf(request(linear(), {"x=int64[6,4]"}, 1));
        QVERIFY2(error.message.ends_with(" (x is int64, the weight of fc is float32); give it as x=float32[6,4]"),
                 error.message.c_str());
    }

    void indicesAreIntegersBelowTheRowsOfTheirTable()
    {
        const Error floats = errorOf(request(embedding(), {"ids=float32[6,4]"}, 1));
        QVERIFY2(
            floats.message.ends_with(" (ids is float32, and the rows of the model's table are chosen by integers); "
                                     "give it as ids=int64[6,4]<10"),
            floats.message.c_str());
        const Error large = errorOf(request(embedding(), {"ids=int64[6,4]>=10<20"}, 1));
        QVERIFY2(large.message.find("index out of range") != std::string::npos, large.message.c_str());
        QVERIFY2(large.message.ends_with("; give it as ids=int64[6,4]<10"), large.message.c_str());
    }

    void anInspectionThatFailsSaysTheSame()
    {
        report::InspectRequest look;
        look.model = save(linear(), m_folder.filePath("model.pt").toStdString());
        look.inputs = {*plan::parseInputSpec("x=int64[6,4]")};
        const auto inspection = engine::inspect(look, {});
        QVERIFY(!inspection);
        QVERIFY2(inspection.error().message.ends_with(
                     " (x is int64, the weight of fc is float32); give it as x=float32[6,4]"),
                 inspection.error().message.c_str());
    }

    void anInputThatIsNotMadeOfTheBatchsRowsIsFound()
    {
        const auto module = model("def forward(self, x: Tensor, cu: Tensor) -> Tensor:\n"
                                  "    return torch.relu(x * cu.view([5]).sum())\n");
        const Error error = errorOf(request(module, {"x=float32[10,4]", "cu=float32[5]"}, 2));
        QCOMPARE(error.code, ErrorCode::ModelFailed);
        QVERIFY2(error.message.starts_with("microbatch 0, aten::view"), error.message.c_str());
        QVERIFY2(
            error.message.ends_with("; the whole batch works (x float32[10, 4], cu float32[5]), microbatch 0 alone "
                                    "does not (x float32[5, 4], cu float32[3]); it works cut another way: --chunk "
                                    "cu=replicate"),
            error.message.c_str());
    }

    void theDimensionThatIsAsLongAsTheBatchIsFound()
    {
        const auto module = model("def forward(self, x: Tensor, h: Tensor) -> Tensor:\n"
                                  "    return torch.relu(x + h[0] * h[1])\n");
        const Error error = errorOf(request(module, {"x=float32[10,4]", "h=float32[2,10,4]"}, 2));
        QVERIFY2(error.message.ends_with("; it works cut another way: --chunk h=1"), error.message.c_str());
    }

    void aBatchThatIsAListIsFound()
    {
        const Error error =
            errorOf(request(model("def forward(self, images: List[Tensor]) -> Tensor:\n"
                                  "    return torch.stack([i.sum([1, 2]) * torch.ones([3]) for i in images])\n"),
                            {"images=[float32[3,5,4], float32[3,2,2]]"}, 2));
        QVERIFY2(error.message.ends_with("; it works cut another way: --chunk images=list"), error.message.c_str());
    }

    void aListOfDictsIsProposedToBeCutBetweenThem()
    {
        const auto module = model("def forward(self, xs: List[Dict[str, Tensor]]) -> List[Tensor]:\n"
                                  "    ys: List[Tensor] = []\n    for d in xs:\n"
                                  "        ys.append(d['a'].sum() * d['b'].view([3]))\n    return ys\n");
        const char *const items =
            "xs=[{a: float32[5], b: float32[3]}, {a: float32[7], b: float32[3]}, {a: float32[4], b: float32[3]}]";
        const Error error = errorOf(request(module, {items}, 3));
        QVERIFY2(
            error.message.ends_with("; the whole batch works (xs of 3 items), microbatch 0 alone does not (xs of 3 "
                                    "items); it works cut another way: --chunk xs=list"),
            error.message.c_str());
    }

    void aListOfAsManyAsAnOutputIsProposedWhereItsTensorsAreCut()
    {
        report::RunRequest made = request(model("def forward(self, images: List[Tensor]) -> List[Tensor]:\n"
                                                "    return [i - i.mean() for i in images]\n"),
                                          {"images=[float32[4,5], float32[4,5]]"}, 2);
        const auto cut = engine::run(made, {});
        QVERIFY(cut && cut->separability && !cut->separability->holds);
        QVERIFY2(cut->separability->explanation.find("--chunk images=list") != std::string::npos,
                 cut->separability->explanation.c_str());
        made.plan.inputChunks = {{"images", *microbatch::parseChunkSpec("list")}};
        const auto listed = engine::run(made, {});
        QVERIFY(listed && listed->separability && listed->separability->holds);
        QCOMPARE(listed->microbatches, (std::vector<std::int64_t>{1, 1}));
    }

    void aSpecThatWasGivenMayBeTheOneToChange()
    {
        const auto module = model("def forward(self, x: Tensor, h: Tensor) -> Tensor:\n"
                                  "    return torch.relu(x + h[0] * h[1])\n");
        report::RunRequest made = request(module, {"x=float32[10,4]", "h=float32[2,10,4]"}, 2);
        made.plan.inputChunks = {{"h", microbatch::ChunkSpec{microbatch::Replicate{}}}};
        const Error error = errorOf(made);
        QVERIFY2(error.message.ends_with("; it works cut another way: --chunk h=1"), error.message.c_str());
    }

    /// All inputs are as long as the batch, and one of them is a weight.
    void anInputThatIsAsLongAsTheBatchByChanceIsFound()
    {
        const auto module = model("def forward(self, x: Tensor, cell: Tensor) -> Tensor:\n"
                                  "    return torch.tanh(torch.mm(x, cell))\n");
        const Error error = errorOf(request(module, {"x=float32[3,3]", "cell=float32[3,3]"}, 3));
        QVERIFY2(error.message.ends_with("; it works cut another way: --chunk cell=replicate"), error.message.c_str());
    }

    void whatWorksAsAWholeOnlyIsToldWithTheSizes()
    {
        const auto module = model("def forward(self, x: Tensor) -> Tensor:\n"
                                  "    return torch.relu(x.view([8, 4]))\n");
        const Error error = errorOf(request(module, {"x=float32[8,4]"}, 2));
        QVERIFY2(error.message.find("; the whole batch works (x float32[8, 4]), microbatch 0 alone does not (x "
                                    "float32[4, 4]); run it as one microbatch") != std::string::npos,
                 error.message.c_str());
    }

    /// The costs are measured on the first microbatch, without stages.
    void balancingSaysThatAMicrobatchFailed()
    {
        const auto module = model("def forward(self, m: Tensor, v: Tensor) -> Tensor:\n"
                                  "    return torch.relu(torch.mv(m, v))\n");
        report::RunRequest made = request(module, {"m=float32[10,20]", "v=float32[20]"}, 2);
        made.balanceInto = 2;
        const Error error = errorOf(made);
        QVERIFY2(error.message.starts_with("microbatch 0, aten::mv"), error.message.c_str());
        QVERIFY2(error.message.ends_with("; it works cut another way: --chunk v=replicate"), error.message.c_str());
    }

    void aModelThatDifferentiatesWantsAutograd()
    {
        const auto module = model("def forward(self, x: Tensor) -> Tensor:\n"
                                  "    x = x.detach()\n"
                                  "    y = x.requires_grad_(True).sin().sum()\n"
                                  "    g = torch.autograd.grad([y], [x])[0]\n"
                                  "    assert g is not None\n"
                                  "    return g\n");
        report::RunRequest made = request(module, {"x=float32[6,4]"}, 1);
        const Error error = errorOf(made);
        QVERIFY2(error.message.ends_with("; the model differentiates inside, so autograd has to be recorded while it "
                                         "runs"),
                 error.message.c_str());
        made.plan.grad = true;
        const auto report = engine::run(made, {});
        QVERIFY2(report, report ? "" : report.error().message.c_str());
    }

    void aModelThatRaisesIsLeftItsWords()
    {
        const auto module = model("def forward(self, x: Tensor) -> Tensor:\n"
                                  "    assert x.size(0) > 100, 'more rows, please'\n"
                                  "    return torch.relu(x)\n");
        const Error error = errorOf(request(module, {"x=float32[6,4]"}, 2));
        QVERIFY2(error.message.starts_with("unsplit model, the whole batch, "), error.message.c_str());
        QVERIFY2(error.message.find("more rows, please") != std::string::npos, error.message.c_str());
    }
};

PIPESCOPE_TEST(TestFailedRun)
#include "tst_failed_run.moc"
