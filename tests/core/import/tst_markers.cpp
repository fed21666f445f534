#include "import/load.h"

#include "make_examples/script_text.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <ATen/core/dispatch/Dispatcher.h>
#include <QTemporaryDir>
#include <QTest>
#include <torch/csrc/jit/passes/dead_code_elimination.h>
#include <torch/csrc/jit/passes/inliner.h>
#include <torch/csrc/jit/runtime/operator.h>

using namespace pipescope;

namespace {

constexpr const char *Source = R"script(
class Marked(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.Marked, x: Tensor) -> Tensor:
    a = torch.mul(x, 2)
    ops.pipescope.split("encoder")
    b = torch.add(a, 1)
    ops.pipescope.split()
    c = ops.pipescope.boundary(b, "head")
    return torch.mul(c, 3)
)script";

int count(const torch::jit::Module &module, const char *kind)
{
    const auto graph = module.get_method("forward").graph()->copy();
    torch::jit::Inline(*graph);
    torch::jit::EliminateDeadCode(graph);
    int found = 0;
    for (const torch::jit::Node *node : graph->nodes())
        if (node->kind() == c10::Symbol::fromQualString(kind))
            ++found;
    return found;
}

} // namespace

class TestMarkers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pipeSplitSurvivesDefiningSavingAndLoading()
    {
        const auto model = testing::exampleCode();
        QCOMPARE(count(model, "pippy::_pipe_split"), 3);
        QCOMPARE(count(reloaded(model), "pippy::_pipe_split"), 3);
    }

    void ourOwnMarkersSurviveToo()
    {
        const auto model = reloaded(examples::ScriptText(Source).make("Marked"));
        QCOMPARE(count(model, "pipescope::split"), 2);
        QCOMPARE(count(model, "pipescope::boundary"), 1);
    }

    void aTracedMarkerSurvives()
    {
        const auto model = testing::tracedModel();
        QCOMPARE(count(model, "pippy::_pipe_split"), 1);
        QCOMPARE(count(reloaded(model), "pippy::_pipe_split"), 1);
    }

    void markersDoNothingWhenTheModelRuns()
    {
        auto model = reloaded(examples::ScriptText(Source).make("Marked"));
        const at::Tensor result = model.forward({at::ones({2})}).toTensor();
        QVERIFY(at::equal(result, at::full({2}, 9.)));
    }

    void aBoundaryIsTheSameTensorAndLetsGradientsThrough()
    {
        import::registerMarkers();
        const auto boundary = c10::Dispatcher::singleton()
                                  .findSchemaOrThrow("pipescope::boundary", "")
                                  .typed<at::Tensor(const at::Tensor &, std::string_view)>();
        const at::Tensor x = at::ones({2}).set_requires_grad(true);
        const at::Tensor y = boundary.call(x, "here");
        QVERIFY(y.is_same(x));
        (y * 3).sum().backward();
        QVERIFY(at::equal(x.grad(), at::full({2}, 3.)));
    }

    void registeringAgainChangesNothing()
    {
        import::registerMarkers();
        import::registerMarkers();
        const auto split = torch::jit::getAllOperatorsFor(c10::Symbol::fromQualString("pipescope::split"));
        QCOMPARE(split.size(), std::size_t(1));
        QCOMPARE(split[0]->aliasAnalysisKind(), c10::AliasAnalysisKind::CONSERVATIVE);
    }

private:
    torch::jit::Module reloaded(const torch::jit::Module &model)
    {
        const std::string path = m_folder.filePath("model.pt").toStdString();
        model.save(path);
        auto loaded = import::loadModule(path);
        if (!loaded)
            qFatal("%s", loaded.error().message.c_str());
        return *loaded;
    }

    QTemporaryDir m_folder;
};

PIPESCOPE_TEST(TestMarkers)
#include "tst_markers.moc"
