// Methods that make class objects: taken apart or not, the stages must compute what the model does.
#include "every_cut.h"
#include "partition/cut.h"
#include "support/test_program.h"
#include "support/torch/class_objects.h"
#include "ways_to_run.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::exec;
using namespace pipescope::test;
using testing::makesOuter;
using testing::makesPair;

class TestClassObjects : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stagesOfAHeldObjectGiveWhatTheModelGives_data()
    {
        QTest::addColumn<QString>("lines");
        QTest::addColumn<int>("legal"); // cuts
        const auto row = [](const char *name, const char *lines, int legal) { QTest::newRow(name) << lines << legal; };
        row("numbers",
            "    coder = self.coder\n    y = torch.mul(x, coder.width)\n    weights = coder.weights\n"
            "    return torch.mul(torch.sin(y), weights[1])\n",
            5);
        row("a tensor, in two stages",
            "    y = torch.mul(x, (self.coder).bias)\n"
            "    return torch.add(torch.sin(y), (self.coder).bias)\n",
            4);
        row("a method", "    y = torch.sin(x)\n    return ((self.coder).decode(y, ))\n", 5);
        row("an object in the object",
            "    y = torch.mul(x, ((self.coder).pair).a)\n"
            "    return torch.add(torch.sin(y), ((self.coder).pair).b)\n",
            4);
        row("a number that is assigned",
            "    coder = self.coder\n    coder.width = torch.add(coder.width, 1)\n"
            "    y = torch.mul(x, coder.width)\n    return torch.sin(y)\n",
            2);
        row("a tensor that is assigned, beside one that is read",
            "    coder = self.coder\n    y = torch.mul(x, coder.scale)\n    coder.bias = torch.add(coder.bias, y)\n"
            "    return torch.sin(torch.mul(coder.bias, x))\n",
            4);
        row("a tensor that is written in place",
            "    y = torch.sin(x)\n    z = torch.add_((self.coder).bias, y)\n    return torch.mul(z, x)\n", 1);
        row("a list that is written",
            "    y = torch.sin(x)\n    weights = (self.coder).weights\n    _0 = torch.append(weights, 3.)\n"
            "    return torch.mul(y, torch.len(weights))\n",
            2);
        row("an object in the object, assigned",
            "    y = torch.sin(x)\n    pair = (self.coder).pair\n    pair.a = torch.add(pair.a, y)\n"
            "    return torch.mul(pair.a, pair.b)\n",
            2);
    }

    void stagesOfAHeldObjectGiveWhatTheModelGives()
    {
        QFETCH(QString, lines);
        QFETCH(int, legal);
        everyCutGives([&] { return testing::withHeldObject(lines.toStdString()); }, legal);
    }

    void aHeldObjectStaysOneWithABufferInIt()
    {
        const auto make = [] {
            torch::jit::Module module =
                testing::withHeldObject("    y = torch.mul(x, self.offset)\n    z = torch.add_((self.coder).bias, y)\n"
                                        "    return torch.add(torch.sin(z), self.offset)\n");
            module.attr("coder").toObjectRef().setAttr("bias", module.attr("offset"));
            return module;
        };
        everyCutGives(make, 0);
    }

    void anObjectWithNoFormInAFileIsNamed()
    {
        const auto unit = std::make_shared<torch::jit::CompilationUnit>();
        const auto type = c10::ClassType::create("__torch__.Waits", unit, false);
        type->addAttribute("later", c10::FutureType::create(c10::TensorType::get()));
        type->addAttribute("width", c10::IntType::get());
        unit->register_type(type);
        const auto object = c10::ivalue::Object::create(c10::StrongTypePtr(unit, type), 2);
        object->setSlot(0, c10::make_intrusive<c10::ivalue::Future>(c10::TensorType::get()));
        object->setSlot(1, 3);
        torch::jit::Module holder = makeModule("Holds");
        holder.register_attribute("waits", type, object);
        holder.define("def forward(self, x: Tensor) -> Tensor:\n    return torch.sin(x) * self.waits.width\n");
        const auto model = imported(holder);
        QTemporaryDir folder;
        const auto saved =
            exec::saveStages(model, must(partition::makePartition(model.graph, {1})), folder.path().toStdString());
        QVERIFY(!saved);
        QVERIFY2(saved.error().message.starts_with("stage1 cannot be saved: 'waits' holds a Future"),
                 saved.error().message.c_str());
    }

    void everyLegalCutGivesWhatTheModelGives_data()
    {
        QTest::addColumn<QString>("lines");
        QTest::addColumn<int>("legal"); // cuts
        const auto row = [](const char *name, const std::string &lines, int legal) {
            QTest::newRow(name) << QString::fromStdString(lines) << legal;
        };
        row("fields", makesPair("p", "x", "torch.sin(x)") + "    return torch.mul((p).total(), p.a)\n", 2);
        row("assigned again",
            makesPair("p", "x", "torch.sin(x)") +
                "    y = p.a\n    p.a = torch.mul(y, p.b)\n    z = p.a\n    p.a = p.b\n    p.b = torch.cos(z)\n"
                "    return torch.add(torch.sub(torch.mul(y, 3), z), torch.mul((p).total(), p.a))\n",
            7);
        row("written in place",
            makesPair("p", "torch.mul(x, 2)", "torch.sin(x)") +
                "    y = p.a\n    z = torch.add_(p.a, 1)\n    return torch.add((p).total(), y)\n",
            2);
        row("read in a loop",
            makesPair("p", "x", "torch.sin(x)") +
                "    y = p.b\n    for i in range(3):\n      y = torch.add(y, p.a)\n    p.a = torch.cos(y)\n"
                "    return (p).total()\n",
            3);
        row("made in a loop",
            "    y = torch.neg(x)\n    for i in range(3):\n      p = __torch__.Pair.__new__(__torch__.Pair)\n"
            "      _0 = (p).__init__(y, x)\n      y = (p).total()\n    return torch.sin(y)\n",
            2);
        row("in a list",
            "    h = torch.mul(x, 2)\n    g = torch.sin(h)\n" + makesPair("p", "h", "g") +
                "    l = [p]\n    return torch.add((l[0]).total(), h)\n",
            4);
        row("in another one, in a tuple",
            makesPair("p", "x", "torch.sin(x)") + makesOuter("o", "p") +
                "    t = (o, x)\n    o0, y, = t\n    q = o0.pair\n    q.a = torch.cos(y)\n"
                "    return torch.add((p).total(), y)\n",
            3);
    }

    void everyLegalCutGivesWhatTheModelGives()
    {
        QFETCH(QString, lines);
        QFETCH(int, legal);
        everyCutGives([&] { return testing::withClassObjects(lines.toStdString()); }, legal);
    }

private:
    static void everyCutGives(const Make &make, int legal)
    {
        const torch::jit::GraphOptimizerEnabledGuard unoptimised(false);
        const auto model = imported(make());
        const Values expected = expectedOutputs(make, tensors());
        std::vector<int> cuts;
        for (const partition::Cut &cut : partition::allCuts(model.graph))
            if (cut.legal)
                cuts.push_back(cut.position);
        QVERIFY2(static_cast<int>(cuts.size()) == legal, textOf(model.graph) + legality(model.graph).c_str());
        cuts.push_back(0); // the whole model
        for (const int cut : cuts)
            for (const auto &[way, run] : {Way{"stage by stage", stageByStage}, Way{"saved", savedChain}}) {
                const Values actual = run(make, tensors(), cut == 0 ? std::vector<int>{} : std::vector<int>{cut});
                for (std::size_t m = 0; m < expected.size(); ++m)
                    QVERIFY2(same(actual[m], expected[m]), way);
            }
    }
};

PIPESCOPE_TEST(TestClassObjects)
#include "tst_class_objects.moc"
