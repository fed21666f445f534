// Models that share memory in ways their graphs hardly show.
#include "every_cut.h"
#include "support/test_program.h"

using namespace pipescope;
using namespace pipescope::exec;
using namespace pipescope::test;

class TestEveryLegalCut : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void itemsOfAPartOfAListAreTheListsItems()
    {
        const auto make = [] {
            return withCode(R"(
def forward(self, xs: List[Tensor]) -> Tensor:
    out = xs[0] * 1.0
    for t in xs[1:]:
        t.mul_(2.0)
        out = out + t
    return out.sin()
)");
        };
        const auto lists = threeOf([](const at::Tensor &x) {
            return c10::IValue(c10::List<at::Tensor>({x, x + 1.0, x + 2.0}));
        });
        const auto model = imported(make());
        const Values before = lists[0];
        const Values fresh = freshArguments(model.graph, before);
        QVERIFY(fresh[0].toTensorVector()[1].data_ptr() != before[0].toTensorVector()[1].data_ptr());
        checkEveryLegalCut(make, lists, "----+");
    }

    void aSumOfListsHasTheItemsOfBoth()
    {
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    l = [self.b] + [x]
    z = x + l[0]
    y = l[0]
    y.add_(1.0)
    return z * 2 + self.b + y * 0.5
)",
              {{"b", at::zeros({2, 3})}}, "---------+");
    }

    void aCopyOfAListHasItsItems()
    {
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    l = list([self.b, x])
    z = x + l[0]
    y = l[0]
    y.add_(1.0)
    return z * 2 + self.b
)",
              {{"b", at::zeros({2, 3})}}, "-------");
    }

    void aListRepeatedHasItsItems()
    {
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    l = [self.b] * 2
    z = x + l[0]
    l[1].add_(1.0)
    return z * 2 + self.b
)",
              {{"b", at::zeros({2, 3})}}, "-------");
    }

    void aListExtendedHasTheItemsOfTheOther()
    {
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    l = [x]
    l.extend([self.b])
    z = x + l[0]
    l[1].add_(1.0)
    return z * 2 + self.b
)",
              {{"b", at::zeros({2, 3})}}, "---------");
    }

    void aCopyOfADictHasItsItems()
    {
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    d = dict({"b": self.b})
    z = x + d["b"]
    for v in d.values():
        v.add_(1.0)
    return z * 2 + self.b
)",
              {{"b", at::zeros({2, 3})}}, "--------");
    }

    void aDictUpdatedHasTheItemsOfTheOther()
    {
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    d = {"x": x}
    d.update({"b": self.b})
    z = x + d["x"]
    d["b"].add_(1.0)
    return z * 2 + self.b
)",
              {{"b", at::zeros({2, 3})}}, "---------");
    }

    void operatorsThatMayGiveTheirOperandAreWrittenThrough()
    {
        const std::map<const char *, std::string> calls{
            {"self.b.conj_physical()", "-----"},
            {"self.b.to_dense()", "-----"},
            {"self.b.type_as(x)", "-----"},
            {"torch.cartesian_prod([self.b.flatten()]).view([2, 3])", "---------"}};
        for (const auto &[call, legal] : calls)
            check("def forward(self, x: Tensor) -> Tensor:\n    y = " + std::string(call) +
                      "\n    z = x + self.b\n    y.add_(1.0)\n    return z * 2 + self.b + y\n",
                  {{"b", at::zeros({2, 3})}}, legal);
    }

    void anOperatorThatMayGiveItsFirstOperandDoesNotShareTheOthers()
    {
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    h = x * 2.0
    y = self.b.type_as(h)
    y.add_(1.0)
    return h.sin() + y
)",
              {{"b", at::zeros({2, 3})}}, "+---");
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    h = x * 2.0
    y = h.type_as(self.b)
    y.add_(1.0)
    z = h.sin()
    return z + self.b + y
)",
              {{"b", at::zeros({2, 3})}}, "--+++");
    }

    void aConstantTensorThatIsWrittenIsState()
    {
        const auto make = [] {
            return withConstant(withCode(R"(
def forward(self, x: Tensor) -> Tensor:
    h = x * 2
    c = self.c.add_(1.0)
    return (h + c) * 2 + c
)",
                                         {{"c", at::zeros({2, 3})}}),
                                "forward", "c", at::zeros({2, 3}));
        };
        QVERIFY(keepsState(imported(make())));
        checkEveryLegalCut(make, tensors(), "+---");
    }

    void aPartOfAConstantTensorThatIsWrittenIsState()
    {
        const auto make = [] {
            return withConstant(withCode(R"(
def forward(self, x: Tensor) -> Tensor:
    h = x * 2
    part = self.c[0:1].add_(h[0:1])
    return (h + self.c) * 2 + self.c + part
)",
                                         {{"c", at::zeros({2, 3})}}),
                                "forward", "c", at::zeros({2, 3}));
        };
        checkEveryLegalCut(make, tensors(), "+------");
    }

    void aTensorUnderTwoNamesOneOfThemAssignedIsOne()
    {
        const auto make = [] {
            Module a = withCode("def forward(self, x: Tensor) -> Tensor:\n    self.st += 1\n    return x + self.st\n",
                                {{"st", at::zeros({2, 3})}});
            Module b = makeModule("Other");
            b.register_buffer("st", a.attr("st").toTensor());
            b.define("def forward(self, x: Tensor) -> Tensor:\n    return x * 2 + self.st\n");
            Module model = makeModule("Both");
            model.register_module("a", a);
            model.register_module("b", b);
            model.define("def forward(self, x: Tensor) -> Tensor:\n    return self.b.forward(self.a.forward(x))\n");
            return model;
        };
        checkEveryLegalCut(make, tensors(), "------");
    }

    void aBufferThatIsAlsoInAListAttributeIsOne()
    {
        const auto make = [] {
            const at::Tensor b = at::zeros({2, 3});
            Module module = makeModule("Listed");
            module.register_buffer("b", b);
            module.register_attribute("items", c10::ListType::ofTensors(), c10::List<at::Tensor>({b}));
            module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    h = x * 2 + self.items[0]
    self.b.add_(1.0)
    return h.sin() + self.b
)");
            return module;
        };
        checkEveryLegalCut(make, tensors(), "+----");
    }

    void aResultKeptForTheNextCallIsWrittenByIt()
    {
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    self.kept.add_(1.0)
    h = x * 2
    self.kept = h
    return h.sin() * 3 + h
)",
              {{"kept", at::zeros({2, 3})}}, "------");
    }

    void aResultKeptInAListIsWrittenByTheNextCall()
    {
        const auto make = [] {
            Module module = makeModule("Listed");
            module.register_attribute("items", c10::ListType::ofTensors(), c10::List<at::Tensor>({at::zeros({2, 3})}));
            module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    self.items[-1].add_(1.0)
    h = x * 2
    self.items.append(h)
    return h.sin() * 3 + h
)");
            return module;
        };
        checkEveryLegalCut(make, tensors(), "------");
    }

    void anArgumentKeptForTheNextCallIsWrittenByIt()
    {
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    self.kept.add_(1.0)
    self.kept = x
    return x.sin() * 3 + x
)",
              {{"kept", at::zeros({2, 3})}}, "-----");
    }

    void aViewOfABufferKeptForTheNextCallIsTheBuffer()
    {
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    h = x * 2 + self.b
    self.kept.add_(1.0)
    v = self.b.view([2, 3])
    self.kept = v
    return h.sin() + v
)",
              {{"b", at::zeros({2, 3})}, {"kept", at::zeros({2, 3})}}, "+-------");
    }

    void aLoopThatBeginsWithTheArgumentDoesNotWriteIt()
    {
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    y = x.cos()
    h = x
    for i in range(3):
        h = (h * 2.0).relu_()
    return h.sin() + x + y
)",
              {}, "++++");
    }

    /// Also where the loop is the last node of the stage, or of a branch or loop around it.
    void aValueThatALoopReadsIsThereInEachRoundAndAfter()
    {
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    y = x.cos()
    z = x
    for i in range(3):
        z = z + y
    return z.sin() + y
)",
              {}, "+++");
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    o: Optional[Tensor] = None
    if bool(x.sum() > -100.0):
        o = x[0]
    z = x
    for i in range(3):
        z = torch.layer_norm(z, [3], o, None)
    return torch.layer_norm(z.sin(), [3], o, None)
)",
              {}, "+++++++");
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    y = x.cos()
    z = x
    for j in range(2):
        y = y * 2.0
        z = z.sin()
        if bool(x.sum() > -100.0):
            for i in range(3):
                z = z + y
    return z.sin() + y
)",
              {}, "+++");
    }

    void aLoopThatWritesWhatItIsGivenWritesTheArgument()
    {
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    y = x.cos()
    h = x
    for i in range(3):
        h.add_(1.0)
        h = h * 2.0
    return h.sin() + x + y
)",
              {}, "---+");
    }

    void theKeysOfADictShareMemoryToo()
    {
        const auto make = [] {
            const at::Tensor b = at::zeros({2, 3});
            Module module = makeModule("Keyed");
            c10::Dict<at::Tensor, std::int64_t> d;
            d.insert(b, 1);
            module.register_buffer("b", b);
            module.register_attribute("d", c10::DictType::create(c10::TensorType::get(), c10::IntType::get()), d);
            module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    h = x * 2 + self.b
    for k in self.d.keys():
        k.add_(1.0)
    return h.sin()
)");
            return module;
        };
        checkEveryLegalCut(make, tensors(), "+---+");
    }

    void theValuesOfASparseTensorShareMemoryToo()
    {
        const auto make = [] {
            const at::Tensor w = wave({3}, 0.5);
            const at::Tensor indices = at::tensor(std::vector<std::int64_t>{0, 1, 2}).repeat({2, 1});
            Module module = makeModule("Sparse");
            module.register_buffer("w", w);
            module.register_buffer("sp", at::_sparse_coo_tensor_unsafe(indices, w, {3, 3}));
            module.define(R"(
def forward(self, x: Tensor) -> Tensor:
    y = x + torch.mv(self.sp, x[0])
    self.w.mul_(2.0)
    return y.sin() + self.w
)");
            return module;
        };
        checkEveryLegalCut(make, tensors(), "+----");
    }

    void aFreshTensorKeptForTheNextCallForbidsNothing()
    {
        check(R"(
def forward(self, x: Tensor) -> Tensor:
    h = x * 2 + self.kept
    self.kept = h.cos()
    return h.sin() * 3 + h
)",
              {{"kept", at::zeros({2, 3})}}, "+---+++");
    }

    void gradientsInsideTheModelKeepTheirGraphInOneStage()
    {
        const auto make = [] {
            return withCode(R"(
def forward(self, x: Tensor) -> Tensor:
    y = x.cos() * 2.0
    y.requires_grad_()
    energy = (y.sin() * y).sum()
    forces = torch.grad([energy], [y])[0]
    if forces is None:
        out = y
    else:
        out = forces
    return out.exp() + 1.0
)");
        };
        checkEveryLegalCut(make, tensors(), "++------+++++", Grad::On);
    }
};

PIPESCOPE_TEST(TestEveryLegalCut)
#include "tst_every_legal_cut.moc"
