#include "exec/stage_program.h"

#include "exec_models.h"

#include "support/test_program.h"

#include <QTest>
#include <atomic>
#include <map>
#include <thread>
#include <torch/csrc/jit/frontend/resolver.h>
#include <torch/csrc/jit/frontend/sugared_value.h>

using namespace pipescope;
using namespace pipescope::exec;
using namespace pipescope::test;

namespace {

struct Visits final : NodeObserver
{
    explicit Visits(const graph::ModelGraph &g)
        : graph(g)
    {
    }
    void nodeBegins(NodeId node) override { names.push_back(graph.node(node).op); }

    const graph::ModelGraph &graph;
    std::vector<std::string> names;
};

StageCall callFor(int microbatch, std::uint64_t seed = 0)
{
    return {MicrobatchId{microbatch}, seed, {}, nullptr};
}

Module dropouts()
{
    return layers("Dropouts", 3, 8, R"(
def forward(self, x: Tensor) -> Tensor:
    x = torch.dropout(self.fc0.forward(x), 0.5, True)
    x = torch.dropout(self.fc1.forward(x), 0.5, True)
    for i in range(3):
        x = torch.dropout(x, 0.1, True) + 1.
    x = torch.dropout(self.fc2.forward(x), 0.5, True)
    return x
)");
}

} // namespace

