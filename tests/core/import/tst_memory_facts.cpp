#include "import/memory_facts.h"

#include "import/device_pass.h"

#include <torch/csrc/jit/ir/irparser.h>

#include "support/test_program.h"

#include <QTest>
#include <algorithm>

using namespace pipescope;
using torch::jit::Node;
using torch::jit::Value;

namespace {

std::shared_ptr<torch::jit::Graph> parsed(const std::string &text)
{
    auto graph = std::make_shared<torch::jit::Graph>();
    torch::jit::parseIR(text, graph.get());
    return graph;
}

/// The first node of a kind, in preorder.
Node *nodeOf(torch::jit::Block &block, const char *kind)
{
    for (Node *node : block.nodes()) {
        if (node->kind().toQualString() == std::string(kind))
            return node;
        for (torch::jit::Block *inner : node->blocks())
            if (Node *const found = nodeOf(*inner, kind))
                return found;
    }
    return nullptr;
}

/// Of an input; the parser gives no other value its name, so those have that of their node.
std::string nameOf(const Value &value)
{
    return value.node()->kind() == c10::prim::Param ? value.debugName() : value.node()->kind().toQualString();
}

std::string names(const std::vector<Value *> &values)
{
    std::string text;
    for (const Value *value : values)
        text += (text.empty() ? "" : " ") + nameOf(*value);
    return text;
}

bool shares(const import::MemoryFacts &facts, const std::string &a, const std::string &b)
{
    return std::any_of(facts.shares.begin(), facts.shares.end(), [&](const auto &pair) {
        const std::string first = nameOf(*pair.first);
        const std::string second = nameOf(*pair.second);
        return (first == a && second == b) || (first == b && second == a);
    });
}

// Two ifs, one in the other; in the inner one a view of %x is written.
constexpr const char *WriteInside = R"ir(
graph(%x : Tensor, %y : Tensor, %c : bool, %one : int, %sizes : int[]):
  %outer : Tensor = prim::If(%c)
    block0():
      %view : Tensor = aten::view(%x, %sizes)
      %inner : Tensor = prim::If(%c)
        block0():
          %sum : Tensor = aten::add_(%view, %y, %one)
          -> (%sum)
        block1():
          %other : Tensor = aten::add(%y, %y, %one)
          -> (%other)
      -> (%inner)
    block1():
      %fresh : Tensor = aten::add(%y, %y, %one)
      -> (%fresh)
  return (%outer)
)ir";

} // namespace

