// exec/ on graphs in which the uses of an attribute that the model assigns are moved towards each other
// (import/gather_state.h).
#include "exec/model_state.h"
#include "exec_models.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::test;
using import::ImportedModel;

namespace {

/// With the attributes `s` and `t`, tensors, and `n`, a number.
Module made(const std::string &code)
{
    Module module = makeModule("Stateful");
    module.register_attribute("s", c10::TensorType::get(), at::zeros({2}));
    module.register_attribute("t", c10::TensorType::get(), at::ones({2}));
    module.register_attribute("n", c10::IntType::get(), 0);
    module.define("def forward(self, x: Tensor, k: int) -> Tensor:\n" + code);
    return module;
}

/// For k = 1, so that state is gathered.
ImportedModel gathered(const Module &module)
{
    return must(import::importMethod(module, "forward", {}, {{1, c10::IValue(1)}}));
}

int legalCuts(const graph::ModelGraph &graph)
{
    int legal = 0;
    for (int cut = 1; cut < graph.size(); ++cut)
        legal += partition::makePartition(graph, {cut}) ? 1 : 0;
    return legal;
}

/// What the nodes do at the top level, in order.
std::string orderOf(const ImportedModel &model)
{
    std::string text;
    for (const NodeId id : model.graph.order) {
        const graph::Node &node = model.graph.node(id);
        text += (text.empty() ? "" : " ") + node.op.substr(node.op.find("::") + 2);
        for (const std::string &fqn : node.stateRead)
            text += "<" + fqn;
        for (const std::string &fqn : node.stateWritten)
            text += ">" + fqn;
    }
    return text;
}

/// Three calls, each beginning with what the last one left, in every legal cut: as the model itself.
void verifyRuns(const Module &module, const ImportedModel &model)
{
    const exec::ModelState state = exec::ModelState::capture(model);
    Module copy = module;
    std::vector<at::Tensor> expected;
    for (int call = 0; call < 3; ++call)
        expected.push_back(copy.forward({wave({2}, 0.5 + call), 1}).toTensor().clone());
    for (int cut = 0; cut < model.graph.size(); ++cut) {
        const auto partition = partition::makePartition(model.graph, cut == 0 ? std::vector<int>{} : std::vector{cut});
        if (!partition)
            continue;
        state.restore();
        for (int call = 0; call < 3; ++call) {
            const auto outputs =
                must(runStages(model, *partition, {wave({2}, 0.5 + call), 1}, {MicrobatchId{call}, 0, {}, nullptr}));
            QVERIFY2(same(outputs[0], expected[static_cast<std::size_t>(call)]), std::to_string(cut).c_str());
        }
    }
    state.restore();
}

} // namespace