class TestStageProgram : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theWholeProgramGivesWhatTheModuleGives()
    {
        const Module module = chain();
        const auto model = imported(module);
        const auto program = must(StageProgram::buildWhole(model, heldBy(model)));
        QCOMPARE(program.inputs().size(), std::size_t(1));
        QVERIFY(!program.stage().valid());
        const at::Tensor x = wave({3, 4});
        const Values out = must(program.run({x}, callFor(0)));
        QCOMPARE(out.size(), std::size_t(1));
        QVERIFY(same(out[0], Module(module).forward({x})));
    }

    void stagesInTurnGiveTheSameForEveryCut()
    {
        const auto model = imported(chain());
        const at::Tensor x = wave({3, 4});
        const Values expected = must(must(StageProgram::buildWhole(model, heldBy(model))).run({x}, callFor(0)));
        for (int cut = 1; cut < model.graph.size(); ++cut) {
            const auto partition = must(partition::makePartition(model.graph, {cut}));
            QVERIFY(same(must(runStages(model, partition, {x}, callFor(0)))[0], expected[0]));
        }
    }

    void aStageTakesNoMoreThanItUses()
    {
        const auto model = imported(chain());
        const int cut = positionNamed(model.graph, "fc3/aten::linear");
        const auto partition = must(partition::makePartition(model.graph, {cut}));
        const auto program = must(StageProgram::build(model, partition.stages[1], heldBy(model)));
        QCOMPARE(program.stage(), StageId{1});
        QCOMPARE(program.inputs().size(), std::size_t(2)); // c and the skip a
        QCOMPARE(program.outputs(), model.graph.outputs);
    }

    void controlFlowRunsWithItsCapturesAndConstants()
    {
        Module module = layers("Flow", 2, 4, R"(
def forward(self, x: Tensor, n: int) -> Tensor:
    for i in range(n):
        if bool(x.sum() > 0.):
            x = self.fc0.forward(x) - 0.25
        else:
            x = self.fc1.forward(x) + float(i)
    return x * 2.
)");
        const auto model = imported(module);
        const auto program = must(StageProgram::buildWhole(model, heldBy(model)));
        for (const int n : {0, 1, 5}) {
            const at::Tensor x = wave({2, 4});
            QVERIFY(same(must(program.run({x, n}, callFor(0)))[0], module.forward({x, n})));
        }
    }

    void theObserverSeesNodesInsideALoopEachTime()
    {
        const auto model = imported(layers("Loop", 1, 4, R"(
def forward(self, x: Tensor, n: int) -> Tensor:
    for i in range(n):
        x = torch.relu(x)
    return torch.neg(x)
)"));
        Visits visits(model.graph);
        StageCall call = callFor(0);
        call.observer = &visits;
        must(must(StageProgram::buildWhole(model, heldBy(model))).run({wave({2}), 3}, call));
        QCOMPARE(visits.names,
                 (std::vector<std::string>{"prim::Loop", "aten::relu", "aten::relu", "aten::relu", "aten::neg"}));
    }

    void aFailureNamesStageMicrobatchNodeAndLine()
    {
        const auto model = imported(chain());
        const int cut = positionNamed(model.graph, "fc2/aten::linear");
        const auto partition = must(partition::makePartition(model.graph, {cut}));
        const auto program = must(StageProgram::build(model, partition.stages[1], heldBy(model)));
        Values inputs;
        for (std::size_t i = 0; i < program.inputs().size(); ++i)
            inputs.push_back(wave({3, 5})); // 5 columns where the weight has 4
        const auto out = program.run(inputs, callFor(3));
        QVERIFY(!out);
        const Error &error = out.error();
        QCOMPARE(error.code, ErrorCode::ModelFailed);
        QCOMPARE(error.where, std::string("fc2/aten::linear"));
        QVERIFY2(error.message.starts_with("stage 1, microbatch 3, fc2/aten::linear (<string>:2): "),
                 error.message.c_str());
        QVERIFY2(error.message.find("mat1 and mat2 shapes cannot be multiplied") != std::string::npos,
                 error.message.c_str());
        QVERIFY(error.details.find("torch.linear(x, self.weight, self.bias)") != std::string::npos);
    }

    void aFailureInsideALoopNamesTheInnerNode()
    {
        const auto model = imported(layers("Deep", 1, 4, R"(
def forward(self, x: Tensor, n: int) -> Tensor:
    for i in range(n):
        if i == 2:
            x = x.view(7)
    return x
)"));
        const auto program = must(StageProgram::buildWhole(model, heldBy(model)));
        QVERIFY(program.run({wave({4}), 2}, callFor(0)));
        const auto out = program.run({wave({4}), 3}, callFor(0));
        QVERIFY(!out);
        QCOMPARE(out.error().where, std::string("aten::view"));
        const std::string &message = out.error().message;
        QVERIFY2(message.starts_with("microbatch 0, aten::view (<string>:5): "), message.c_str());
        QVERIFY2(message.find("shape '[7]' is invalid") != std::string::npos, message.c_str());
    }

    void whatTheModelRaisesIsTheMessage()
    {
        const auto model = imported(layers("Raises", 1, 4, R"(
def forward(self, x: Tensor) -> Tensor:
    assert x.size(0) <= 2, "three rows are too many"
    return x
)"));
        const auto out =
            must(StageProgram::buildWhole(model, heldBy(model))).run({wave({3})}, {MicrobatchId{}, 0, {}, nullptr});
        QVERIFY(!out);
        QVERIFY2(out.error().message.starts_with("unsplit model, the whole batch, prim::RaiseException"),
                 out.error().message.c_str());
        QVERIFY2(out.error().message.ends_with("three rows are too many"), out.error().message.c_str());
    }

    void runningOutOfMemorySaysHowMuchWasAskedFor()
    {
        const auto model = imported(layers("Huge", 1, 4, R"(
def forward(self, x: Tensor, n: int) -> Tensor:
    return torch.zeros([n]) + x
)"));
        const auto out =
            must(StageProgram::buildWhole(model, heldBy(model))).run({wave({1}), std::int64_t(1) << 56}, callFor(1));
        QVERIFY(!out);
        QCOMPARE(out.error().code, ErrorCode::OutOfResources);
        QVERIFY2(out.error().message.find("aten::zeros") != std::string::npos, out.error().message.c_str());
        QVERIFY2(out.error().message.find("out of memory") != std::string::npos, out.error().message.c_str());
    }

    void aStopEndsAnEndlessLoop()
    {
        const auto model = imported(layers("Endless", 1, 4, R"(
def forward(self, x: Tensor) -> Tensor:
    while bool(x.sum() < 1.0e30):
        x = torch.relu(x)
    return x
)"));
        const auto program = must(StageProgram::buildWhole(model, heldBy(model)));
        std::stop_source source;
        struct StopAfter final : NodeObserver
        {
            explicit StopAfter(std::stop_source &s)
                : source(s)
            {
            }
            void nodeBegins(NodeId) override
            {
                if (++seen == 1000)
                    source.request_stop();
            }
            std::stop_source &source;
            int seen = 0;
        } observer(source);
        const auto out = program.run({wave({4})}, {MicrobatchId{2}, 0, source.get_token(), &observer});
        QVERIFY(!out);
        QCOMPARE(out.error().code, ErrorCode::Cancelled);
        QCOMPARE(observer.seen, 1000);
        QVERIFY(out.error().message.ends_with(": cancelled"));
    }

    void aStopBeforeTheRunStopsAtTheFirstNode()
    {
        const auto model = imported(chain());
        std::stop_source source;
        source.request_stop();
        const auto out = must(StageProgram::buildWhole(model, heldBy(model)))
                             .run({wave({1, 4})}, {MicrobatchId{0}, 0, source.get_token(), nullptr});
        QVERIFY(!out);
        QCOMPARE(out.error().where, std::string("fc0/aten::linear"));
    }

    void randomNumbersDoNotDependOnStagesOrOrder()
    {
        const auto model = imported(dropouts());
        const at::Tensor x = at::ones({4, 8});
        const auto whole = must(StageProgram::buildWhole(model, heldBy(model)));
        std::map<int, c10::IValue> expected;
        for (const int microbatch : {0, 1, 2, 3})
            expected[microbatch] = must(whole.run({x}, callFor(microbatch, 11)))[0];
        QVERIFY(!same(expected[0], expected[1]));
        QVERIFY(!same(must(whole.run({x}, callFor(0, 12)))[0], expected[0]));
        const int size = model.graph.size();
        for (const std::vector<int> &cuts : {std::vector<int>{}, {size / 2}, {1, size / 2, size - 1}}) {
            const auto partition = must(partition::makePartition(model.graph, cuts));
            for (const int microbatch : {3, 0, 2, 1})
                QVERIFY(same(must(runStages(model, partition, {x}, callFor(microbatch, 11)))[0], expected[microbatch]));
        }
    }

    void randomNumbersDoNotDependOnWhatRunsBeside()
    {
        const auto model = imported(dropouts());
        const at::Tensor x = at::ones({4, 8});
        const auto program = must(StageProgram::buildWhole(model, heldBy(model)));
        std::vector<c10::IValue> expected;
        for (int i = 0; i < 4; ++i)
            expected.push_back(must(program.run({x}, callFor(i)))[0]);
        std::atomic<int> wrong{0};
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&, t] {
                const at::NoGradGuard plain;
                for (int i = 0; i < 25; ++i)
                    wrong += same(must(program.run({x}, callFor(t)))[0], expected[static_cast<std::size_t>(t)]) ? 0 : 1;
            });
        threads.clear();
        QCOMPARE(wrong.load(), 0);
    }

    void theProcessGeneratorIsAsBeforeAlsoAfterAFailure()
    {
        const auto model = imported(layers("FailsRandomly", 1, 4, R"(
def forward(self, x: Tensor, n: int) -> Tensor:
    for i in range(n):
        x = torch.dropout(x, 0.5, True).view(n)
    return x
)"));
        const auto program = must(StageProgram::buildWhole(model, heldBy(model)));
        at::manual_seed(3);
        const at::Tensor expected = at::rand({3});
        at::manual_seed(3);
        QVERIFY(!program.run({wave({4}), 3}, callFor(0)));
        QVERIFY(program.run({wave({4}), 4}, callFor(0)));
        QVERIFY(at::rand({3}).equal(expected));
    }

    void valuesAreFreedAtTheirLastUse()
    {
        const auto model = imported(chain());
        const auto program = must(StageProgram::buildWhole(model, heldBy(model)));
        struct Watch final : NodeObserver
        {
            void nodeBegins(NodeId) override { alive.push_back(!input.expired()); }
            c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl> input{
                c10::intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>()};
            std::vector<bool> alive;
        } watch;
        Values inputs{wave({2, 4})};
        watch.input = decltype(watch.input)(inputs[0].toTensor().getIntrusivePtr());
        const at::NoGradGuard plain;
        must(program.run(std::move(inputs), {MicrobatchId{0}, 0, {}, &watch}));
        QVERIFY(watch.alive[0]);
        QVERIFY(!watch.alive[1]); // x is used by the first linear only
    }

    void outputsMayBeArgumentsAndConstants()
    {
        Module module = layers("Passes", 1, 4, R"(
def forward(self, x: Tensor) -> Tuple[Tensor, int, Tensor]:
    return (x, 3, torch.neg(x))
)");
        const auto model = imported(module);
        const at::Tensor x = wave({2});
        const Values out = must(must(StageProgram::buildWhole(model, heldBy(model))).run({x}, callFor(0)));
        QVERIFY(out[0].isTuple());
        QVERIFY(out[0].toTupleRef().elements()[0].toTensor().is_same(x));
        QCOMPARE(out[0].toTupleRef().elements()[1].toInt(), 3);
    }

    void gradModeIsTheCallers()
    {
        const auto model = imported(chain());
        const auto program = must(StageProgram::buildWhole(model, heldBy(model)));
        QVERIFY(must(program.run({wave({1, 4})}, callFor(0)))[0].toTensor().requires_grad());
        const at::NoGradGuard plain;
        QVERIFY(!must(program.run({wave({1, 4})}, callFor(0)))[0].toTensor().requires_grad());
    }

    void forkedTasksRunInline()
    {
        Module module = makeModule("Forks");
        module.define("def twice(self, x: Tensor) -> Tensor:\n    return x * 2.\n");
        module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    task = fork(self.twice, x)
    y = torch.relu(x)
    return y + torch.wait(task)
)",
                      std::make_shared<ForkResolver>());
        const auto model = imported(module);
        const at::Tensor x = wave({4});
        QVERIFY(same(must(must(StageProgram::buildWhole(model, heldBy(model))).run({x}, callFor(0)))[0],
                     at::relu(x) + x * 2.0));
    }

    void stateIsCarriedFromCallToCall()
    {
        Module module = makeModule("Counts");
        module.register_attribute("total", c10::TensorType::get(), at::zeros({2}));
        module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    self.total = self.total + x
    return self.total * 2.
)");
        const auto model = imported(module);
        const auto program = must(StageProgram::buildWhole(model, heldBy(model)));
        const at::Tensor ones = at::ones({2});
        QVERIFY(same(must(program.run({ones}, callFor(0)))[0], at::full({2}, 2.0)));
        QVERIFY(same(must(program.run({ones}, callFor(1)))[0], at::full({2}, 4.0)));
    }
};

PIPESCOPE_TEST(TestStageProgram)
#include "tst_stage_program.moc"
