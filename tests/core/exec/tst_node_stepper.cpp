#include "exec/node_stepper.h"

#include "exec_models.h"
#include "make_examples/script_text.h"

#include "support/test_program.h"

#include <QTest>
#include <algorithm>

using namespace pipescope;
using namespace pipescope::exec;
using namespace pipescope::test;

namespace {

StepCall stepFor(int microbatch, std::uint64_t seed = 0)
{
    StepCall call;
    call.microbatch = MicrobatchId{microbatch};
    call.seed = seed;
    return call;
}

Module mixed()
{
    return layers("Mixed", 3, 4, R"(
def forward(self, x: Tensor, n: int) -> Tuple[Tensor, Dict[str, Tensor]]:
    parts = torch.chunk(self.fc0.forward(x), 2, 1)
    y = torch.dropout(torch.cat([parts[1], parts[0]], 1), 0.5, True)
    found = {"a": y}
    for i in range(n):
        if i == 1:
            y = torch.dropout(self.fc1.forward(y), 0.25, True)
        found["b"] = y
    return (self.fc2.forward(y), found)
)");
}

// As torch.no_grad() is saved.
constexpr const char *Guarded = R"script(
class Guard:
  prev : bool
  def __enter__(self: __torch__.Guard) -> NoneType:
    self.prev = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    return None
  def __exit__(self: __torch__.Guard, exc_type: Any, exc_value: Any, traceback: Any) -> NoneType:
    prev = self.prev
    torch.set_grad_enabled(prev)
    return None
  def __init__(self: __torch__.Guard) -> NoneType:
    self.prev = False
    return None
class Model(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.Model, x: Tensor) -> Tensor:
    _0 = __torch__.Guard.__new__(__torch__.Guard)
    _1 = (_0).__init__()
    with _0:
      y = torch.sin(x)
      z = torch.cos(y)
    return torch.add(z, torch.mul(x, y))
)script";

} // namespace

