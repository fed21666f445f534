// Lists and dicts that modules pass on and change: each stage gets them as the stages before left them, and no stage
// sees what a later one does.
#include "every_cut.h"
#include "support/test_program.h"

#include <utility>

using namespace pipescope;
using namespace pipescope::exec;
using namespace pipescope::test;

namespace {

using Data = c10::Dict<std::string, at::Tensor>;

c10::IValue dataOf(const at::Tensor &x)
{
    Data data;
    data.insert("x", x.clone());
    data.insert("y", x + 2.0);
    return data;
}

Calls dicts()
{
    return threeOf(dataOf);
}

Calls lists()
{
    return threeOf([](const at::Tensor &x) { return c10::IValue(c10::List<at::Tensor>({x, x + 1.0})); });
}

Calls numbers()
{
    Calls calls = tensors();
    for (Values &call : calls) {
        c10::Dict<std::int64_t, at::Tensor> d;
        d.insert(5, call[0].toTensor() + 1.0);
        call.emplace_back(c10::List<std::int64_t>({3}));
        call.emplace_back(d);
    }
    return calls;
}

std::string reasonAt(const std::string &code, int position)
{
    return partition::allCuts(imported(withCode(code)).graph).at(static_cast<std::size_t>(position) - 1).reason;
}

void checkCode(const std::string &code, const Calls &calls, const std::string &legal)
{
    checkEveryLegalCut([&] { return withCode(code); }, calls, legal);
}

// One with children "a" and "b" whose forward has the code, "FROM" and "TO" being keys; and the code that calls them.
Module inTurn(const std::string &child, const std::string &forward)
{
    Module model = makeModule("InTurn");
    for (const auto &[name, from] : {std::pair("a", "x"), std::pair("b", "a")}) {
        QString code = QString::fromStdString(child);
        Module module = makeModule(std::string("Fills_") + name);
        module.define(code.replace("FROM", from).replace("TO", name).toStdString());
        model.register_module(name, module);
    }
    model.define(forward);
    return model;
}

constexpr const char *Fills = R"(
def forward(self, data: Dict[str, Tensor]) -> Dict[str, Tensor]:
    data["TO"] = torch.relu_(data["FROM"] * 2.0)
    return data
)";

} // namespace

