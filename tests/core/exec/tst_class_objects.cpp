// Methods that make class objects: taken apart or not, the stages must compute what the model does.
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
        const torch::jit::GraphOptimizerEnabledGuard unoptimised(false);
        const Make make = [&] { return testing::withClassObjects(lines.toStdString()); };
        const auto model = imported(make());
        const Values expected = expectedOutputs(make, tensors());
        std::vector<int> cuts;
        for (const partition::Cut &cut : partition::allCuts(model.graph))
            if (cut.legal)
                cuts.push_back(cut.position);
        QCOMPARE(static_cast<int>(cuts.size()), legal);
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
