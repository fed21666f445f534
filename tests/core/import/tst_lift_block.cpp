#include "import/lift_block.h"

#include "import/device_pass.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using torch::jit::Graph;
using torch::jit::Node;
using torch::jit::Value;

namespace {

/// A fork whose block gives sin(x) + y, with y a product made before it, and the graph that it is in.
struct Forking
{
    std::shared_ptr<Graph> graph = std::make_shared<Graph>();
    Value *x = graph->addInput("x");
    Value *product = nullptr;
    Node *fork = nullptr;

    Forking()
    {
        product = graph->insert(c10::aten::mul, {x, x});
        fork = graph->insertNode(graph->create(c10::prim::fork, 1));
        torch::jit::Block *const body = fork->addBlock();
        const torch::jit::WithInsertPoint here(body);
        Value *const sine = graph->insert(c10::aten::sin, {x});
        body->registerOutput(graph->insert(c10::aten::add, {graph->insert(c10::aten::mul, {sine, product}), x}));
    }
};

} // namespace

class TestLiftBlock : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatTheBlockUsesFromOutsideBecomesAnOperandOnce()
    {
        Forking made;
        import::liftBlock(*made.fork);
        QVERIFY(made.fork->blocks().empty());
        QVERIFY(made.fork->inputs().vec() == (std::vector<Value *>{made.x, made.product}));
        const std::shared_ptr<Graph> code = made.fork->g(c10::attr::Subgraph);
        QCOMPARE(code->inputs().size(), std::size_t(2));
        QCOMPARE(code->outputs().size(), std::size_t(1));
        QVERIFY(code->outputs()[0]->node()->kind() == c10::aten::add);
        code->lint();
        made.graph->lint();
    }

    void devicesInCodeThatRunsAsideAreSentWhereTheOthersAre()
    {
        Forking made;
        {
            const torch::jit::WithInsertPoint here(made.fork->blocks()[0]);
            made.graph->insertConstant(c10::Device(c10::kCUDA, 0));
        }
        import::liftBlock(*made.fork);
        QCOMPARE(import::sendToDevice(*made.graph, c10::Device(c10::kCPU)).size(), std::size_t(1));
        QVERIFY(import::sendToDevice(*made.graph, c10::Device(c10::kCPU)).empty());
    }
};

PIPESCOPE_TEST(TestLiftBlock)
#include "tst_lift_block.moc"
