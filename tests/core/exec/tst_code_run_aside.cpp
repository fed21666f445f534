// Code that a model runs aside (torch.jit.fork), and calls whose code is known only when they are made: what they write
// is written as by any other operator.
#include "every_cut.h"
#include "exec/savable.h"
#include "make_examples/script_text.h"
#include "support/test_program.h"

using namespace pipescope;
using namespace pipescope::exec;
using namespace pipescope::test;

namespace {

Module forking(const std::string &code, const std::map<std::string, at::Tensor> &buffers = {})
{
    Module module = makeModule("Forks");
    for (const auto &[name, tensor] : buffers)
        module.register_buffer(name, tensor);
    module.define(code, std::make_shared<ForkResolver>());
    return module;
}

// The outputs of two runs, the model put back in between.
std::pair<Values, Values> twoRuns(const Make &make)
{
    const auto model = imported(make());
    const ModelState state = ModelState::capture(model);
    const auto whole = must(StageProgram::buildWhole(model, heldBy(model)));
    Values first = must(whole.run({wave({2, 3})}, {MicrobatchId{0}, 0, {}, nullptr}));
    state.restore();
    return {std::move(first), must(whole.run({wave({2, 3})}, {MicrobatchId{0}, 0, {}, nullptr}))};
}

// Why the stages of a model that is cut there cannot be saved; "" where they can.
QByteArray refusalOf(const Make &make, int cut)
{
    const auto model = imported(make());
    for (const partition::Stage &stage : must(partition::makePartition(model.graph, {cut})).stages)
        if (const Status savable = checkSavable(model, stage); !savable)
            return savable.error().message.c_str();
    return {};
}

} // namespace

