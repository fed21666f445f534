// exec/ on files other people made: whole, in stages, stepped, profiled, saved and reloaded.
#include "exec/model_state.h"
#include "exec/node_stepper.h"
#include "exec/profile.h"
#include "exec/save_stage.h"
#include "exec_models.h"
#include "import/load.h"
#include "partition/cut.h"
#include "support/real_model.h"
#include "support/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <torch/csrc/jit/runtime/graph_executor.h>
#include <torch/csrc/jit/serialization/import.h>

using namespace pipescope;
using namespace pipescope::exec;
using namespace pipescope::test;

namespace {

struct Case
{
    Module module;
    import::ImportedModel model;
    std::vector<Values> microbatches;
};

std::vector<int> legalCuts(const graph::ModelGraph &graph, int most)
{
    std::vector<int> legal;
    for (int cut = 1; cut < graph.size(); ++cut)
        if (partition::makePartition(graph, {cut}))
            legal.push_back(cut);
    std::vector<int> some;
    for (int i = 0; i < most; ++i)
        some.push_back(legal[legal.size() * static_cast<std::size_t>(i) / static_cast<std::size_t>(most)]);
    return some;
}

} // namespace

class TestRealModels : public QObject
{
    Q_OBJECT

private:
    static Case load(const char *file, std::vector<Values> microbatches,
                     const std::map<int, c10::IValue> &constants = {})
    {
        const Module module = must(import::loadModule(tests::realModel(file)));
        return Case{module, must(import::importMethod(module, "forward", {}, constants)), std::move(microbatches)};
    }

    static void check(Case &one)
    {
        const at::NoGradGuard plain;
        const torch::jit::GraphOptimizerEnabledGuard unoptimised(false);
        const ModelState state = ModelState::capture(one.model);
        std::vector<c10::IValue> expected;
        for (const Values &arguments : one.microbatches)
            expected.push_back(one.module.forward(arguments));
        const auto agrees = [&](const std::function<c10::IValue(const Values &, int)> &run) {
            state.restore();
            for (std::size_t i = 0; i < expected.size(); ++i)
                if (!same(run(one.microbatches[i], static_cast<int>(i)), expected[i]))
                    return false;
            return true;
        };
        const auto whole = must(StageProgram::buildWhole(one.model, heldBy(one.model)));
        QVERIFY(agrees([&](const Values &v, int i) {
            return must(whole.run(v, {MicrobatchId{i}, 0, {}, nullptr}))[0];
        }));
        const auto stepper = must(NodeStepper::build(one.model));
        QVERIFY(agrees([&](const Values &v, int i) {
            StepCall call;
            call.microbatch = MicrobatchId{i};
            return must(stepper.run(v, call))[0];
        }));
        for (const int cut : legalCuts(one.model.graph, 8)) {
            const auto partition = must(partition::makePartition(one.model.graph, {cut}));
            QVERIFY(agrees([&](const Values &v, int i) {
                return must(runStages(one.model, partition, v, {MicrobatchId{i}, 0, {}, nullptr}))[0];
            }));
        }
        checkSaved(one, expected, state);
        checkProfile(one);
        state.restore();
    }

    static void checkSaved(Case &one, const std::vector<c10::IValue> &expected, const ModelState &state)
    {
        for (const int cut : legalCuts(one.model.graph, 3)) {
            state.restore();
            QTemporaryDir folder;
            const auto saved = must(saveStages(one.model, must(partition::makePartition(one.model.graph, {cut})),
                                               folder.path().toStdString()));
            std::vector<Module> modules;
            for (const SavedStage &stage : saved)
                modules.push_back(torch::jit::load(folder.filePath(stage.file.c_str()).toStdString(), at::kCPU));
            for (std::size_t i = 0; i < expected.size(); ++i) {
                std::map<std::string, c10::IValue> values;
                for (std::size_t a = 0; a < one.microbatches[i].size(); ++a)
                    values[one.model.graph.arguments[a].name] = one.microbatches[i][a];
                for (std::size_t s = 0; s < saved.size(); ++s) {
                    Values inputs;
                    for (const std::string &name : saved[s].inputs)
                        inputs.push_back(values.at(name));
                    const c10::IValue out = modules[s].forward(inputs);
                    for (std::size_t k = 0; k < saved[s].outputs.size(); ++k)
                        values[saved[s].outputs[k]] = out.toTupleRef().elements()[k];
                }
                const std::string &last = one.model.graph.value(one.model.graph.outputs[0]).name;
                QVERIFY(same(values.at(last), expected[i]));
            }
        }
    }

    static void checkProfile(Case &one)
    {
        ProfileOptions options;
        options.repeats = 1;
        const Status status = profile(one.model, one.microbatches[0], options);
        QVERIFY2(status, status ? "" : status.error().message.c_str());
        double flops = 0;
        int unknown = 0;
        for (const NodeId id : one.model.graph.order) {
            flops += one.model.graph.node(id).flops.value_or(0);
            unknown += one.model.graph.node(id).flops ? 0 : 1;
        }
        qInfo("%d nodes, %.0f FLOPs, %d nodes without a rule", one.model.graph.size(), flops, unknown);
        QVERIFY(flops > 1e5);
    }

private Q_SLOTS:
    void initTestCase() { tests::needRealModels({"silero_vad.jit", "vit4mnist.ptl"}); }

    void sileroIsTheSameInEveryForm()
    {
        std::vector<Values> chunks;
        for (int i = 0; i < 3; ++i)
            chunks.push_back({wave({1, 512}, 0.01 + 0.003 * i), 16000});
        auto one = load("silero_vad.jit", std::move(chunks));
        check(one);
    }

    void sileroForOneRateIsTheSameInEveryForm()
    {
        for (const std::int64_t rate : {16000, 8000}) {
            std::vector<Values> chunks;
            for (int i = 0; i < 3; ++i)
                chunks.push_back({wave({1, rate == 16000 ? 512 : 256}, 0.01 + 0.003 * i), rate});
            auto one = load("silero_vad.jit", std::move(chunks), {{1, c10::IValue(rate)}});
            check(one);
        }
    }

    void vitIsTheSameInEveryForm()
    {
        std::vector<Values> images;
        for (int i = 0; i < 3; ++i)
            images.push_back({wave({2, 1, 28, 28}, 0.1 + 0.03 * i)});
        auto one = load("vit4mnist.ptl", std::move(images));
        check(one);
    }
};

PIPESCOPE_TEST(TestRealModels)
#include "tst_real_models.moc"
