#include "import/import_method.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;

namespace {

/// The names of the top-level nodes.
std::vector<std::string> namesIn(const std::string &lines)
{
    torch::jit::Module module("Model");
    module.define("def forward(self, x: Tensor) -> Tensor:\n" + lines);
    const auto model = import::importMethod(module);
    if (!model)
        qFatal("%s", model.error().message.c_str());
    std::vector<std::string> names;
    for (int i = 0; i < model->graph.size(); ++i)
        names.push_back(model->graph.at(i).name);
    return names;
}

using Names = std::vector<std::string>;

} // namespace

class TestGatherAppends : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aListIsMadeWithAllItsItemsThoughTheyAreWrittenInPlaceBefore()
    {
        QCOMPARE(namesIn("    l: List[Tensor] = [x]\n    y = torch.sin(x)\n    l.append(y)\n    y.relu_()\n"
                         "    z = torch.cos(y)\n    z.neg_()\n    l.append(z)\n    return torch.cat(l, 0)\n"),
                 (Names{"aten::sin", "aten::relu_", "aten::cos", "aten::neg_", "prim::ListConstruct", "aten::cat"}));
    }

    void whatUsesTheListMeanwhileSeesTheItemsItSaw()
    {
        QCOMPARE(namesIn("    l = [x]\n    y = x.sin()\n    l.append(y)\n    z = torch.cat(l, 0)\n    l.append(z)\n"
                         "    return torch.cat(l, 0)\n"),
                 (Names{"aten::sin", "prim::ListConstruct", "aten::cat", "aten::append", "prim::unchecked_cast",
                        "aten::cat#1"}));
    }

    void anAppendInAnIfStaysWhereItIs()
    {
        QCOMPARE(namesIn("    l = [x]\n    if bool(x.sum() > 0):\n        l.append(x)\n    l.append(x)\n"
                         "    return torch.cat(l, 0)\n"),
                 (Names{"prim::ListConstruct", "aten::sum", "aten::gt", "aten::Bool", "prim::If",
                        "prim::unchecked_cast", "aten::append#1", "prim::unchecked_cast#1", "aten::cat"}));
    }
};

PIPESCOPE_TEST(TestGatherAppends)
#include "tst_gather_appends.moc"
