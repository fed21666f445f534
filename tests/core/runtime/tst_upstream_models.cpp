// The models of torch.distributed.pipelining's own tests and the cases of its users, split, really run, and compared.
#include "base/file.h"
#include "exec/save_stage.h"
#include "import/import_method.h"
#include "partition/split_point.h"
#include "runtime/pipeline_run.h"
#include "schedule/forwards_of.h"
#include "schedule/schedule_table.h"
#include "support/test_program.h"
#include "support/torch/models.h"
#include "tensor/chunks.h"
#include "tensor/compare.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <torch/csrc/jit/serialization/import.h>

#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using Values = std::vector<c10::IValue>;

namespace {

struct Split
{
    import::ImportedModel model;
    partition::Partition partition;
};

std::unique_ptr<Split> splitAt(const torch::jit::Module &module, const std::vector<std::string> &words)
{
    auto model = import::importMethod(module);
    if (!model)
        qFatal("%s", model.error().message.c_str());
    const auto cuts = partition::resolveSplits(model->graph, words);
    if (!cuts)
        qFatal("%s", cuts.error().message.c_str());
    auto partition = partition::makePartition(model->graph, *cuts);
    if (!partition)
        qFatal("%s", partition.error().message.c_str());
    return std::unique_ptr<Split>(new Split{std::move(*model), std::move(*partition)});
}

// Outputs of the pipeline: one microbatch per set of arguments, one rank per stage.
std::vector<Values> runSplit(const Split &split, const std::vector<Values> &microbatches)
{
    const int stages = static_cast<int>(split.partition.stages.size());
    const auto schedule = schedule::buildSchedule("gpipe", {stages, stages, static_cast<int>(microbatches.size())});
    runtime::RunOptions options;
    for (int rank = 0; rank < stages; ++rank)
        options.devices.push_back("cpu:" + std::to_string(rank));
    const auto run =
        runtime::PipelineRun::create(split.model, split.partition, schedule::forwardsOf(*schedule), options);
    if (!run)
        qFatal("%s", run.error().message.c_str());
    auto result = (*run)->run(microbatches);
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return result->outputs;
}

at::Tensor rows(std::int64_t count, std::int64_t width = 16)
{
    return at::linspace(-1, 1, count * width).reshape({count, width});
}

// Every microbatch of the split model gives bit for bit what the module itself gives.
bool equalToModule(torch::jit::Module module, const Split &split, const std::vector<Values> &microbatches)
{
    const c10::InferenceMode inference(false);
    const at::NoGradGuard noGrad;
    const std::vector<Values> outputs = runSplit(split, microbatches);
    for (std::size_t i = 0; i < microbatches.size(); ++i)
        if (!tensor::compare(module.forward(microbatches[i]), outputs[i].at(0)).bitwise)
            return false;
    return true;
}

at::Tensor random(at::IntArrayRef sizes, std::uint64_t seed)
{
    return at::randn(sizes, at::detail::createCPUGenerator(seed));
}

c10::IValue wholeForward(torch::jit::Module module, const Values &arguments)
{
    const at::NoGradGuard noGrad;
    return module.forward(arguments);
}

c10::IValue merged(const std::vector<Values> &outputs)
{
    std::vector<c10::IValue> chunks;
    for (const Values &output : outputs)
        chunks.push_back(output.at(0));
    const auto result = tensor::mergeChunks(chunks);
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return *result;
}

std::vector<Values> chunked(const Values &arguments, int chunks)
{
    auto result = tensor::splitArgsKwargsIntoChunks(arguments, {}, chunks);
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return result->args;
}

// The stages saved, loaded and run as GPipe runs them, stage by stage; stages.json says what feeds what.
std::vector<Values> runSaved(const Split &split, const std::vector<Values> &microbatches)
{
    const at::NoGradGuard noGrad;
    const QTemporaryDir temporary;
    const std::filesystem::path folder = temporary.path().toStdString();
    if (const auto saved = exec::saveStages(split.model, split.partition, folder); !saved)
        qFatal("%s", saved.error().message.c_str());
    const auto index = nlohmann::json::parse(*readFile(folder / "stages.json", 1 << 20));
    std::vector<std::map<std::string, c10::IValue>> values(microbatches.size());
    for (std::size_t i = 0; i < microbatches.size(); ++i)
        for (std::size_t k = 0; k < microbatches[i].size(); ++k)
            values[i][index["arguments"][k]["name"]] = microbatches[i][k];
    for (const auto &stage : index["stages"]) {
        torch::jit::Module module = torch::jit::load((folder / stage["file"].get<std::string>()).string(), at::kCPU);
        for (auto &known : values) {
            Values inputs;
            for (const std::string name : stage["inputs"])
                inputs.push_back(known.at(name));
            const c10::IValue results = module.forward(inputs);
            for (std::size_t k = 0; k < stage["outputs"].size(); ++k)
                known[stage["outputs"][k]] = results.toTupleRef().elements().at(k);
        }
    }
    std::vector<Values> outputs;
    for (const auto &known : values)
        outputs.push_back({known.at(index["outputs"][0])});
    return outputs;
}

// A causal mask for sequences that are documents packed one after the other: row b has documents of b + 2 tokens.
at::Tensor packedDocuments(std::int64_t batch, std::int64_t length)
{
    const at::Tensor position = at::arange(length);
    std::vector<at::Tensor> masks;
    for (std::int64_t b = 0; b < batch; ++b) {
        const at::Tensor document = at::floor_divide(position, b + 2);
        const at::Tensor same = document.unsqueeze(1).eq(document.unsqueeze(0));
        masks.push_back(same.logical_and(position.unsqueeze(0).le(position.unsqueeze(1))).unsqueeze(0));
    }
    return at::stack(masks);
}

std::set<std::string> stateNames(const torch::jit::Module &module)
{
    std::set<std::string> names;
    for (const auto &parameter : module.named_parameters())
        names.insert(parameter.name);
    for (const auto &buffer : module.named_buffers())
        names.insert(buffer.name);
    return names;
}

} // namespace

