#include "exec/model_state.h"

#include "exec/fresh_arguments.h"
#include "exec/written_values.h"
#include "exec_models.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::exec;
using namespace pipescope::test;

namespace {

Values runOnce(const import::ImportedModel &model, Values arguments)
{
    return must(must(StageProgram::buildWhole(model, heldBy(model)))
                    .run(std::move(arguments), {MicrobatchId{0}, 0, {}, nullptr}));
}

std::vector<std::string> namesOf(const graph::ModelGraph &graph, const std::vector<ValueId> &ids)
{
    std::vector<std::string> names;
    for (const ValueId id : ids)
        names.push_back(graph.value(id).name);
    return names;
}

} // namespace

class TestModelState : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aModelThatWritesNothingHasNoState() { QVERIFY(ModelState::capture(imported(chain())).empty()); }

    /// A branch that returns early gives nothing for what is written after it.
    void whatIsNeverSetIsNoState()
    {
        Module module = makeModule("Returns");
        module.define(R"(
def forward(self, x: Tensor, outer: bool, inner: bool) -> Tensor:
    if outer:
        if inner:
            return x * 3
        y = x * 2
    else:
        y = x * 4
    y.add_(1.)
    return y
)");
        const auto model = imported(module);
        const auto isUninitialised = [](const torch::jit::Value *value) {
            return value->node()->kind() == c10::prim::Uninitialized;
        };
        QVERIFY(std::any_of(model.values.begin(), model.values.end(), isUninitialised));
        QVERIFY(ModelState::capture(model).empty());
        QVERIFY(!keepsState(model));
        QVERIFY(same(runOnce(model, {at::ones({2}), true, false})[0], at::full({2}, 3.)));
        QVERIFY(same(runOnce(model, {at::ones({2}), false, true})[0], at::full({2}, 5.)));
    }

    void assignedAttributesComeBackAsOftenAsWanted()
    {
        Module module = makeModule("Assigns");
        module.register_attribute("last", c10::TensorType::get(), at::zeros({2}));
        module.register_attribute("calls", c10::IntType::get(), 0);
        module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    self.calls = self.calls + 1
    self.last = self.last * 0.5 + x
    self.last.add_(1.)
    return self.last * self.calls
)");
        const auto model = imported(module);
        const at::Tensor before = module.attr("last").toTensor();
        const ModelState state = ModelState::capture(model);
        const Values first = runOnce(model, {at::ones({2})});
        for (int i = 0; i < 3; ++i) {
            QVERIFY(!same(runOnce(model, {at::ones({2})})[0], first[0]));
            state.restore();
            QVERIFY(module.attr("last").toTensor().is_same(before));
            QVERIFY(before.equal(at::zeros({2})));
            QCOMPARE(module.attr("calls").toInt(), 0);
            QVERIFY(same(runOnce(model, {at::ones({2})})[0], first[0]));
        }
    }

    void tensorsWrittenThroughAViewComeBack()
    {
        Module module = makeModule("Views");
        module.register_buffer("table", at::zeros({4, 2}));
        module.register_buffer("still", at::ones({2}));
        module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    row = torch.select(self.table, 0, 1)
    row.view([2, 1]).add_(3.)
    return self.table.sum(0) + x + self.still
)");
        const auto model = imported(module);
        QCOMPARE(namesOf(model.graph, writtenInPlace(model.graph)), std::vector<std::string>{"table"});
        const at::Tensor table = module.attr("table").toTensor();
        const ModelState state = ModelState::capture(model);
        runOnce(model, {at::ones({2})});
        QCOMPARE(table.sum().item<double>(), 6.0);
        state.restore();
        QVERIFY(module.attr("table").toTensor().is_same(table));
        QVERIFY(table.equal(at::zeros({4, 2})));
    }

    void listsAndDictsComeBackInPlace()
    {
        Module module = makeModule("Caches");
        const c10::List<at::Tensor> cache({at::zeros({2})});
        c10::Dict<std::string, at::Tensor> table;
        table.insert("a", at::ones({2}));
        module.register_attribute("cache", c10::ListType::ofTensors(), cache);
        module.register_attribute("table", c10::DictType::create(c10::StringType::get(), c10::TensorType::get()),
                                  table);
        module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    self.cache.append(x)
    self.cache[0].add_(1.)
    self.table["b"] = x
    return x * len(self.cache)
)");
        const auto model = imported(module);
        const ModelState state = ModelState::capture(model);
        for (int i = 0; i < 2; ++i) {
            runOnce(model, {at::ones({2})});
            QCOMPARE(cache.size(), std::size_t(2));
            QCOMPARE(table.size(), std::size_t(2));
            state.restore();
            QCOMPARE(cache.size(), std::size_t(1));
            QVERIFY(cache.get(0).equal(at::zeros({2})));
            QCOMPARE(table.size(), std::size_t(1));
        }
    }

    void parametersThatNeedGradientsComeBack()
    {
        Module module = makeModule("Trains");
        module.register_parameter("weight", at::ones({2}).requires_grad_(), false);
        module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    self.weight.mul_(2.)
    return x * self.weight
)");
        const auto model = imported(module);
        const ModelState state = ModelState::capture(model);
        {
            const at::NoGradGuard plain;
            runOnce(model, {at::ones({2})});
        }
        state.restore();
        const at::Tensor weight = module.attr("weight").toTensor();
        QVERIFY(weight.equal(at::ones({2})));
        QVERIFY(weight.is_leaf() && weight.requires_grad());
    }

    void whatIsNotChangedIsNotWritten()
    {
        const at::Tensor tensor = at::ones({2});
        Snapshot snapshot;
        snapshot.add(tensor);
        const auto version = tensor._version();
        snapshot.restore();
        QCOMPARE(tensor._version(), version);
        const at::Tensor expanded = at::ones({1}).expand({3});
        Snapshot none;
        none.add(expanded);
        QVERIFY(none.empty());
    }

    void containersThatHoldThemselvesEnd()
    {
        c10::List<c10::IValue> list(c10::AnyType::get());
        list.push_back(c10::IValue(at::zeros({1})));
        list.push_back(c10::IValue(list));
        Snapshot snapshot;
        snapshot.add(c10::IValue(list));
        list.get(0).toTensor().add_(1);
        list.push_back(c10::IValue(3));
        snapshot.restore();
        QCOMPARE(list.size(), std::size_t(2));
        QCOMPARE(list.get(0).toTensor().item<double>(), 0.0);
        list.clear(); // or it leaks
    }

    void onlyWrittenArgumentsAreCopied()
    {
        const auto model = imported(layers("Spoils", 1, 4, R"(
def forward(self, x: Tensor, y: Tensor, z: List[Tensor]) -> Tensor:
    torch.relu_(x.view(-1))
    z[0].add_(1.)
    return x + y + z[0]
)"));
        const at::Tensor x = -at::ones({2});
        const at::Tensor y = at::ones({2});
        const c10::List<at::Tensor> z({at::ones({2})});
        const Values fresh = freshArguments(model.graph, {x, y, z});
        QVERIFY(!fresh[0].toTensor().is_same(x) && fresh[0].toTensor().equal(x));
        QVERIFY(fresh[1].toTensor().is_same(y));
        runOnce(model, fresh);
        QVERIFY(x.equal(-at::ones({2})));
        QVERIFY(z.get(0).equal(at::ones({2})));
    }
};

PIPESCOPE_TEST(TestModelState)
#include "tst_model_state.moc"