class TestGatheredState : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stateIsReadWhereItIsUsed()
    {
        const Module module = made("    old = self.s\n"
                                   "    h = torch.relu(torch.sin(x))\n"
                                   "    h = h + old\n"
                                   "    self.s = h\n"
                                   "    return torch.cos(h)\n");
        QCOMPARE(orderOf(gathered(module)), std::string("sin relu GetAttr<s add SetAttr>s cos"));
        verifyRuns(module, gathered(module));
    }

    void stateIsReadBeforeItIsAssigned()
    {
        const Module module = made("    old = self.s\n"
                                   "    h = torch.sin(x)\n"
                                   "    self.s = h\n"
                                   "    h = torch.relu(h)\n"
                                   "    return h + old\n");
        QCOMPARE(orderOf(gathered(module)), std::string("sin GetAttr<s SetAttr>s relu add"));
        verifyRuns(module, gathered(module));
    }

    void stateIsAssignedAsSoonAsItIsKnown()
    {
        const Module module = made("    h = torch.cat([self.s, x])\n"
                                   "    y = torch.relu(torch.sin(h))\n"
                                   "    self.s = h[-2:]\n"
                                   "    self.n = 5\n"
                                   "    return y\n");
        QCOMPARE(orderOf(gathered(module)),
                 std::string("GetAttr<s ListConstruct cat slice SetAttr>s sin relu SetAttr>n"));
        verifyRuns(module, gathered(module));
    }

    void stateThatIsReturnedWithAResultIsAssignedFirst()
    {
        Module module = makeModule("Stateful");
        module.register_attribute("s", c10::TensorType::get(), at::zeros({2}));
        module.define("def cell(self, x: Tensor, s: Tensor) -> Tuple[Tensor, Tensor]:\n"
                      "    h = torch.sin(x + s)\n"
                      "    return torch.cos(torch.relu(h)), h\n");
        module.define("def forward(self, x: Tensor, k: int) -> Tensor:\n"
                      "    y, s = self.cell(torch.tan(x), self.s)\n"
                      "    self.s = s\n"
                      "    return torch.tanh(y)\n");
        QCOMPARE(orderOf(gathered(module)), std::string("tan GetAttr<s add sin SetAttr>s relu cos tanh"));
        verifyRuns(module, gathered(module));
    }

    /// What is written in place before the slice is taken is in it.
    void whatIsWrittenInPlaceStaysBefore()
    {
        const Module module = made("    h = torch.cat([self.s, x])\n"
                                   "    y = torch.relu(torch.sin(h))\n"
                                   "    h.add_(1.0)\n"
                                   "    z = torch.tan(y)\n"
                                   "    self.s = h[-2:] * 2.0\n"
                                   "    return z + h\n");
        QCOMPARE(orderOf(gathered(module)),
                 std::string("GetAttr<s ListConstruct cat sin relu add_ slice mul SetAttr>s tan add"));
        verifyRuns(module, gathered(module));
    }

    void randomNumbersStayWhereTheyAreDrawn()
    {
        const Module module = made("    old = self.s\n"
                                   "    y = old + torch.rand([2])\n"
                                   "    y = torch.relu(y)\n"
                                   "    self.s = torch.rand([2])\n"
                                   "    return y\n");
        const std::string order = orderOf(gathered(module));
        QVERIFY2(order.ends_with("relu ListConstruct rand SetAttr>s") || order.ends_with("relu rand SetAttr>s"),
                 order.c_str());
    }

    void aResetMovesToTheNextUse()
    {
        const Module module = made("    if self.n != 0:\n"
                                   "        self.s = torch.zeros([2])\n"
                                   "        self.n = 0\n"
                                   "    h = torch.relu(torch.sin(x))\n"
                                   "    old = self.s\n"
                                   "    self.n = 1\n"
                                   "    self.s = h + old\n"
                                   "    return torch.cos(h + old)\n");
        const ImportedModel model = gathered(module);
        QCOMPARE(QString::fromStdString(orderOf(model)),
                 QString("GetAttr<n ne If>n SetAttr>n sin relu If>s GetAttr<s add SetAttr>s add cos"));
        verifyRuns(module, model);
        QVERIFY(legalCuts(model.graph) > legalCuts(imported(module).graph));
    }

    /// One value under two names, made anew for each, would be two.
    void aResetOfTwoAttributesToOneTensorStays()
    {
        const Module module = made("    if bool(self.n):\n"
                                   "        z = torch.zeros([2])\n"
                                   "        self.s = z\n"
                                   "        self.t = z\n"
                                   "    h = torch.relu(x)\n"
                                   "    self.s.add_(1.0)\n"
                                   "    self.n = 1\n"
                                   "    return h + self.s + self.t\n");
        const ImportedModel model = gathered(module);
        int ifs = 0;
        for (const NodeId id : model.graph.order)
            ifs += model.graph.node(id).op == "prim::If" ? 1 : 0;
        QCOMPARE(ifs, 1);
        verifyRuns(module, model);
    }

    void aResetToSomethingComputedStays()
    {
        const Module module = made("    y = x * 2.0\n"
                                   "    if bool(self.n):\n"
                                   "        self.s = y + 1.0\n"
                                   "    y.add_(1.0)\n"
                                   "    h = torch.relu(y)\n"
                                   "    self.n = 1\n"
                                   "    return h + self.s\n");
        const std::string order = orderOf(gathered(module));
        QVERIFY2(order.find("If>s GetAttr<s add_") != std::string::npos, order.c_str());
        verifyRuns(module, gathered(module));
    }

    void aConditionThatIsMetDecidesForWhatMovedToo()
    {
        const Module module = made("    if self.n > 1:\n"
                                   "        self.s = torch.ones([2])\n"
                                   "    else:\n"
                                   "        self.s = torch.full([2], 3.0)\n"
                                   "    h = torch.sin(x)\n"
                                   "    self.n = self.n + 1\n"
                                   "    return h * self.s\n");
        const ImportedModel model = gathered(module);
        QCOMPARE(QString::fromStdString(orderOf(model)),
                 QString("GetAttr<n GetAttr<n add SetAttr>n gt sin If>s GetAttr<s mul"));
        verifyRuns(module, model);
    }

    void nothingMovesPastALoopThatUsesTheAttribute()
    {
        const Module module = made("    old = self.s\n"
                                   "    for i in range(3):\n"
                                   "        self.s = self.s + torch.sin(x)\n"
                                   "    h = torch.relu(x)\n"
                                   "    self.n = 1\n"
                                   "    return h + old + self.s\n");
        const ImportedModel model = gathered(module);
        const std::string order = orderOf(model);
        QVERIFY2(order.find("GetAttr<s") < order.find("Loop"), order.c_str());
        verifyRuns(module, model);
    }

    void withoutSpecialisingNothingMoves()
    {
        const Module module = made("    old = self.s\n"
                                   "    h = torch.relu(torch.sin(x))\n"
                                   "    self.s = h\n"
                                   "    return h + old\n");
        QCOMPARE(orderOf(imported(module)), std::string("GetAttr<s sin relu SetAttr>s add"));
    }
};

PIPESCOPE_TEST(TestGatheredState)
#include "tst_gathered_state.moc"
