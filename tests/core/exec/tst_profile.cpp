#include "exec/profile.h"

#include "exec/node_clock.h"
#include "exec_models.h"
#include "support/fake_clock.h"

#include "support/test_program.h"
#include <ATen/Parallel.h>

#include <QTest>
#include <thread>

using namespace pipescope;
using namespace pipescope::exec;
using namespace pipescope::test;

namespace {

const graph::Node &nodeNamed(const graph::ModelGraph &graph, const std::string &name)
{
    for (const graph::Node &node : graph.nodes)
        if (node.name == name)
            return node;
    qFatal("no node '%s'", name.c_str());
}

const graph::Value &resultOf(const graph::ModelGraph &graph, const std::string &name)
{
    return graph.value(nodeNamed(graph, name).outputs.at(0));
}

ProfileOptions quick()
{
    ProfileOptions options;
    options.repeats = 1;
    return options;
}

} // namespace

class TestProfile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void shapesBytesAndTimesAreFilledIn()
    {
        auto model = imported(chain());
        QVERIFY(profile(model, {wave({3, 4})}, ProfileOptions{}));
        const graph::Value &first = resultOf(model.graph, "fc0/aten::linear");
        QCOMPARE(toText(first.tensor.value()), std::string("float32[3, 4]"));
        QCOMPARE(first.bytes, std::optional<std::int64_t>(48));
        QVERIFY(!first.requiresGrad);
        QCOMPARE(model.graph.value(model.graph.arguments[0].value).bytes, std::optional<std::int64_t>(48));
        for (const graph::Node &node : model.graph.nodes) {
            QVERIFY(node.seconds.value() > 0);
            QVERIFY(node.seconds.value() < 1);
        }
        for (const auto &[id, value] : model.held)
            QCOMPARE(model.graph.value(id).bytes.value(), std::int64_t(value.toTensor().nbytes()));
    }

    void flopsFollowTheShapes()
    {
        auto model = imported(chain());
        QVERIFY(profile(model, {wave({3, 4})}, quick()));
        QCOMPARE(nodeNamed(model.graph, "fc0/aten::linear").flops, std::optional(2.0 * 3 * 4 * 4));
        QCOMPARE(nodeNamed(model.graph, "aten::relu").flops, std::optional(12.0));
    }

    void aLoopCountsWhatItRan()
    {
        auto model = imported(layers("Loop", 2, 4, R"(
def forward(self, x: Tensor, n: int) -> Tensor:
    for i in range(n):
        if i == 0:
            x = self.fc0.forward(x)
        else:
            x = torch.relu(self.fc1.forward(x))
    return x
)"));
        QVERIFY(profile(model, {wave({2, 4}), 3}, quick()));
        const double linear = 2.0 * 2 * 4 * 4;
        QCOMPARE(nodeNamed(model.graph, "fc0/aten::linear").flops, std::optional(linear));
        QCOMPARE(nodeNamed(model.graph, "fc1/aten::linear").flops, std::optional(2 * linear));
        const graph::Node &loop = nodeNamed(model.graph, "prim::Loop");
        QCOMPARE(loop.flops, std::optional(3 * linear + 2 * 8));
        double inside = 0;
        for (const NodeId child : loop.children)
            inside += model.graph.node(child).seconds.value();
        QVERIFY(loop.seconds.value() >= inside * 0.999);
    }

    void anOperatorWithoutARuleCountsAsWhatItCalls()
    {
        auto model = imported(layers("Inside", 1, 4, R"(
def forward(self, x: Tensor) -> Tensor:
    y = torch.einsum("ij,kj->ik", [x, x])
    return torch.special_i0(y)
)"));
        QVERIFY(profile(model, {wave({3, 4})}, quick()));
        QCOMPARE(nodeNamed(model.graph, "aten::einsum").flops, std::optional(2.0 * 3 * 3 * 4));
        QCOMPARE(model.graph.at(model.graph.size() - 1).flops, std::optional<double>());
    }

    void containersCountTheTensorsInside()
    {
        auto model = imported(layers("Lists", 1, 4, R"(
def forward(self, x: Tensor) -> List[Tensor]:
    return [x, x, torch.neg(x)]
)"));
        QVERIFY(profile(model, {wave({2, 4})}, quick()));
        const graph::Value &list = resultOf(model.graph, "prim::ListConstruct");
        QVERIFY(!list.tensor);
        QCOMPARE(list.bytes, std::optional<std::int64_t>(3 * 32));
    }

    void gradientsAreTracedOnRequest()
    {
        auto model = imported(layers("Grad", 1, 4, R"(
def forward(self, x: Tensor) -> Tuple[Tensor, Tensor]:
    return (self.fc0.forward(x), torch.argmax(x, 1))
)"));
        ProfileOptions options = quick();
        options.grad = true;
        QVERIFY(profile(model, {wave({2, 4})}, options));
        QCOMPARE(resultOf(model.graph, "fc0/aten::linear").requiresGrad, std::optional(true));
        QCOMPARE(resultOf(model.graph, "aten::argmax").requiresGrad, std::optional(false));
        QCOMPARE(model.graph.value(model.graph.arguments[0].value).requiresGrad, std::optional(false));
        QVERIFY(at::GradMode::is_enabled());
    }

    void stateAndArgumentsAreAsBefore()
    {
        Module module = makeModule("Writes");
        module.register_buffer("count", at::zeros({1}));
        module.register_attribute("last", c10::TensorType::get(), at::zeros({2}));
        module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    x.add_(1.)
    self.count.add_(1.)
    self.last = self.last + x
    return self.last * self.count
)");
        auto model = imported(module);
        const at::Tensor x = at::ones({2});
        QVERIFY(profile(model, {x}, quick()));
        QVERIFY(x.equal(at::ones({2})));
        QVERIFY(module.attr("count").toTensor().equal(at::zeros({1})));
        QVERIFY(module.attr("last").toTensor().equal(at::zeros({2})));
    }

    void theThreadCountIsPutBack()
    {
        const int before = at::get_num_threads();
        auto model = imported(chain());
        ProfileOptions options = quick();
        options.threads = before + 1;
        QVERIFY(profile(model, {wave({3, 4})}, options));
        QCOMPARE(at::get_num_threads(), before);
    }

    void aFailureNamesTheNodeAndPutsStateBack()
    {
        Module module = makeModule("FailsLate");
        module.register_buffer("count", at::zeros({1}));
        module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    self.count.add_(1.)
    return x.view(5) + self.count
)");
        auto model = imported(module);
        const Status status = profile(model, {wave({4})}, quick());
        QVERIFY(!status);
        QCOMPARE(status.error().code, ErrorCode::ModelFailed);
        QCOMPARE(status.error().where, std::string("aten::view"));
        const std::string &message = status.error().message;
        QVERIFY2(message.starts_with("unsplit model, the whole batch, aten::view (<string>:4): "), message.c_str());
        QVERIFY2(message.find("shape '[5]'") != std::string::npos, message.c_str());
        QVERIFY(module.attr("count").toTensor().equal(at::zeros({1})));
    }

    void progressGoesUpToOneAndAStopEndsIt()
    {
        auto model = imported(chain());
        std::vector<double> seen;
        QVERIFY(profile(model, {wave({3, 4})}, quick(), {}, [&](std::string_view step, double fraction) {
            QCOMPARE(step, std::string_view("profiling"));
            seen.push_back(fraction);
        }));
        QVERIFY(std::is_sorted(seen.begin(), seen.end()));
        QCOMPARE(seen.back(), 1.0);
        std::stop_source source;
        source.request_stop();
        const Status stopped = profile(model, {wave({3, 4})}, quick(), source.get_token());
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
    }

    void theClockGivesANodeTheTimeUntilTheNextMark()
    {
        graph::ModelGraph graph;
        graph.nodes.resize(3);
        for (int i = 0; i < 3; ++i)
            graph.nodes[static_cast<std::size_t>(i)].id = NodeId{i};
        graph.nodes[1].parent = NodeId{0};
        const tests::FakeClock time;
        NodeClock clock(graph, time.clock());
        clock.nodeBegins(NodeId{0});
        time.advance(std::chrono::milliseconds(250));
        clock.nodeBegins(NodeId{1});
        time.advance(std::chrono::milliseconds(500));
        clock.nodeBegins(NodeId{2});
        time.advance(std::chrono::milliseconds(2000));
        clock.stop();
        QCOMPARE(clock.seconds(), (std::vector<double>{0.75, 0.5, 2}));
    }
};

PIPESCOPE_TEST(TestProfile)
#include "tst_profile.moc"
