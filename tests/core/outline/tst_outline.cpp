#include "pickled.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using outline::OutlineLimits;
using tests::callsText;
using tests::namesOf;
using tests::nodesText;
using tests::Pickled;

namespace {

constexpr const char *Linear = R"(class Linear(Module):
  __parameters__ = ["weight", "bias", ]
  def forward(self: __torch__.Linear,
    input: Tensor) -> Tensor:
    weight = self.weight
    bias = self.bias
    return torch.linear(input, weight, bias)
)";

/// One linear layer for each attribute of the model.
Pickled linears(const std::string &forward, const std::vector<std::string> &names)
{
    Pickled model(std::string("class Net(Module):\n  __parameters__ = []\n") + forward + Linear);
    Pickled::Attributes attributes;
    for (const std::string &name : names) {
        attributes.emplace_back(name, model.object("Linear", {{"weight", model.tensor()}, {"bias", model.tensor()}}));
        for (const char *own : {"weight", "bias"})
            model.parameters.push_back({name + "." + own, {}, false, {"float32", {2, 2}, 16, true}, {}});
        model.modules.push_back({name, "Linear", 6, 24, 0});
    }
    model.object("Net", attributes);
    return model;
}

std::string repeated(const std::string &text, int times)
{
    std::string all;
    for (int i = 0; i < times; ++i)
        all += text;
    return all;
}

} // namespace