class TestNodeStepper : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aWithBlockRunsAsOneAndShowsAllItsValues()
    {
        const auto model = imported(examples::ScriptText(Guarded).make("Model"));
        const auto stepper = must(NodeStepper::build(model));
        const at::Tensor x = wave({3, 4}).requires_grad_();
        for (const bool drop : {true, false}) {
            StepCall call = stepFor(0);
            call.dropUnused = drop;
            std::vector<std::string> steps;
            call.after = [&](int position, double, const Environment &values) {
                steps.push_back(model.graph.at(position).op);
                for (const ValueId id : model.graph.at(position).outputs)
                    QVERIFY2(values[id.index()].has_value(), steps.back().c_str());
            };
            const at::AutoGradMode grad(true);
            const Values stepped = must(stepper.run({x}, call));
            QVERIFY(at::GradMode::is_enabled());
            QVERIFY(same(stepped[0], at::cos(at::sin(x)) + x * at::sin(x)));
            QCOMPARE(std::count(steps.begin(), steps.end(), "prim::Exit"), std::ptrdiff_t(1));
            QCOMPARE(steps.size(), static_cast<std::size_t>(model.graph.size()));
        }
    }

    void steppingGivesTheProgramsNumbers()
    {
        const auto model = imported(mixed());
        const auto program = must(StageProgram::buildWhole(model, heldBy(model)));
        const auto stepper = must(NodeStepper::build(model));
        const at::Tensor x = wave({3, 4});
        for (const int microbatch : {0, 5}) {
            const Values whole = must(program.run({x, 3}, {MicrobatchId{microbatch}, 4, {}, nullptr}));
            for (const bool drop : {true, false}) {
                StepCall call = stepFor(microbatch, 4);
                call.dropUnused = drop;
                const Values stepped = must(stepper.run({x, 3}, call));
                QCOMPARE(stepped.size(), whole.size());
                const auto &a = whole[0].toTupleRef().elements();
                const auto &b = stepped[0].toTupleRef().elements();
                QVERIFY(same(a[0], b[0]));
                QVERIFY(same(a[1].toGenericDict().at("b"), b[1].toGenericDict().at("b")));
            }
        }
    }

    void afterEachNodeItsOutputsExist()
    {
        const auto model = imported(chain());
        const auto stepper = must(NodeStepper::build(model));
        int next = 0;
        StepCall call = stepFor(0);
        call.after = [&](int position, double seconds, const Environment &values) {
            QCOMPARE(position, next++);
            QVERIFY(seconds > 0);
            for (const ValueId id : model.graph.at(position).outputs)
                QVERIFY(values[id.index()].has_value());
        };
        must(stepper.run({wave({2, 4})}, call));
        QCOMPARE(next, model.graph.size());
    }

    void valuesGoAtTheirLastUseUnlessKept()
    {
        const auto model = imported(chain());
        const auto stepper = must(NodeStepper::build(model));
        const ValueId x = model.graph.arguments[0].value;
        const ValueId skip = model.graph.at(positionNamed(model.graph, "aten::relu")).outputs[0];
        const int last = model.graph.size() - 1;
        for (const bool drop : {true, false}) {
            StepCall call = stepFor(0);
            call.dropUnused = drop;
            call.after = [&](int position, double, const Environment &values) {
                QCOMPARE(values[x.index()].has_value(), !drop);
                if (position >= 1 && position < last)
                    QVERIFY(values[skip.index()].has_value());
                if (position == last)
                    QCOMPARE(values[skip.index()].has_value(), !drop);
            };
            must(stepper.run({wave({2, 4})}, call));
        }
    }

    void aResultNobodyUsesIsSeenOnceAndDropped()
    {
        const auto model = imported(layers("Unused", 1, 4, R"(
def forward(self, x: Tensor) -> Tensor:
    parts = torch.split(x, 1)
    a, b = torch.max(x, 0)
    return a
)"));
        const auto stepper = must(NodeStepper::build(model));
        StepCall call = stepFor(0);
        int alive = 0;
        call.after = [&](int, double, const Environment &values) {
            alive = 0;
            for (const auto &value : values)
                alive += value.has_value() ? 1 : 0;
        };
        must(stepper.run({wave({2, 4})}, call));
        QCOMPARE(alive, 1 + (model.graph.at(model.graph.size() - 1).outputs.size() > 1 ? 1 : 0));
    }

    void oneNodeRunsFromAnEnvironment()
    {
        const auto model = imported(chain());
        const auto stepper = must(NodeStepper::build(model));
        StepCall call = stepFor(0);
        call.dropUnused = false;
        const at::Tensor x = wave({2, 4});
        Environment values = stepper.begin({x});
        QVERIFY(stepper.runNode(0, values, call));
        QVERIFY(stepper.runNode(1, values, call));
        const auto &relu = model.graph.at(1);
        const at::Tensor before = values[relu.uses[0].index()]->toTensor();
        QVERIFY(same(*values[relu.outputs[0].index()], at::relu(before)));
        values[relu.uses[0].index()] = at::ones({2, 4});
        QVERIFY(stepper.runNode(1, values, call));
        QVERIFY(same(*values[relu.outputs[0].index()], at::ones({2, 4})));
    }

    void aFailureNamesTheNode()
    {
        const auto model = imported(chain());
        const auto out = must(NodeStepper::build(model)).run({wave({2, 5})}, stepFor(2));
        QVERIFY(!out);
        QCOMPARE(out.error().where, std::string("fc0/aten::linear"));
        const std::string &message = out.error().message;
        QVERIFY2(message.starts_with("microbatch 2, fc0/aten::linear (<string>:2): "), message.c_str());
        QVERIFY2(message.find("mat1 and mat2 shapes cannot be multiplied") != std::string::npos, message.c_str());
    }

    void aStopIsHeard()
    {
        const auto model = imported(chain());
        std::stop_source source;
        StepCall call = stepFor(0);
        call.stop = source.get_token();
        call.after = [&](int position, double, const Environment &) {
            if (position == 2)
                source.request_stop();
        };
        const auto out = must(NodeStepper::build(model)).run({wave({2, 4})}, call);
        QVERIFY(!out);
        QCOMPARE(out.error().code, ErrorCode::Cancelled);
        QCOMPARE(out.error().where, model.graph.at(3).name);
    }

    void aReturnedConstantIsThere()
    {
        Module module = layers("Constant", 1, 4, "def forward(self, x: Tensor) -> int:\n    return 7\n");
        const auto model = imported(module);
        const Values out = must(must(NodeStepper::build(model)).run({wave({1})}, stepFor(0)));
        QCOMPARE(out[0].toInt(), 7);
    }
};

PIPESCOPE_TEST(TestNodeStepper)
#include "tst_node_stepper.moc"
