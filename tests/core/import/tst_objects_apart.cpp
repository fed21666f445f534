#include "import/objects_apart.h"

#include "import/import_method.h"
#include "support/test_program.h"
#include "support/torch/class_objects.h"

#include <QTest>

using namespace pipescope;
using testing::makesOuter;
using testing::makesPair;

namespace {

int objectsIn(const torch::jit::Block &block)
{
    int count = 0;
    for (const torch::jit::Node *node : block.nodes()) {
        count += node->kind() == c10::prim::CreateObject ? 1 : 0;
        for (const torch::jit::Block *inner : node->blocks())
            count += objectsIn(*inner);
    }
    return count;
}

/// How many objects the imported method still makes.
int objectsLeft(const std::string &lines, const std::string &result = "Tensor")
{
    const auto model = import::importMethod(testing::withClassObjects(lines, result));
    if (!model)
        qFatal("%s", model.error().message.c_str());
    return objectsIn(*model->lowered->block());
}

} // namespace

class TestObjectsApart : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anObjectUsedForItsFieldsIsTakenApart()
    {
        const auto model = import::importMethod(testing::withClassObjects(makesPair("p", "x", "torch.sin(x)") +
                                                                          "    return torch.mul((p).total(), p.a)\n"));
        QVERIFY(model);
        std::vector<std::string> names;
        for (const graph::Node &node : model->graph.nodes)
            names.push_back(node.name);
        QCOMPARE(names, (std::vector<std::string>{"aten::sin", "aten::add", "aten::mul"}));
    }

    void anObjectAssignedToInStraightCodeIsTakenApart()
    {
        QCOMPARE(objectsLeft(makesPair("p", "x", "x") +
                             "    p.a = torch.sin(p.a)\n    p.a = torch.mul(p.a, p.b)\n    return (p).total()\n"),
                 0);
    }

    void anObjectReadInALoopOrAnIfIsTakenApart()
    {
        QCOMPARE(
            objectsLeft(makesPair("p", "x", "torch.sin(x)") +
                        "    y = p.b\n    for i in range(3):\n      y = torch.add(y, p.a)\n"
                        "    if bool(torch.gt(torch.sum(y), 0)):\n      y0 = (p).total()\n    else:\n      y0 = y\n"
                        "    return y0\n"),
            0);
    }

    void anObjectMadeAnewInEachTurnOfALoopIsTakenApart()
    {
        QCOMPARE(objectsLeft("    y = x\n    for i in range(3):\n      p = __torch__.Pair.__new__(__torch__.Pair)\n"
                             "      _0 = (p).__init__(y, x)\n      y = (p).total()\n    return y\n"),
                 0);
    }

    void anObjectInAnotherOneOrInATupleIsTakenApart()
    {
        QCOMPARE(objectsLeft(makesPair("p", "x", "torch.sin(x)") + makesOuter("o", "p") +
                             "    q = o.pair\n    return (q).total()\n"),
                 0);
        QCOMPARE(objectsLeft(makesPair("p", "x", "torch.sin(x)") + makesOuter("o", "p") +
                             "    t = (o, x)\n    o0, y, = t\n    q = o0.pair\n    return torch.add((q).total(), y)\n"),
                 0);
        QCOMPARE(objectsLeft(makesPair("p", "x", "torch.sin(x)") + "    t = (x, p)\n    return ((t)[1]).total()\n"), 0);
    }

    void anObjectThatLeavesTheMethodStays()
    {
        QCOMPARE(objectsLeft(makesPair("p", "x", "torch.sin(x)") + "    return p\n", "__torch__.Pair"), 1);
        QCOMPARE(
            objectsLeft(makesPair("p", "x", "torch.sin(x)") + "    return (x, p)\n", "Tuple[Tensor, __torch__.Pair]"),
            1);
        QCOMPARE(objectsLeft(makesPair("p", "x", "torch.sin(x)") + "    l = [p]\n    return (l[0]).total()\n"), 1);
    }

    void anObjectAssignedToInAnIfOrALoopStays()
    {
        QCOMPARE(
            objectsLeft(makesPair("p", "x", "torch.sin(x)") +
                        "    if bool(torch.gt(torch.sum(x), 0)):\n      p.a = torch.cos(x)\n    else:\n      pass\n"
                        "    return (p).total()\n"),
            1);
        QCOMPARE(objectsLeft(makesPair("p", "x", "torch.sin(x)") +
                             "    for i in range(3):\n      p.a = torch.cos(p.a)\n    return (p).total()\n"),
                 1);
    }

    void objectsThatAnIfChoosesBetweenStay()
    {
        QCOMPARE(objectsLeft(makesPair("p", "x", "torch.sin(x)") + makesPair("q", "x", "torch.cos(x)") +
                             "    if bool(torch.gt(torch.sum(x), 0)):\n      r = p\n    else:\n      r = q\n"
                             "    r.a = torch.neg(x)\n    return torch.add((p).total(), (q).total())\n"),
                 2);
    }

    void aFieldReadBeforeItIsAssignedStaysAnError()
    {
        QCOMPARE(objectsLeft("    p = __torch__.Pair.__new__(__torch__.Pair)\n    p.b = x\n    y = p.a\n    p.a = x\n"
                             "    return torch.add(y, p.b)\n"),
                 1);
    }
};

PIPESCOPE_TEST(TestObjectsApart)
#include "tst_objects_apart.moc"