class TestOutline : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void modulesStandInTheOrderTheyAreCalledIn()
    {
        Pickled model = linears("  def forward(self: __torch__.Net,\n    x: Tensor) -> Tensor:\n"
                                "    b = self.b\n    a = self.a\n"
                                "    _0 = torch.relu((b).forward(x, ))\n"
                                "    return (a).forward(_0, )\n",
                                {"a", "b"});
        const graph::ModelGraph graph = model.outline();
        QCOMPARE(nodesText(graph), std::string("b/aten::linear(x b.weight b.bias)\n"
                                               "aten::relu(b/aten::linear:0)\n"
                                               "a/aten::linear(aten::relu:0 a.weight a.bias)\n"));
        QCOMPARE(callsText(graph), std::string("b 0-1\na 2-3\n"));
        QCOMPARE(graph.node(NodeId{0}).className, std::string("Linear"));
        QCOMPARE(graph.arguments.size(), std::size_t(1));
        QCOMPARE(graph.arguments[0].type, std::string("Tensor"));
        QCOMPARE(namesOf(graph, graph.outputs), std::string("a/aten::linear:0"));
        QVERIFY(graph.parameters[0].value.valid());
        QCOMPARE(model.notes, std::vector<std::string>());
    }

    void aNodeKnowsItsLine()
    {
        Pickled model = linears("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n"
                                "    _0 = torch.relu(x)\n"
                                "    return torch.tanh(_0)\n",
                                {});
        const graph::ModelGraph graph = model.outline();
        QCOMPARE(graph.node(NodeId{1}).source.file, std::string("code/__torch__.py"));
        QCOMPARE(graph.node(NodeId{1}).source.line, 5);
        QCOMPARE(graph.node(NodeId{1}).source.text, std::string("return torch.tanh(_0)"));
    }

    void aModuleCalledTwiceHasTwoCalls()
    {
        Pickled model = linears("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n"
                                "    a = self.a\n"
                                "    return (a).forward((a).forward(x, ), )\n",
                                {"a"});
        QCOMPARE(callsText(model.outline()), std::string("a 0-1\na#1 1-2\n"));
    }

    void attributesWithNumbersForNamesAreFollowed()
    {
        Pickled model = linears("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n"
                                "    _0 = getattr(self, \"0\")\n"
                                "    return (_0).forward(x, )\n",
                                {"0"});
        QCOMPARE(callsText(model.outline()), std::string("0 0-1\n"));
    }

    void bothBranchesAreInside()
    {
        Pickled model = linears("  def forward(self: __torch__.Net, x: Tensor, n: int) -> Tensor:\n"
                                "    if torch.eq(n, 1):\n"
                                "      a = self.a\n"
                                "      y = (a).forward(x, )\n"
                                "    else:\n"
                                "      y = torch.relu(x)\n"
                                "    return torch.tanh(y)\n",
                                {"a"});
        const graph::ModelGraph graph = model.outline();
        QCOMPARE(nodesText(graph), std::string("aten::eq(n)\n"
                                               "prim::If(aten::eq:0 x a.weight a.bias)\n"
                                               "  a/aten::linear(x a.weight a.bias)\n"
                                               "  aten::relu(x)\n"
                                               "aten::tanh(prim::If:0)\n"));
        QCOMPARE(callsText(graph), std::string("a 1-1 inside prim::If\n"));
    }

    void whatALoopCarriesGoesOnBehindIt()
    {
        Pickled model = linears("  def forward(self: __torch__.Net, x: Tensor, n: int) -> Tensor:\n"
                                "    y = x\n"
                                "    for i in range(n):\n"
                                "      y = torch.add(y, i)\n"
                                "    return torch.relu(y)\n",
                                {});
        QCOMPARE(nodesText(model.outline()), std::string("prim::Loop(n x)\n"
                                                         "  aten::add(x prim::Loop:i)\n"
                                                         "aten::relu(prim::Loop:0)\n"));
    }

    void tuplesAreTakenApart()
    {
        Pickled model = linears("  def forward(self: __torch__.Net, x: Tensor) -> Tuple[Tensor, Tensor]:\n"
                                "    a, b, = (self).both(x, )\n"
                                "    c, d = b, a\n"
                                "    return (torch.relu(c), d)\n"
                                "  def both(self: __torch__.Net, x: Tensor) -> Tuple[Tensor, Tensor]:\n"
                                "    return (torch.sin(x), torch.cos(x))\n",
                                {});
        const graph::ModelGraph graph = model.outline();
        QCOMPARE(nodesText(graph), std::string("aten::sin(x)\naten::cos(x)\naten::relu(aten::cos:0)\n"
                                               "prim::TupleConstruct(aten::relu:0 aten::sin:0)\n"));
        QCOMPARE(callsText(graph), std::string()); // a method of its own is no call of a module
    }

    void functionsOfTheArchiveAreFollowed()
    {
        Pickled model = linears("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n"
                                "    _0 = __torch__.twice\n"
                                "    return _0(__torch__.twice(x, ), )\n"
                                "def twice(input: Tensor) -> Tensor:\n"
                                "  return torch.add(input, input)\n",
                                {});
        QCOMPARE(nodesText(model.outline()), std::string("aten::add(x x)\naten::add#1(aten::add:0 aten::add:0)\n"));
    }

    void whatIsAssignedIsState()
    {
        Pickled model = linears("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n"
                                "    self.kept = torch.relu(x)\n"
                                "    return x\n",
                                {});
        const graph::ModelGraph graph = model.outline();
        QCOMPARE(nodesText(graph), std::string("aten::relu(x)\nprim::SetAttr(aten::relu:0)\n"));
        QCOMPARE(graph.node(NodeId{1}).stateWritten, std::vector<std::string>{"kept"});
    }

    void placesMarkedByTheAuthorAreNoOperators()
    {
        Pickled model = linears("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n"
                                "    _0 = torch.relu(x)\n"
                                "    _1 = ops.pippy._pipe_split()\n"
                                "    _2 = ops.pipescope.boundary(_0, \"here\")\n"
                                "    return torch.tanh(_2)\n",
                                {});
        const graph::ModelGraph graph = model.outline();
        QCOMPARE(nodesText(graph), std::string("aten::relu(x)\naten::tanh(aten::relu:0)\n"));
        QCOMPARE(graph.markers.size(), std::size_t(2));
        QCOMPARE(graph.markers[1].position, 1);
        QCOMPARE(graph.markers[1].name, std::string("here"));
    }

    void operatorsNobodyKnowsAreNodesToo()
    {
        Pickled model = linears("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n"
                                "    return ops.nolib.mix(x, 1, alpha=[x, x])\n",
                                {});
        QCOMPARE(nodesText(model.outline()), std::string("prim::ListConstruct(x x)\n"
                                                         "nolib::mix(x prim::ListConstruct:0)\n"));
    }

    void operandsKeepTheirPlaceWhereOthersAreNotKnown()
    {
        Pickled model = linears("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n"
                                "    y = torch.add(x, x, alpha=2)\n"
                                "    return torch.where(None, y, x)\n",
                                {});
        const graph::ModelGraph graph = model.outline();
        const ValueId x{0};
        const ValueId y{1};
        QCOMPARE(graph.at(0).operands, (std::vector<ValueId>{x, x, ValueId{}}));
        QCOMPARE(graph.at(0).uses, std::vector<ValueId>{x});
        QCOMPARE(graph.at(1).operands, (std::vector<ValueId>{ValueId{}, y, x}));
        QCOMPARE(graph.at(1).uses, (std::vector<ValueId>{y, x}));
    }

    void aTiedParameterIsOneValue()
    {
        Pickled model = linears("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n"
                                "    a = self.a\n    b = self.b\n"
                                "    return (b).forward((a).forward(x, ), )\n",
                                {"a", "b"});
        model.parameters[2].tiedTo = "a.weight";
        const graph::ModelGraph graph = model.outline();
        QCOMPARE(graph.parameters[0].value, graph.parameters[2].value);
        QCOMPARE(nodesText(graph), std::string("a/aten::linear(x a.weight a.bias)\n"
                                               "b/aten::linear(a/aten::linear:0 a.weight b.bias)\n"));
    }

    void withoutCodeModulesStandInTheOrderTheyAreRegisteredIn()
    {
        Pickled model = linears("  pass\n", {"a", "b"});
        model.modules.push_back({"b.inner", "ReLU", 0, 0, 0});
        const graph::ModelGraph graph = model.outline();
        QCOMPARE(nodesText(graph),
                 std::string("a/Linear(a.weight a.bias)\nb/Linear(b.weight b.bias)\nb.inner/ReLU()\n"));
        QCOMPARE(callsText(graph), std::string("a 0-1\nb 1-3\nb.inner 2-3\n"));
        QCOMPARE(model.notes, std::vector<std::string>{"the file has no code of forward: its modules are shown in the "
                                                       "order they are registered in"});
    }

    void aModelOfOneModuleHasOneBox()
    {
        Pickled model = linears("  pass\n", {});
        QCOMPARE(nodesText(model.outline()), std::string("Net()\n"));
    }

    void codeThatCallsItselfEnds()
    {
        Pickled model = linears("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n"
                                "    y = (self).forward(torch.relu(x), )\n"
                                "    return (self).forward(y, )\n",
                                {});
        OutlineLimits limits;
        limits.nodes = 1000;
        limits.words = 100'000;
        const graph::ModelGraph graph = model.outline("forward", limits);
        QCOMPARE(graph.nodes.size(), std::size_t(1000));
        QCOMPARE(model.notes,
                 std::vector<std::string>{"the code of forward calls more than is shown: the picture is not whole"});
    }

    /// 2^40 calls of nothing.
    void codeThatCallsWithoutEndAndDoesNothingEnds()
    {
        std::string code = "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n    return (self).f0(x, )\n";
        for (int i = 0; i < 40; ++i)
            code += fmt::format("  def f{0}(self: __torch__.Net, x: Tensor) -> Tensor:\n"
                                "    y = (self).f{1}(x, )\n    return (self).f{1}(y, )\n",
                                i, i + 1);
        code += "  def f40(self: __torch__.Net, x: Tensor) -> Tensor:\n    return x\n";
        Pickled model = linears(code, {});
        const graph::ModelGraph graph = model.outline();
        QVERIFY(graph.nodes.size() < 10);
        QCOMPARE(model.notes.size(), std::size_t(1));
    }

    /// Tuples of twice the tuple before: 2^200 values if they were written out.
    void tuplesOfTuplesEnd()
    {
        std::string body = "    t = (x, x)\n";
        body += repeated("    t = (t, t)\n", 200);
        Pickled model = linears(
            "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n" + body + "    return torch.stack(t)\n", {});
        OutlineLimits limits;
        limits.nodes = 5000;
        QVERIFY(model.outline("forward", limits).nodes.size() <= 5000);
    }

    void branchesWithinBranchesEnd()
    {
        std::string body;
        for (int i = 0; i < 90; ++i)
            body += std::string(static_cast<std::size_t>(i) + 4, ' ') + "if torch.Bool(x):\n";
        body += std::string(94, ' ') + "y = torch.relu(x)\n";
        Pickled model =
            linears("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n" + body + "    return x\n", {});
        QVERIFY(!model.outline().nodes.empty());
        QCOMPARE(model.notes.size(), std::size_t(1));
    }

    void modulesNestedWithoutEndAreFollowedAsFarAsIsSaid()
    {
        Pickled model("class Net(Module):\n  __parameters__ = []\n"
                      "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n"
                      "    inner = self.inner\n    return (inner).forward(torch.relu(x), )\n");
        Pickled::Attributes inner;
        for (int i = 0; i < 500; ++i)
            inner = {{"inner", model.object("Net", inner)}};
        model.object("Net", inner);
        const graph::ModelGraph graph = model.outline();
        QVERIFY(graph.calls.size() <= 64);
        QVERIFY(!model.notes.empty());
    }

    void namesWithControlCharactersAreNames()
    {
        const std::string odd("a\x01\t\xc3\xa9", 5);
        Pickled model = linears("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n"
                                "    _0 = getattr(self, \"" +
                                    odd +
                                    "\")\n"
                                    "    return (_0).forward(x, )\n",
                                {odd});
        QCOMPARE(callsText(model.outline()), odd + " 0-1\n");
    }

    void thousandsOfModulesAreSharedByThousandsOfNames()
    {
        std::string body = "    y0 = x\n";
        for (int i = 0; i < 5000; ++i)
            body += fmt::format("    m{0} = self.m{0}\n    y{1} = (m{0}).forward(y{0}, )\n", i, i + 1);
        Pickled model(std::string("class Net(Module):\n  __parameters__ = []\n"
                                  "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n") +
                      body + "    return y5000\n" + Linear);
        const archive::PickleRef one = model.object("Linear", {});
        Pickled::Attributes names;
        for (int i = 0; i < 5000; ++i)
            names.emplace_back(fmt::format("m{}", i), one);
        model.object("Net", names);
        QCOMPARE(model.outline().calls.size(), std::size_t(5000));
        QCOMPARE(model.notes, std::vector<std::string>());
    }

    /// That the dict is listed once, and not for each of them, is counted in tst_objects.
    void objectsThatShareTheirAttributesAreCalledEach()
    {
        constexpr int Many = 400;
        std::string body = "    y0 = x\n";
        for (int i = 0; i < Many; ++i)
            body += fmt::format("    m{0} = self.m{0}\n    y{1} = (m{0}).forward(y{0}, )\n", i, i + 1);
        Pickled model(std::string("class Net(Module):\n  __parameters__ = []\n"
                                  "  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n") +
                      body + fmt::format("    return y{}\n", Many) + Linear);
        Pickled::Attributes shared;
        for (int i = 0; i < Many; ++i)
            shared.emplace_back(fmt::format("attribute{}", i), model.tensor());
        const archive::PickleRef first = model.object("Linear", shared);
        Pickled::Attributes names;
        for (int i = 0; i < Many; ++i)
            names.emplace_back(fmt::format("m{}", i), model.twin(first));
        model.object("Net", names);
        QCOMPARE(model.outline().calls.size(), std::size_t(Many));
    }

    /// What is inside many branches is read through each of them.
    void whatBranchesReadFromOutsideIsCountedToo()
    {
        constexpr int Levels = 30;
        constexpr int Names = 50;
        std::string body;
        std::string list;
        for (int i = 0; i < Names; ++i) {
            body += fmt::format("    y{0} = torch.relu(x)\n", i);
            list += fmt::format("y{}, ", i);
        }
        for (int i = 0; i < Levels; ++i)
            body += std::string(static_cast<std::size_t>(i) + 4, ' ') + "if torch.Bool(x):\n";
        body += std::string(Levels + 4, ' ') + "z = torch.stack([" + list + "])\n";
        Pickled model =
            linears("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n" + body + "    return x\n", {});
        const auto operands = [](const graph::ModelGraph &graph) {
            std::size_t count = 0;
            for (const graph::Node &node : graph.nodes)
                count += node.uses.size();
            return count;
        };
        const std::size_t all = operands(model.outline());
        QVERIFY2(all > Levels * Names, qPrintable(QString::number(all)));
        QCOMPARE(model.notes, std::vector<std::string>());
        OutlineLimits limits;
        limits.operands = 500; // enough for what the code itself says
        QVERIFY(operands(model.outline("forward", limits)) <= 500);
        QCOMPARE(model.notes,
                 std::vector<std::string>{"the code of forward calls more than is shown: the picture is not whole"});
    }

    void noCodeDoesHarm_data()
    {
        QTest::addColumn<QString>("body");
        for (const char *body : {"= 3",
                                 "x, = ",
                                 "self.x.y.z = x",
                                 "(((x)))",
                                 "x = [",
                                 "for in x:",
                                 "for :",
                                 "if :",
                                 "if",
                                 "while",
                                 "with",
                                 "return",
                                 "return ,",
                                 "x = y = z",
                                 "x[0] = 1",
                                 "torch.relu",
                                 "torch.relu(",
                                 "torch.relu()()()",
                                 "a.b(c).d(e)",
                                 "getattr(self)",
                                 "getattr(self, 3)",
                                 "getattr(self, \"forward\")",
                                 "self()",
                                 "self.forward",
                                 "(self).forward",
                                 "x = (self).nothing(x, )",
                                 "else:",
                                 "elif x:",
                                 "x = x if x else x",
                                 "lambda x: x",
                                 "x = {x: x, }",
                                 "x = x[0:1, :]",
                                 "__torch__.Net.__new__(__torch__.Net)",
                                 "*x",
                                 "f(*x, **y)",
                                 "x = 'a' \"b\"",
                                 "def f(",
                                 "-",
                                 "x = (,)",
                                 "x == x",
                                 "x.=x"})
            QTest::newRow(body) << QString(body);
    }

    void noCodeDoesHarm()
    {
        QFETCH(QString, body);
        Pickled model = linears("  def forward(self: __torch__.Net, x: Tensor) -> Tensor:\n    " + body.toStdString() +
                                    "\n    return torch.relu(x)\n",
                                {"a"});
        const graph::ModelGraph graph = model.outline();
        QVERIFY(model.notes.empty() || graph.nodes.size() <= 2);
    }
};

PIPESCOPE_TEST(TestOutline)
#include "tst_outline.moc"