class TestCodeRunAside : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void codeThatRunsAsideWritesWhatItIsGiven()
    {
        const auto make = [] {
            Module module = makeModule("Forks");
            module.define(R"(
def aside(self, y: Tensor) -> Tensor:
    y.add_(1.0)
    return y[0:1]

def forward(self, x: Tensor) -> Tensor:
    y = x * 2
    z = y.sin()
    part = torch.wait(fork(self.aside, y))
    return z + y + part
)",
                          std::make_shared<ForkResolver>());
            return module;
        };
        checkEveryLegalCut(make, tensors(), "---++");
    }

    void stateThatCodeWritesAsideIsState()
    {
        const auto make = [] {
            Module module = makeModule("Forks");
            module.register_buffer("b", at::zeros({2, 3}));
            module.register_attribute("n", c10::IntType::get(), 0);
            module.define(R"(
def aside(self, y: Tensor) -> Tensor:
    self.b.add_(1.0)
    self.n = self.n + 1
    return y * self.n

def forward(self, x: Tensor) -> Tensor:
    y = x * 2
    part = torch.wait(fork(self.aside, y))
    return part.sin() + self.b
)",
                          std::make_shared<ForkResolver>());
            return module;
        };
        const auto [first, again] = twoRuns(make);
        QVERIFY(same(first[0], again[0]));
        checkEveryLegalCut(make, tensors(), "+---", Grad::Off, Savable::No);
        QVERIFY(refusalOf(make, 1).contains("assigns an attribute of a module inside torch.jit.fork"));
    }

    void codeThatRunsAsideAndWritesNothingForbidsNothing()
    {
        const auto make = [] {
            Module module = makeModule("Forks");
            module.register_module("fc0", linear(3, 3));
            module.register_module("fc1", linear(3, 3));
            module.define(R"(
def aside(self, y: Tensor) -> Tensor:
    return self.fc1.forward(y)

def forward(self, x: Tensor) -> Tensor:
    y = self.fc0.forward(x)
    z = y.sin()
    part = torch.wait(fork(self.aside, y))
    return (z + y + part).cos()
)",
                          std::make_shared<ForkResolver>());
            return module;
        };
        checkEveryLegalCut(make, tensors(), "++-+++");
    }

    void aWriteToAConstantThatAFileWouldLoseIsNotSaved()
    {
        const Make make = [] {
            return withConstant(forking(R"(
def aside(self, y: Tensor) -> Tensor:
    self.c.add_(1.0)
    return y + self.c

def forward(self, x: Tensor) -> Tensor:
    y = x * 2
    return torch.wait(fork(self.aside, y))
)",
                                        {{"c", at::zeros({2, 3})}}),
                                "aside", "c", at::zeros({2, 3}));
        };
        QVERIFY(refusalOf(make, 1).contains("may write a tensor in place that is a constant of the code"));
    }

    void aConstantThatCodeRunAsideWritesIsState()
    {
        const Make make = [] {
            return withConstant(forking(R"(
def aside(self, y: Tensor) -> Tensor:
    c = self.c.add_(1.0)
    return y + c

def forward(self, x: Tensor) -> Tensor:
    y = x * 2
    part = torch.wait(fork(self.aside, y))
    z = part.sin()
    part = torch.wait(fork(self.aside, z))
    return z + part
)",
                                        {{"c", at::zeros({2, 3})}}),
                                "aside", "c", at::zeros({2, 3}));
        };
        QVERIFY(keepsState(imported(make())));
        const auto [first, again] = twoRuns(make);
        QVERIFY(same(first[0], again[0]));
        checkEveryLegalCut(make, tensors(), "+----+"); // from one fork to the other
    }

    void aConstantThatCodeDeepInsideWhatRunsAsideWritesIsState()
    {
        const Make make = [] {
            Module inner = withConstant(forking(R"(
def deeper(self, y: Tensor) -> Tensor:
    if bool(y.sum() > -100.0):
        self.c.add_(1.0)
    return y + self.c

def forward(self, y: Tensor) -> Tensor:
    return torch.wait(fork(self.deeper, y)) * 2.0
)",
                                                {{"c", at::zeros({2, 3})}}),
                                        "deeper", "c", at::zeros({2, 3}));
            Module module = makeModule("Outer");
            module.register_module("inner", inner);
            module.define(R"(
def aside(self, y: Tensor) -> Tensor:
    return self.inner.forward(y)

def forward(self, x: Tensor) -> Tensor:
    y = x * 2
    part = torch.wait(fork(self.aside, y))
    z = part.sin()
    return self.inner.forward(z) + y
)",
                          std::make_shared<ForkResolver>());
            return module;
        };
        const auto [first, again] = twoRuns(make);
        QVERIFY(same(first[0], again[0]));
        checkEveryLegalCut(make, tensors(), "+----++");
    }

    void anArgumentThatCodeRunAsideWritesBelongsToOneStage()
    {
        const auto make = [] {
            return forking(R"(
def aside(self, y: Tensor) -> Tensor:
    return y.add_(1.0)

def forward(self, x: Tensor) -> Tensor:
    h = x * 2
    part = torch.wait(fork(self.aside, x))
    return (h + part).sin() + h
)");
        };
        checkEveryLegalCut(make, tensors(), "---++");
    }

    void anAttributeThatOnlyCodeRunAsideAssignsIsReadAsItIsThen()
    {
        const auto make = [] {
            Module module = makeModule("Forks");
            module.register_attribute("n", c10::IntType::get(), 0);
            module.define(R"(
def aside(self, y: Tensor) -> Tensor:
    self.n = self.n + 1
    return y.cos()

def forward(self, x: Tensor) -> Tensor:
    y = x * 2
    part = torch.wait(fork(self.aside, y))
    z = part.sin()
    return z * self.n
)",
                          std::make_shared<ForkResolver>());
            return module;
        };
        checkEveryLegalCut(make, tensors(), "+---+", Grad::Off, Savable::No);
    }

    void anArgumentThatCodeRunAsideAssignsIsNotWrittenByThat()
    {
        const auto make = [] {
            Module module = makeModule("Forks");
            module.register_buffer("kept", at::zeros({2, 3}));
            module.define(R"(
def aside(self, y: Tensor) -> Tensor:
    self.kept = y
    return y.sin()

def forward(self, x: Tensor) -> Tensor:
    y = x * 2
    z = y.cos()
    part = torch.wait(fork(self.aside, y))
    return z + y + part
)",
                          std::make_shared<ForkResolver>());
            return module;
        };
        checkEveryLegalCut(make, tensors(), "++-++", Grad::Off, Savable::No);
    }

    void whatTheNextCallWritesOfItIsWritten()
    {
        const auto make = [] {
            Module module = makeModule("Forks");
            module.register_buffer("kept", at::zeros({2, 3}));
            module.define(R"(
def aside(self, y: Tensor) -> Tensor:
    self.kept.add_(1.0)
    self.kept = y
    return y.sin()

def forward(self, x: Tensor) -> Tensor:
    y = x * 2
    z = y.cos()
    part = torch.wait(fork(self.aside, y))
    return z + y + part
)",
                          std::make_shared<ForkResolver>());
            return module;
        };
        checkEveryLegalCut(make, tensors(), "----+", Grad::Off, Savable::No);
    }

    void whatCodeRunAsideUsesOfTheModelBelongsToItsStage()
    {
        Module module = makeModule("Forks");
        for (const char *name : {"fc0", "fc1", "fc2"})
            module.register_module(name, linear(3, 3));
        module.define(R"(
def aside(self, y: Tensor) -> Tensor:
    return self.fc1.forward(y)

def forward(self, x: Tensor) -> Tensor:
    y = self.fc0.forward(x)
    part = torch.wait(fork(self.aside, y))
    return self.fc2.forward(part)
)",
                      std::make_shared<ForkResolver>());
        const auto model = imported(module);
        const auto partition = must(partition::makePartition(model.graph, {1, 3}));
        const std::vector<std::string> own{"fc1.bias", "fc1.weight"};
        QVERIFY(partition.stages[1].parameters == own);
    }

    // Which of the two is called depends on the data, so that the call cannot be inlined.
    void whatACallThroughAnInterfaceWritesIsState()
    {
        const Make make = [] {
            const examples::ScriptText text(R"script(
class Block(ModuleInterface):
  def forward(self: __torch__.Block, x: Tensor) -> Tensor:
    pass
class Counts(Module):
  __parameters__ = []
  __buffers__ = ["c", ]
  training : bool
  c : Tensor
  def forward(self: __torch__.Counts, x: Tensor) -> Tensor:
    _0 = torch.add_(self.c, 1.)
    return torch.add(x, self.c)
class Chooses(Module):
  __parameters__ = []
  __buffers__ = ["c", ]
  training : bool
  c : Tensor
  a : __torch__.Block
  b : __torch__.Block
  def forward(self: __torch__.Chooses, x: Tensor) -> Tensor:
    h = torch.mul(torch.add(x, self.c), 2)
    if bool(torch.gt(torch.sum(x), -1000)):
      block = self.a
    else:
      block = self.b
    y = torch.sin((block).forward(h))
    return torch.mul(torch.add(y, self.c), 3)
)script");
            const at::Tensor c = at::zeros({2, 3});
            const Module counts = withConstant(text.make("Counts", {{"c", c}}), "forward", "c", c);
            return withConstant(text.make("Chooses", {{"c", c}, {"a", counts._ivalue()}, {"b", counts._ivalue()}}),
                                "forward", "c", c);
        };
        const auto [first, again] = twoRuns(make);
        QVERIFY(same(first[0], again[0]));
        checkEveryLegalCut(make, tensors(), "--------+", Grad::Off, Savable::No);
        QVERIFY2(refusalOf(make, 9).contains("chooses a module while it runs, and a saved stage cannot"),
                 refusalOf(make, 9).constData());
    }
};

PIPESCOPE_TEST(TestCodeRunAside)
#include "tst_code_run_aside.moc"