class TestUpstreamModels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void acceptanceA1A2A3StagesOutputsAndNames_data()
    {
        QTest::addColumn<int>("which");
        QTest::addColumn<int>("stages");
        QTest::newRow("ExampleCode: multi-use parameter and skip") << 0 << 4;
        QTest::newRow("MultiMLP: root input used last") << 1 << 4;
        QTest::newRow("ModelWithParamAlias") << 2 << 2;
    }

    void acceptanceA1A2A3StagesOutputsAndNames()
    {
        QFETCH(int, which);
        QFETCH(int, stages);
        const auto module = which == 0   ? testing::exampleCode()
                            : which == 1 ? testing::multiMlp()
                                         : testing::modelWithParamAlias();
        const auto split = splitAt(module, {"markers"});
        QCOMPARE(static_cast<int>(split->partition.stages.size()), stages);
        QVERIFY(equalToModule(module, *split, {{rows(4), rows(4) * 2}, {rows(3), rows(3) + 1}}));
        const std::set<std::string> original = stateNames(module);
        std::set<std::string> all;
        for (const partition::Stage &stage : split->partition.stages)
            for (const std::string &name : stage.parameters) {
                QVERIFY2(original.count(name), name.c_str());
                all.insert(name);
            }
        QCOMPARE(all, original);
    }

    void transformerLikeAtLayers4CoversEachLayerOnce()
    {
        const auto module = testing::transformerLike();
        const auto split = splitAt(module, {"layers.4"});
        QCOMPARE(split->partition.stages.size(), std::size_t(2));
        std::vector<std::set<std::string>> layers;
        for (const partition::Stage &stage : split->partition.stages) {
            layers.emplace_back();
            for (const std::string &name : stage.parameters)
                layers.back().insert(name.substr(7, 1));
        }
        QCOMPARE(layers[0], (std::set<std::string>{"0", "1", "2", "3"}));
        QCOMPARE(layers[1], (std::set<std::string>{"4", "5", "6", "7"}));
        QVERIFY(equalToModule(module, *split, {{rows(4)}}));
    }

    void acceptanceA5GpipeOfEightChunksGivesTheWholeBatch_data()
    {
        QTest::addColumn<bool>("saved");
        QTest::newRow("the split model") << false;
        QTest::newRow("its stages saved and loaded") << true;
    }

    void acceptanceA5GpipeOfEightChunksGivesTheWholeBatch()
    {
        QFETCH(bool, saved);
        const auto module = testing::exampleCode(512);
        const Values whole{random({256, 512}, 1), random({256, 512}, 2)};
        const auto split = splitAt(module, {"markers"});
        const std::vector<Values> microbatches = chunked(whole, 8);
        QCOMPARE(microbatches.size(), std::size_t(8));
        const auto outputs = saved ? runSaved(*split, microbatches) : runSplit(*split, microbatches);
        QCOMPARE(outputs[7][0].toTensor().sizes(), at::IntArrayRef({32, 512}));
        const auto difference =
            tensor::compare(wholeForward(module, whole), merged(outputs), tensor::Tolerance{5e-2, 1e-3});
        QVERIFY2(difference.close, difference.worst.c_str());
    }

    void acceptanceA4A8ChunkSpecsDriveTheModel()
    {
        const auto module = testing::modelWithKwargs(512);
        const at::Tensor x = random({256, 512}, 1);
        const at::Tensor y = random({256, 512}, 2);
        const auto chunks = tensor::splitArgsKwargsIntoChunks(
            {x}, {{"y", y}}, 4, std::get<microbatch::ChunkSpec::Tuple>(microbatch::fromTuple({0}).node).items,
            std::get<microbatch::ChunkSpec::Dict>(microbatch::fromDict({{"y", 0}}).node).entries);
        QVERIFY(chunks);
        QCOMPARE(chunks->rows, (std::vector<std::int64_t>{64, 64, 64, 64}));
        std::vector<Values> microbatches;
        for (std::size_t i = 0; i < 4; ++i)
            microbatches.push_back({chunks->args[i][0], chunks->kwargs[i][0].second});
        const auto outputs = runSplit(*splitAt(module, {"markers"}), microbatches);
        const auto difference = tensor::compare(wholeForward(module, {x, y}), merged(outputs));
        QVERIFY2(difference.close, difference.worst.c_str());
        QVERIFY(!tensor::compare(wholeForward(module, {x, c10::IValue()}), merged(outputs)).close);
    }

    void acceptanceA7APackedMaskIsCutWithItsRows()
    {
        // Outputs only, and the mask as a tensor: upstream's BlockMask is a Python class.
        torch::jit::Module module("Attention");
        module.define("def forward(self, q, k, v, mask):\n"
                      "    h = torch.scaled_dot_product_attention(q, k, v, mask)\n    return h * 2\n");
        const at::Tensor v = random({6, 2, 16, 8}, 3);
        const Values whole{random({6, 2, 16, 8}, 1), random({6, 2, 16, 8}, 2), v, packedDocuments(6, 16)};
        const auto outputs = runSplit(*splitAt(module, {"aten::mul"}), chunked(whole, 6));
        QCOMPARE(outputs.size(), std::size_t(6));
        const c10::IValue joined = merged(outputs);
        const auto difference = tensor::compare(wholeForward(module, whole), joined);
        QVERIFY2(difference.close, difference.worst.c_str());
        // The first token of a document sees only itself, and in row b documents begin at every (b + 2)nd place.
        for (std::int64_t b = 0; b < 6; ++b)
            QVERIFY(tensor::compare(v[b].select(1, b + 2) * 2, joined.toTensor()[b].select(1, b + 2)).close);
    }

    void acceptanceA4AnOptionalArgumentMayBeGivenOrNot()
    {
        const auto module = testing::modelWithKwargs();
        const auto split = splitAt(module, {"markers"});
        QVERIFY(equalToModule(module, *split, {{rows(4), rows(4)}, {rows(2), c10::IValue()}}));
    }

    void unflattenWritesOnWhatCrossedAndIsRefused()
    {
        // Upstream lets this through and fails in the local run under grad mode (pipelining.md 1.2); ours says so at
        // once.
        const auto model = import::importMethod(testing::unflattenM());
        QVERIFY(model);
        const auto cuts = partition::resolveSplits(model->graph, {"markers"});
        QVERIFY(!cuts);
        QVERIFY(cuts.error().code == ErrorCode::IllegalCut);
        QVERIFY2(cuts.error().message.find("written in place") != std::string::npos, cuts.error().message.c_str());
    }

    void acceptanceA1UnflattenWithoutItsWritesHasFourStages()
    {
        const auto module = testing::unflattenWithoutWrites();
        const auto split = splitAt(module, {"markers"});
        QCOMPARE(split->partition.stages.size(), std::size_t(4));
        const at::Tensor constant = rows(1, 8)[0];
        QVERIFY(
            equalToModule(module, *split, {{random({2, 4, 8, 8}, 1), constant}, {random({1, 4, 8, 8}, 2), constant}}));
        const std::set<std::string> original = stateNames(module);
        std::set<std::string> all;
        for (const partition::Stage &stage : split->partition.stages)
            all.insert(stage.parameters.begin(), stage.parameters.end());
        QCOMPARE(all, original);
    }

    void c1AValueSkipsAStage()
    {
        const auto split = splitAt(testing::c1Skip(), {"markers"});
        std::vector<std::string> sent;
        for (const partition::Transfer &transfer : split->partition.transfers)
            if (transfer.from.valid())
                sent.push_back(std::to_string(transfer.from.value) + "->" + std::to_string(transfer.to.value) + " " +
                               split->model.graph.value(transfer.value).name);
        // h = 2x is aten::mul:0, y = h + 1 is aten::add:0.
        QCOMPARE(sent, (std::vector<std::string>{"0->1 aten::mul:0", "0->2 aten::mul:0", "1->2 aten::add:0"}));
        const auto outputs = runSplit(*split, {{at::ones({2, 2})}, {at::ones({2, 2})}});
        for (const Values &output : outputs)
            QVERIFY(output[0].toTensor().equal(at::full({2, 2}, 5.0)));
    }

    void c2ValuesWithoutGradientFanOutToAllLaterStages()
    {
        const auto module = testing::c2Rope();
        const auto split = splitAt(module, {"markers"});
        QCOMPARE(split->partition.stages.size(), std::size_t(4));
        QVERIFY(equalToModule(module, *split, {{rows(2), rows(2)}, {rows(2) * 3, rows(2)}}));
    }

    void c3TheEmbeddingIsCalledOnceInStageZero()
    {
        const auto module = testing::c3Embedding();
        const auto split = splitAt(module, {"layers.1"});
        QCOMPARE(split->partition.stages.size(), std::size_t(2));
        int inFirst = 0;
        int inSecond = 0;
        for (int position = 0; position < split->model.graph.size(); ++position)
            if (split->model.graph.at(position).op == "aten::embedding")
                ++(split->partition.stageOf[static_cast<std::size_t>(position)].value == 0 ? inFirst : inSecond);
        QCOMPARE(inFirst, 1);
        QCOMPARE(inSecond, 0);
        QVERIFY(equalToModule(module, *split, {{at::arange(12, at::kLong).reshape({2, 6})}}));
    }

    void c8EveryMicrobatchGetsItsRowsOfTheMask()
    {
        torch::jit::Module module("Masked");
        module.define("def forward(self, x, mask):\n    y = torch.neg(x)\n    return y * 0 + mask\n");
        const auto split = splitAt(module, {"aten::mul"});
        std::vector<Values> microbatches;
        for (int i = 0; i < 4; ++i)
            microbatches.push_back({at::ones({1, 2}), at::full({1, 1}, i)});
        const auto outputs = runSplit(*split, microbatches);
        for (int i = 0; i < 4; ++i)
            QVERIFY(outputs[static_cast<std::size_t>(i)][0].toTensor().equal(at::full({1, 2}, double(i))));
    }

    void c15StagesKeepTheLayersNames()
    {
        const auto split = splitAt(testing::c15FourLinears(), {"layers.2"});
        const std::vector<std::string> second = split->partition.stages[1].parameters;
        QCOMPARE(second,
                 (std::vector<std::string>{"layers.2.bias", "layers.2.weight", "layers.3.bias", "layers.3.weight"}));
        QVERIFY(partition::checkStageNames(split->model.graph, {split->partition.stages[0].parameters, second}));
        const auto renumbered = partition::checkStageNames(
            split->model.graph, {split->partition.stages[0].parameters,
                                 {"layers.0.bias", "layers.0.weight", "layers.3.bias", "layers.3.weight"}});
        QVERIFY(!renumbered);
    }

    void buffersListsDictsAndControlFlowCrossAndRun()
    {
        QVERIFY(equalToModule(testing::bufferModel(), *splitAt(testing::bufferModel(), {"markers"}), {{rows(3)}}));
        QVERIFY(equalToModule(testing::listDictModel(), *splitAt(testing::listDictModel(), {"markers"}),
                              {{rows(3)}, {rows(2)}}));
        QVERIFY(equalToModule(testing::controlFlow(), *splitAt(testing::controlFlow(), {"tail"}),
                              {{rows(3), 2}, {rows(3) - 4, 3}}));
        QVERIFY(equalToModule(testing::tracedModel(), *splitAt(testing::tracedModel(), {"markers"}), {{rows(4)}}));
        QVERIFY(
            equalToModule(testing::moduleListLoop(), *splitAt(testing::moduleListLoop(), {"layers.2"}), {{rows(5)}}));
    }

    void bakedInDevicesRunOnTheCpu()
    {
        const auto split = splitAt(testing::bakedInDevices(), {"prim::If", "aten::mul"});
        QCOMPARE(split->partition.stages.size(), std::size_t(3));
        const auto outputs = runSplit(*split, {{at::ones({2, 3})}, {at::full({2, 3}, -1.0)}});
        QVERIFY(outputs[0][0].toTensor().equal(at::full({2, 3}, 4.0)));
        QVERIFY(outputs[1][0].toTensor().equal(at::full({2, 3}, -2.0)));
    }

    void ourOwnMarkersCutAndTheProductIsTheSame()
    {
        const auto outputs = runSplit(*splitAt(testing::ownMarkers(), {"markers"}), {{at::ones({2})}});
        QVERIFY(outputs[0][0].toTensor().equal(at::full({2}, 9.0)));
    }

    void aFrozenModelIsCutAndItsStagesHaveNoParameters()
    {
        const auto module = testing::frozenModel();
        const auto split = splitAt(module, {"aten::relu"});
        QCOMPARE(split->partition.stages.size(), std::size_t(2));
        for (const partition::Stage &stage : split->partition.stages) {
            QVERIFY(stage.begin < stage.end);
            QVERIFY(stage.parameters.empty() && stage.held.empty());
        }
        QVERIFY(equalToModule(module, *split, {{rows(4)}, {rows(3)}}));
    }

    void stateReadBeforeTheCutAndWrittenAfterItIsNamed()
    {
        const auto model = import::importMethod(testing::statefulCounter());
        QVERIFY(model);
        const auto cuts = partition::resolveSplits(model->graph, {"aten::tanh"});
        QVERIFY(!cuts);
        QCOMPARE(cuts.error().code, ErrorCode::IllegalCut);
        QVERIFY2(cuts.error().message.find("hidden") != std::string::npos, cuts.error().message.c_str());
        QVERIFY(partition::resolveSplits(model->graph, {"second"}));
    }

    void aCutInsideAnIfIsRefusedWithThePlace()
    {
        const auto model = import::importMethod(testing::markerInsideIf());
        QVERIFY(model);
        const auto cuts = partition::resolveSplits(model->graph, {"markers"});
        QVERIFY(!cuts);
        QVERIFY2(cuts.error().message.find("prim::If") != std::string::npos, cuts.error().message.c_str());
    }
};

PIPESCOPE_TEST(TestUpstreamModels)
#include "tst_upstream_models.moc"
