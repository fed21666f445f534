#include "import/import_method.h"
#include "import/load.h"
#include "import/structure_only.h"
#include "support/contains.h"
#include "support/test_program.h"
#include "support/torch/models.h"

#include <QTemporaryDir>
#include <QTest>
#include <functional>
#include <memory>
#include <pthread.h>
#include <stop_token>
#include <torch/csrc/jit/api/function_impl.h>

using namespace pipescope;
using tests::contains;

namespace {

/// A method of ifs on its argument `c`, one in the other, around `innermost`.
std::string nestedIfs(const std::string &name, int depth, const std::string &innermost)
{
    std::string text = "def " + name + "(self, x: Tensor, c: bool) -> Tensor:\n";
    for (int i = 1; i <= depth; ++i)
        text += std::string(static_cast<std::size_t>(i), ' ') + "if c:\n";
    return text + std::string(static_cast<std::size_t>(depth) + 1, ' ') + "x = " + innermost + "\n return x\n";
}

/// `methods` methods, each of `depth` ifs around a call of the next; forward is the outermost.
torch::jit::Module callsInIfs(int methods, int depth)
{
    torch::jit::Module module("Deep");
    for (int i = methods - 1; i >= 0; --i)
        module.define(nestedIfs(i == 0 ? "forward" : "f" + std::to_string(i), depth,
                                i == methods - 1 ? "x.add_(1)" : "self.f" + std::to_string(i + 1) + "(x, c)"));
    return module;
}

/// Methods that each call the one before twice: 2^`doublings` additions after inlining.
torch::jit::Module doublings(int doublings)
{
    torch::jit::Module module("Doublings");
    module.define("def f0(self, x: Tensor) -> Tensor:\n    return x + 1\n");
    for (int i = 1; i <= doublings; ++i) {
        const std::string before = "self.f" + std::to_string(i - 1);
        module.define("def f" + std::to_string(i) + "(self, x: Tensor) -> Tensor:\n    return " + before + "(" +
                      before + "(x))\n");
    }
    module.define("def forward(self, x: Tensor) -> Tensor:\n    return self.f" + std::to_string(doublings) + "(x)\n");
    return module;
}

/// A method that tells when the import has come to its call.
class WatchedFunction : public torch::jit::GraphFunction
{
public:
    using GraphFunction::GraphFunction;

    bool isGraphFunction() const override
    {
        if (onReached)
            onReached();
        return true;
    }

    std::function<void()> onReached;
};

/// Gives the module a method `watched` that does what its method `original` does. It must outlive the module.
std::unique_ptr<WatchedFunction> addWatched(const torch::jit::Module &module, const std::string &original)
{
    const torch::jit::Method like = module.get_method(original);
    auto watched =
        std::make_unique<WatchedFunction>(c10::QualifiedName(*module.type()->name(), "watched"), like.graph(), nullptr);
    watched->setSchema(like.function().getSchema());
    module.type()->addMethod(watched.get());
    return watched;
}

#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t SmallStack = std::size_t{8} << 20; // its stack frames are larger
#else
constexpr std::size_t SmallStack = std::size_t{1} << 20;
#endif

template <class Work>
void onASmallStack(std::size_t bytes, Work work)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, bytes);
    pthread_t thread;
    const auto run = [](void *given) -> void * {
        (*static_cast<Work *>(given))();
        return nullptr;
    };
    QCOMPARE(pthread_create(&thread, &attributes, run, &work), 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
}

} // namespace