class TestMemoryFacts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsUsedInsideComesInOrderAndOnceAndNothingMadeInside()
    {
        const auto graph = parsed(WriteInside);
        import::GraphMemory memory;
        Node *const outer = nodeOf(*graph->block(), "prim::If");
        Node *const inner = nodeOf(*outer->blocks()[0], "prim::If");
        QCOMPARE(names(memory.usedValues(*outer)), std::string("c x sizes y one"));
        QCOMPARE(names(memory.usedValues(*inner)), std::string("c aten::view y one"));
        QCOMPARE(names(memory.usedValues(*nodeOf(*outer->blocks()[1], "aten::add"))), std::string("y one"));
    }

    void aWriteInsideIsSeenFromEveryBlockAround()
    {
        const auto graph = parsed(WriteInside);
        import::GraphMemory memory;
        Node *const outer = nodeOf(*graph->block(), "prim::If");
        Node *const inner = nodeOf(*outer->blocks()[0], "prim::If");
        // The order of asking makes no difference.
        for (int time = 0; time < 2; ++time) {
            QCOMPARE(names(memory.facts(*outer).writes), std::string("x"));
            QCOMPARE(names(memory.facts(*inner).writes), std::string("aten::view"));
        }
        QCOMPARE(names(memory.facts(*nodeOf(*graph->block(), "aten::add_")).writes), std::string("aten::view"));
        QCOMPARE(names(memory.facts(*outer).containerWrites), std::string());
    }

    void theResultOfAnIfSharesWhatItsBranchesGive()
    {
        const auto graph = parsed(WriteInside);
        import::GraphMemory memory;
        Node *const outer = nodeOf(*graph->block(), "prim::If");
        Node *const inner = nodeOf(*outer->blocks()[0], "prim::If");
        const import::MemoryFacts inside = memory.facts(*inner);
        QCOMPARE(inside.shares.size(), std::size_t(1));
        QVERIFY(shares(inside, "aten::view", "prim::If"));
        const import::MemoryFacts facts = memory.facts(*outer);
        QCOMPARE(facts.shares.size(), std::size_t(1));
        QVERIFY(shares(facts, "x", "prim::If"));
    }

    /// As torch.nn.functional canonicalises masks: what is written is made in the branch, and only what leaves the if
    /// may be either.
    void aFreshTensorThatIsWrittenInOneBranchDoesNotWriteWhatTheOtherGives()
    {
        const auto graph = parsed(R"ir(
graph(%mask : Tensor, %c : bool, %fill : float, %n : NoneType):
  %given : Tensor = prim::If(%c)
    block0():
      %zeros : Tensor = aten::zeros_like(%mask, %n, %n, %n, %n, %n)
      %filled : Tensor = aten::masked_fill_(%zeros, %mask, %fill)
      -> (%filled)
    block1():
      -> (%mask)
  return (%given)
)ir");
        import::GraphMemory memory;
        const auto facts = memory.facts(*nodeOf(*graph->block(), "prim::If"));
        QCOMPARE(names(facts.writes), std::string());
        QVERIFY(shares(facts, "prim::If", "mask"));
    }

    void aWriteBeforeTheOperandIsSharedInTheNextRoundOfALoopCounts()
    {
        const auto graph = parsed(R"ir(
graph(%x : Tensor, %y : Tensor, %n : int, %go : bool, %one : int):
  %last : Tensor = prim::Loop(%n, %go, %y)
    block0(%i : int, %carried : Tensor):
      %sum : Tensor = aten::add_(%carried, %y, %one)
      -> (%go, %x)
  return (%last)
)ir");
        import::GraphMemory memory;
        const auto facts = memory.facts(*nodeOf(*graph->block(), "prim::Loop"));
        const std::string written = names(facts.writes);
        QVERIFY2(written.find('x') != std::string::npos && written.find('y') != std::string::npos, written.c_str());
    }

    void whatALoopCarriesIsOneMemory()
    {
        const auto graph = parsed(R"ir(
graph(%x : Tensor, %y : Tensor, %n : int, %true : bool, %one : int):
  %last : Tensor = prim::Loop(%n, %true, %x)
    block0(%i : int, %carried : Tensor):
      %next : Tensor = aten::mul_(%carried, %y)
      -> (%true, %next)
  return (%last)
)ir");
        import::GraphMemory memory;
        Node *const loop = nodeOf(*graph->block(), "prim::Loop");
        QCOMPARE(names(memory.usedValues(*loop)), std::string("n true x y"));
        const import::MemoryFacts facts = memory.facts(*loop);
        QCOMPARE(names(facts.writes), std::string("x"));
        QCOMPARE(facts.shares.size(), std::size_t(1));
        QVERIFY(shares(facts, "x", "prim::Loop"));
    }

    void anAppendDeepInsideWritesTheListOnly()
    {
        const auto graph = parsed(R"ir(
graph(%x : Tensor, %list : Tensor[], %c : bool):
  prim::If(%c)
    block0():
      prim::If(%c)
        block0():
          %same : Tensor[] = aten::append(%list, %x)
          -> ()
        block1():
          -> ()
      -> ()
    block1():
      -> ()
  return (%x)
)ir");
        import::GraphMemory memory;
        const import::MemoryFacts facts = memory.facts(*nodeOf(*graph->block(), "prim::If"));
        QCOMPARE(names(facts.writes), std::string("list"));
        QCOMPARE(names(facts.containerWrites), std::string("list"));
        QVERIFY(shares(facts, "list", "x"));
    }

    /// The tensor is used first: the lists are joined around it.
    void aListThatABranchGivesBackIsTheResult()
    {
        const auto graph = parsed(R"ir(
graph(%t : Tensor, %l : Tensor[], %other : Tensor[], %c : bool):
  %given : Tensor[] = prim::If(%c)
    block0():
      %h : Tensor = aten::sin(%t)
      %same : Tensor[] = aten::append(%l, %t)
      %too : Tensor[] = aten::append(%other, %t)
      -> (%l)
    block1():
      %fresh : Tensor[] = prim::ListConstruct()
      -> (%fresh)
  return (%given)
)ir");
        import::GraphMemory memory;
        const import::MemoryFacts facts = memory.facts(*nodeOf(*graph->block(), "prim::If"));
        QCOMPARE(names(facts.containerWrites), std::string("l other"));
        QVERIFY(shares(facts, "prim::If", "l") && shares(facts, "l", "t") && shares(facts, "other", "t"));
        QVERIFY(!shares(facts, "other", "l") && !shares(facts, "prim::If", "other"));
    }

    /// The list is used first: what shares its items is joined around it.
    void twoNamesOfADictAreOneBesideAList()
    {
        const auto graph = parsed(R"ir(
graph(%xs : Tensor[], %data : Dict(str, Tensor), %c : bool, %i : int, %k : str):
  %given : Dict(str, Tensor) = prim::If(%c)
    block0():
      %item : Tensor = aten::__getitem__(%xs, %i)
      %fresh : Dict(str, Tensor) = prim::DictConstruct(%k, %item)
      -> (%fresh)
    block1():
      -> (%data)
  return (%given)
)ir");
        import::GraphMemory memory;
        const import::MemoryFacts facts = memory.facts(*nodeOf(*graph->block(), "prim::If"));
        QVERIFY(shares(facts, "prim::If", "data"));
    }

    void aLoopThatBeginsWithAnArgumentWritesWhatItMakesOfIt()
    {
        const auto graph = parsed(R"ir(
graph(%x : Tensor, %y : Tensor, %n : int, %true : bool):
  %last : Tensor = prim::Loop(%n, %true, %x)
    block0(%i : int, %carried : Tensor):
      %next : Tensor = aten::mul(%carried, %y)
      %written : Tensor = aten::relu_(%next)
      -> (%true, %written)
  return (%last)
)ir");
        import::GraphMemory memory;
        const auto facts = memory.facts(*nodeOf(*graph->block(), "prim::Loop"));
        QCOMPARE(names(facts.writes), std::string());
        QVERIFY(shares(facts, "x", "prim::Loop"));
    }

    void aLoopThatWritesWhatTheRoundBeforeMadeMayWriteTheArgument()
    {
        const auto graph = parsed(R"ir(
graph(%x : Tensor, %y : Tensor, %n : int, %true : bool, %sizes : int[]):
  %last : Tensor = prim::Loop(%n, %true, %x)
    block0(%i : int, %carried : Tensor):
      %view : Tensor = aten::view(%carried, %sizes)
      %next : Tensor = aten::mul(%carried, %y)
      %written : Tensor = aten::relu_(%view)
      -> (%true, %next)
  return (%last)
)ir");
        import::GraphMemory memory;
        QCOMPARE(names(memory.facts(*nodeOf(*graph->block(), "prim::Loop")).writes), std::string("x"));
    }

    void longChainsOfSharedMemoryAreOne()
    {
        std::string text = "graph(%v0 : Tensor, %c : bool, %sizes : int[]):\n"
                           "  %r : Tensor = prim::If(%c)\n"
                           "    block0():\n";
        constexpr int Length = 20'000;
        for (int i = 1; i <= Length; ++i)
            text +=
                "      %v" + std::to_string(i) + " : Tensor = aten::view(%v" + std::to_string(i - 1) + ", %sizes)\n";
        text += "      -> (%v" + std::to_string(Length) + ")\n    block1():\n      -> (%v0)\n  return (%r)\n";
        const auto graph = parsed(text);
        import::GraphMemory memory;
        const import::MemoryFacts facts = memory.facts(*nodeOf(*graph->block(), "prim::If"));
        QVERIFY2(memory.steps() < 10 * std::size_t(Length), qPrintable(QString::number(memory.steps())));
        QCOMPARE(facts.shares.size(), std::size_t(1));
        QVERIFY(shares(facts, "prim::If", "v0"));
    }

    /// 2^40 if a loop, which takes two rounds, worked out its body in each.
    void loopsInLoopsAreWorkedOutOnce()
    {
        constexpr int Depth = 40;
        std::string text = "graph(%v : Tensor, %n : int, %c : bool):\n";
        std::string ends;
        for (int i = 1; i <= Depth; ++i) {
            const std::string indent(static_cast<std::size_t>(4 * i), ' ');
            text += indent + "prim::Loop(%n, %c)\n" + indent + "  block0(%i" + std::to_string(i) + " : int):\n";
        }
        for (int i = Depth; i >= 1; --i)
            ends += std::string(static_cast<std::size_t>(4 * i), ' ') + "    -> (%c)\n";
        const std::string indent(static_cast<std::size_t>(4 * Depth + 4), ' ');
        const auto graph =
            parsed(text + indent + "%w : Tensor = aten::add_(%v, %v, %n)\n" + ends + "    return (%v)\n");
        import::GraphMemory memory;
        const import::MemoryFacts facts = memory.facts(*nodeOf(*graph->block(), "prim::Loop"));
        QCOMPARE(names(facts.writes), std::string("v"));
        QVERIFY2(memory.steps() < 10 * std::size_t(Depth), qPrintable(QString::number(memory.steps())));
    }

    void cpuAndCudaCallsMayGiveTheirOperand()
    {
        const auto graph = parsed("graph(%x : Tensor):\n  %r : Tensor = aten::cpu(%x)\n  return (%r)\n");
        import::GraphMemory memory;
        QVERIFY(shares(memory.facts(*nodeOf(*graph->block(), "aten::cpu")), "aten::cpu", "x"));
    }

    void cpuCallsStayOnTheCpuAndAreLeftOutElsewhere()
    {
        const std::string text = "graph(%x : Tensor):\n  %r : Tensor = aten::cpu(%x)\n  return (%r)\n";
        const auto onCpu = parsed(text);
        QCOMPARE(import::sendToDevice(*onCpu, c10::Device("cpu")), std::vector<std::string>());
        QVERIFY(nodeOf(*onCpu->block(), "aten::cpu"));
        const auto onGpu = parsed(text);
        QCOMPARE(import::sendToDevice(*onGpu, c10::Device("cuda:0")),
                 std::vector<std::string>{"aten::cpu: left out on cuda:0"});
        QVERIFY(!nodeOf(*onGpu->block(), "aten::cpu"));
        QCOMPARE(onGpu->outputs()[0], onGpu->inputs()[0]);
    }
};

PIPESCOPE_TEST(TestMemoryFacts)
#include "tst_memory_facts.moc"
