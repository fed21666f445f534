// Attributes that a model assigns: each is a memory of its own, whatever module it stands in, unless it shares that
// with another one.
#include "every_cut.h"
#include "support/test_program.h"

using namespace pipescope;
using namespace pipescope::exec;
using namespace pipescope::test;

namespace {

std::string reasonAt(const graph::ModelGraph &graph, int position)
{
    return partition::allCuts(graph).at(static_cast<std::size_t>(position) - 1).reason;
}

// An object with two fields.
c10::IValue makePair(const at::Tensor &t, const at::Tensor &u)
{
    static const auto unit = std::make_shared<torch::jit::CompilationUnit>();
    static const c10::ClassTypePtr type = [] {
        const auto made = c10::ClassType::create("__torch__.Pair", unit, false);
        made->addAttribute("t", c10::TensorType::get());
        made->addAttribute("u", c10::TensorType::get());
        unit->register_type(made);
        return made;
    }();
    const auto object = c10::ivalue::Object::create(c10::StrongTypePtr(unit, type), 2);
    object->setSlot(0, t);
    object->setSlot(1, u);
    return object;
}

Module withPairs(const std::map<std::string, c10::IValue> &pairs, const std::string &code)
{
    Module module = makeModule("Holds");
    for (const auto &[name, pair] : pairs)
        module.register_attribute(name, pair.type(), pair);
    module.define(code);
    return module;
}

} // namespace

class TestAssignedAttributes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void twoCountersOfOneModuleDoNotKeepEachOtherInOneStage()
    {
        const char *const code = R"(
def forward(self, x: Tensor) -> Tensor:
    self.u += 1
    h = x * self.u
    self.t += 2
    return h.sin() * self.t
)";
        check(code, {{"u", at::zeros({2, 3})}, {"t", at::zeros({2, 3})}}, "----+-----");
        const auto model = imported(withCode(code, {{"u", at::zeros({2, 3})}, {"t", at::zeros({2, 3})}}));
        QVERIFY(reasonAt(model.graph, 1).starts_with("the attribute 'u' is written in place by"));
        QVERIFY(reasonAt(model.graph, 6).starts_with("the attribute 't' is written in place by"));
    }

    void anAttributeThatAnIfAssignsIsStillAMemoryOfItsOwn()
    {
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    if bool(x.sum() > 0.0):
        self.u += 1
    h = x * self.u
    self.t += 2
    return h.sin() * self.t
)",
              {{"u", at::zeros({2, 3})}, {"t", at::zeros({2, 3})}}, "+++--+-----");
    }

    void attributesThatBeginAsOneTensorAreOneMemory()
    {
        const auto make = [] {
            const at::Tensor both = at::zeros({2, 3});
            return withCode(R"(
def forward(self, x: Tensor) -> Tensor:
    h = x + self.t
    self.u += 1
    y = h.sin()
    self.t = x * 0.5
    return y + self.u
)",
                            {{"u", both}, {"t", both}});
        };
        checkEveryLegalCut(make, tensors(), "---------");
    }

    void attributesThatBecomeOneTensorAreOneMemory()
    {
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    h = x * self.t
    self.u += 1
    y = h.sin() + h
    self.t = self.u
    return y.cos()
)",
              {{"u", at::zeros({2, 3})}, {"t", at::zeros({2, 3})}}, "--------+");
    }

    void twoNamesOfOneModuleAreOneMemory()
    {
        const auto make = [] {
            Module counter =
                withCode("def forward(self, x: Tensor) -> Tensor:\n    self.n += 1\n    return x + self.n\n",
                         {{"n", at::zeros({2, 3})}});
            Module holder = makeModule("Holder");
            holder.register_module("counter", counter);
            holder.define("def forward(self, x: Tensor) -> Tensor:\n    return self.counter.forward(x).sin()\n");
            Module model = makeModule("Both");
            model.register_module("own", counter);
            model.register_module("holder", holder);
            model.define(
                "def forward(self, x: Tensor) -> Tensor:\n    return self.holder.forward(self.own.forward(x) * 2)\n");
            return model;
        };
        checkEveryLegalCut(make, tensors(), "----------+");
    }

    void twoModulesWithACounterEachAreTwoMemories()
    {
        const auto make = [] {
            const char *const code =
                "def forward(self, x: Tensor) -> Tensor:\n    self.n += 1\n    return x + self.n\n";
            Module model = makeModule("Both");
            model.register_module("a", withCode(code, {{"n", at::zeros({2, 3})}}));
            model.register_module("b", withCode(code, {{"n", at::ones({2, 3})}}));
            model.define("def forward(self, x: Tensor) -> Tensor:\n    return self.b.forward(self.a.forward(x))\n");
            return model;
        };
        checkEveryLegalCut(make, tensors(), "----+----");
    }

    void anObjectUnderTwoNamesIsOneMemory()
    {
        const auto make = [] {
            const c10::IValue pair = makePair(at::zeros({2, 3}), at::zeros({2, 3}));
            return withPairs({{"a", pair}, {"b", pair}}, R"(
def forward(self, x: Tensor) -> Tensor:
    h = x + self.a.t
    y = h.sin()
    self.b.t = x * 0.5
    return y * 2
)");
        };
        checkEveryLegalCut(make, tensors(), "----+");
    }

    void twoFieldsOfAnObjectAreTwoMemories()
    {
        const char *const code = R"(
def forward(self, x: Tensor) -> Tensor:
    t = self.o.t.add_(1.0)
    self.o.t = t
    h = x * t
    u = self.o.u.add_(2.0)
    self.o.u = u
    return h.sin() * u
)";
        const auto apart = [&] { return withPairs({{"o", makePair(at::zeros({2, 3}), at::zeros({2, 3}))}}, code); };
        checkEveryLegalCut(apart, tensors(), "---+----");
        const auto one = [&] {
            const at::Tensor both = at::zeros({2, 3});
            return withPairs({{"o", makePair(both, both)}}, code);
        };
        checkEveryLegalCut(one, tensors(), "--------");
    }
};

PIPESCOPE_TEST(TestAssignedAttributes)
#include "tst_assigned_attributes.moc"