class TestPassedOnContainers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void modulesThatFillTheirArgumentInTurnCanBeParted()
    {
        checkEveryLegalCut(
            [] {
                return inTurn(Fills, R"(
def forward(self, data: Dict[str, Tensor]) -> Dict[str, Tensor]:
    return self.b.forward(self.a.forward(data))
)");
            },
            dicts(), "+-+-++-+-");
    }

    void modulesThatFillADictOfTheMethodInTurnCanBeParted()
    {
        checkEveryLegalCut(
            [] {
                return inTurn(Fills, R"(
def forward(self, x: Tensor) -> Tensor:
    data = self.b.forward(self.a.forward({"x": x.sin()}))
    return data["b"] + data["a"]
)");
            },
            tensors(), "+++-+-++-+-+++");
    }

    void modulesThatAppendToTheirArgumentInTurnCanBeParted()
    {
        checkEveryLegalCut(
            [] {
                return inTurn(R"(
def forward(self, items: List[Tensor]) -> List[Tensor]:
    items.append(items[-1].sin())
    return items
)",
                              R"(
def forward(self, items: List[Tensor]) -> List[Tensor]:
    return self.b.forward(self.a.forward(items))
)");
            },
            lists(), "++-+++-");
    }

    void modulesThatGiveBackADictAndAListCanBeParted()
    {
        checkEveryLegalCut(
            [] {
                return inTurn(R"(
def forward(self, data: Dict[str, Tensor], items: List[Tensor]) -> Tuple[Dict[str, Tensor], List[Tensor]]:
    data["TO"] = items[-1].cos()
    items.append(data["FROM"])
    return data, items
)",
                              R"(
def forward(self, data: Dict[str, Tensor], items: List[Tensor]):
    data, items = self.a.forward(data, items)
    return self.b.forward(data, items)
)");
            },
            [] {
                Calls calls = dicts();
                for (Values &call : calls)
                    call.emplace_back(c10::List<at::Tensor>({call[0].toGenericDict().at("x").toTensor() * 0.5}));
                return calls;
            }(),
            "++-++-+++-++-+");
    }

    void aValueOfAnEarlyVersionIsThatOfTheTime()
    {
        checkCode(R"(
def forward(self, data: Dict[str, Tensor]):
    n = len(data)
    y = data["x"]
    data["x"] = y.sin()
    z = data["x"] * n
    data["z"] = z
    return data, z + y
)",
                  dicts(), "+++-+++-++");
    }

    void everyWayToChangeADictIsSeenByTheStagesAfter()
    {
        for (const char *change : {"data.clear()", "z = data.pop(\"x\")", "z = data.popitem()",
                                   "z = data.setdefault(\"z\", h)", "del data[\"x\"]"})
            checkCode("def forward(self, data: Dict[str, Tensor]):\n    h = data[\"x\"] * 2.0\n    " +
                          std::string(change) + "\n    return h, data\n",
                      dicts(), "++-+");
        checkCode(R"(
def forward(self, data: Dict[str, Tensor]):
    h = data["x"] * 2.0
    data.update({"z": h})
    return h, data
)",
                  dicts(), "++--+");
    }

    void everyWayToChangeAListIsSeenByTheStagesAfter()
    {
        for (const char *change : {"items[0] = h", "items.insert(0, h)", "items.clear()", "z = items.pop(0)",
                                   "items.reverse()", "del items[0]"})
            checkCode("def forward(self, items: List[Tensor]):\n    h = items[0] * 2.0\n    " + std::string(change) +
                          "\n    return h, items\n",
                      lists(), "++-+");
        checkCode(R"(
def forward(self, items: List[Tensor]):
    h = items[0] * 2.0
    items.extend([h, h])
    return h, items
)",
                  lists(), "++--+");
        checkCode(R"(
def forward(self, items: List[Tensor]):
    h = items[0] * 2.0
    items += [h]
    return h, items
)",
                  lists(), "++-+");
    }

    void aChangeInABranchOrLoopIsSeenByTheStagesAfter()
    {
        checkCode(R"(
def forward(self, data: Dict[str, Tensor]):
    h = data["x"].sin()
    if bool(h.sum() > 0.5):
        data["x"] = h * 2.0
    g = data["x"].cos()
    for i in range(3):
        data["y"] = data["y"] + g
    return data["x"] + data["y"]
)",
                  dicts(), "+++++-+++-+++");
    }

    void aDictReadByTwoLaterStagesIsTheSameInBoth()
    {
        checkCode(R"(
def forward(self, data: Dict[str, Tensor]):
    data["a"] = data["x"].sin()
    h = data["a"] * 2.0
    return h.cos() + data["a"], data
)",
                  dicts(), "++-++++++");
    }

    void oneDictUnderTwoNamesIsChangedInOneStage()
    {
        checkCode(R"(
def forward(self, data: Dict[str, Tensor]):
    other = data
    if bool(data["x"].sum() > 0.0):
        other = {"x": data["y"]}
    h = other["x"].sin()
    other["a"] = h
    g = h.cos()
    return g + len(data) + len(other)
)",
                  dicts(), "++++------+++");
    }

    /// The branch uses a tensor before the dict that it gives back.
    void aDictThatABranchGivesBackIsOneWithIt()
    {
        checkCode(R"(
def forward(self, x: Tensor):
    data = {"x": x}
    t = x.cos()
    other = {"z": t}
    if bool(x.sum() > 0.0):
        h = t.sin()
        data["t"] = t
        other = data
    g = t.exp()
    other["a"] = g
    return g.sin() + len(data)
)",
                  tensors(), "++---------+");
    }

    /// No tensor is used in the branches: a list is what the names of the dict share their tensors with, and a dict
    /// what those of the list do.
    void aSecondNameBesideAContainerOfTheOtherKindIsOneWithTheFirst()
    {
        checkCode(R"(
def forward(self, x: Tensor):
    xs = [x, x + 1.0]
    data = {"x": x * 2.0}
    if bool(x.sum() > 1000.0):
        other = {"x": xs[1]}
    else:
        other = data
    other["a"] = x
    return x.sin() + len(data) + len(other)
)",
                  tensors(), "+++++++----+++");
        checkCode(R"(
def forward(self, x: Tensor):
    data = {"x": x}
    xs = [x * 2.0]
    if bool(x.sum() > 1000.0):
        other = [data["x"]]
    else:
        other = xs
    other.append(x)
    return x.sin() + len(xs) + len(other)
)",
                  tensors(), "++++++----+++");
    }

    void aListInADictIsChangedInTheStageOfTheDict()
    {
        const std::string code = R"(
def forward(self, x: Tensor):
    data = {"x": [x]}
    h = x.sin()
    data["x"].append(h)
    g = h.cos()
    return g + data["x"][-1]
)";
        checkCode(code, tensors(), "+-----++");
        QCOMPARE(
            reasonAt(code, 2),
            std::string("'prim::DictConstruct:0' is used after the cut, where aten::append (<string>:5) changes it "
                        "or a list or dict that it may hold; a stage can be given a list or dict to change, but "
                        "none of type Dict[str, List[Tensor]]"));
    }

    void aTensorInADictIsStillWrittenInOneStage()
    {
        checkCode(R"(
def forward(self, data: Dict[str, Tensor]):
    h = data["x"] * 2.0
    data["a"] = h
    g = h.sin()
    data["a"].add_(1.0)
    return g + data["a"] + h
)",
                  dicts(), "---------");
    }

    void aForkThatChangesADictDoesSoInOneStage()
    {
        checkEveryLegalCut(
            [] {
                Module module = makeModule("Forks");
                module.define(R"(
def fills(self, data: Dict[str, Tensor]) -> Tensor:
    data["a"] = data["x"].sin()
    return data["a"] * 2.0

def forward(self, data: Dict[str, Tensor]):
    h = torch.wait(fork(self.fills, data))
    g = h.cos()
    return g + data["a"]
)",
                              std::make_shared<ForkResolver>());
                return module;
            },
            dicts(), "--+++");
    }

    void aListThatMayBeNoneIsPassedOn()
    {
        Calls calls = tensors();
        for (Values &call : calls)
            call.emplace_back();
        checkCode(R"(
def forward(self, x: Tensor, items: Optional[List[Tensor]] = None):
    if items is None:
        items = [x]
    items.append(x.sin())
    h = x.cos()
    items.append(h)
    return h + items[1], items
)",
                  calls, "-++-++-+++");
    }

    void listsOfNumbersAndDictsWithNumbersForKeysArePassedOn()
    {
        checkCode(R"(
def forward(self, x: Tensor, sizes: List[int], d: Dict[int, Tensor]):
    sizes.append(7)
    d[7] = x * sizes[0]
    return x.sin(), sizes, d
)",
                  numbers(), "-+++-++");
    }

    void aStageChangesACopyOfWhatOthersHaveToo()
    {
        const auto model = imported(withCode(R"(
def forward(self, data: Dict[str, Tensor]):
    h = data["x"].sin()
    data["a"] = h
    return h.cos() + data["a"]
)"));
        const int change = positionNamed(model.graph, "aten::_set_item");
        const auto partition = must(partition::makePartition(model.graph, {change}));
        const auto program = must(StageProgram::build(model, partition.stages[1], heldBy(model)));
        const c10::IValue data = dataOf(wave({2, 3}));
        Values inputs;
        for (const ValueId id : program.inputs())
            inputs.push_back(model.graph.value(id).kind == graph::ValueKind::Input ? data : c10::IValue(wave({2, 3})));
        must(program.run(inputs, {MicrobatchId{0}, 0, {}, nullptr}));
        QCOMPARE(data.toGenericDict().size(), std::size_t(2));
    }

    void anArgumentOfOneStageIsChangedWhereTheCallerHasIt()
    {
        const auto model = imported(withCode(R"(
def forward(self, x: Tensor, data: Dict[str, Tensor]):
    h = x.sin()
    data["a"] = h + data["x"]
    return h.cos() + data["a"]
)"));
        const auto partition = must(partition::makePartition(model.graph, {1}));
        const auto program = must(StageProgram::build(model, partition.stages[1], heldBy(model)));
        const c10::IValue data = dataOf(wave({2, 3}));
        Values inputs;
        for (const ValueId id : program.inputs())
            inputs.push_back(model.graph.value(id).name == "data" ? data : c10::IValue(wave({2, 3})));
        must(program.run(inputs, {MicrobatchId{0}, 0, {}, nullptr}));
        QCOMPARE(data.toGenericDict().size(), std::size_t(3));
    }
};

PIPESCOPE_TEST(TestPassedOnContainers)
#include "tst_passed_on_containers.moc"