class TestDeepModels : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// How much is worked out for them is counted in tst_memory_facts.
    void twoHundredNestedIfsAreImported()
    {
        const torch::jit::Module module = callsInIfs(2, 100);
        const auto model = import::importMethod(module);
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        QCOMPARE(model->graph.nodes.size(), std::size_t(201)); // the ifs and one aten::add_
        QCOMPARE(model->graph.order.size(), std::size_t(1));
        // Every if writes x, as the innermost does.
        for (const graph::Node &node : model->graph.nodes)
            QCOMPARE(node.writes, std::vector<ValueId>{model->graph.arguments[0].value});
    }

    void callsAndBlocksHaveOneLimitTogether()
    {
        // A level for each method and each if.
        QVERIFY(import::importMethod(callsInIfs(5, 99)));
        const auto model = import::importMethod(callsInIfs(5, 100));
        QVERIFY(!model);
        QCOMPARE(model.error().code, ErrorCode::Unsupported);
        QCOMPARE(model.error().message, std::string("the model cannot be imported: calls, ifs and loops nested deeper "
                                                    "than 500 levels"));
    }

    void theDeepestModelNeedsNoLargeStack()
    {
        const torch::jit::Module module = callsInIfs(5, 99);
        std::string problem = "not run";
        onASmallStack(SmallStack, [&] {
            const auto model = import::importMethod(module);
            problem = model ? "" : model.error().message;
        });
        QCOMPARE(problem, std::string());
    }

    void stoppingBeforehandImportsNothing()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto model = import::importMethod(testing::exampleCode(), "forward", stop.get_token());
        QVERIFY(!model);
        QCOMPARE(model.error().code, ErrorCode::Cancelled);
        QCOMPARE(model.error().message, std::string("stopped while importing the model"));
    }

    void stoppingEndsALongImport()
    {
        std::stop_source stop;
        std::unique_ptr<WatchedFunction> watched;  // must outlive the module
        torch::jit::Module module = doublings(40); // more than are imported: the end of it is another error
        watched = addWatched(module, "f0");
        module.define("def long(self, x: Tensor) -> Tensor:\n    return self.f40(self.watched(self.f5(x)))\n");
        watched->onReached = [&stop] { stop.request_stop(); };
        QVERIFY(!stop.stop_requested());
        const auto model = import::importMethod(module, "long", stop.get_token());
        QVERIFY(stop.stop_requested());
        QVERIFY(!model);
        QCOMPARE(model.error().code, ErrorCode::Cancelled);
    }

    void readingTheStructureStopsToo()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("model.pt").toStdString();
        testing::exampleCode().save(path);
        std::stop_source stop;
        QVERIFY(import::readStructure(path, stop.get_token()));
        stop.request_stop();
        const auto structure = import::readStructure(path, stop.get_token());
        QVERIFY(!structure);
        QCOMPARE(structure.error().code, ErrorCode::Cancelled);
        QCOMPARE(structure.error().message, std::string("stopped while reading the model"));
    }

    void aModuleThatHoldsItselfIsListedToALimitWithANote()
    {
        torch::jit::Module module("Circle");
        module.define("def forward(self, x: Tensor) -> Tensor:\n    return x + 1\n");
        module.register_attribute("me", module.type(), module._ivalue());
        {
            const auto model = import::importMethod(module);
            QVERIFY2(model, model ? "" : model.error().message.c_str());
            QCOMPARE(model->graph.modules.size(), std::size_t(65)); // itself, and 64 levels of it
            QCOMPARE(model->graph.modules[2].fqn, std::string("me.me"));
            QCOMPARE(model->notes.size(), std::size_t(1));
            QVERIFY2(contains(model->notes[0], "not all of the model's modules are listed") &&
                         contains(model->notes[0], "64 levels deep"),
                     model->notes[0].c_str());
        }
        module._ivalue()->setSlot(module.type()->getAttributeSlot("me"), c10::IValue()); // else it is never freed
    }

    void aTextMadeLongerAndLongerIsNotMadeAtImport()
    {
        // 2^36 letters, more than there is memory for. LibTorch makes such texts itself within one method only.
        torch::jit::Module module("Texts");
        module.define("def twice(self, s: str) -> str:\n    return s + s\n");
        std::string text = "def forward(self, x: Tensor) -> Tensor:\n    s = \"a\"\n";
        for (int i = 0; i < 36; ++i)
            text += "    s = self.twice(s)\n";
        module.define(text + "    if len(s) > 3:\n        x = x + 1\n    return x\n");
        const auto model = import::importMethod(module);
        QVERIFY(model);
        QCOMPARE(std::count_if(model->graph.nodes.begin(), model->graph.nodes.end(),
                               [](const graph::Node &node) { return node.op == "aten::add"; }),
                 37);
    }
};

PIPESCOPE_TEST(TestDeepModels)
#include "tst_deep_models.moc"
