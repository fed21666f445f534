#include "import/attribute_tree.h"

#include "import/load.h"
#include "import/structure_only.h"
#include "make_examples/script_text.h"

#include "support/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <torch/csrc/jit/api/module.h>

using namespace pipescope;

namespace {

std::string bytes(std::string_view literal)
{
    return std::string(literal);
}

std::string text(const std::string &value)
{
    return "X" + std::string(1, static_cast<char>(value.size())) + bytes({"\0\0\0", 3}) + value;
}

/// A pickled tensor of two float32 elements: torch._utils._rebuild_tensor_v2 with a storage of its own.
std::string tensor()
{
    return "ctorch._utils\n_rebuild_tensor_v2\n((" + text("storage") + "ctorch\nFloatStorage\n" + text("0") +
           text("cpu") + "K\x02tQ" + bytes({"K\0", 2}) + "K\x02\x85K\x01\x85\x89NtR";
}

std::string object(const std::string &className, const std::string &items)
{
    return "c__torch__\n" + className + "\n)\x81}(" + items + "ub";
}

/// A pickled model that holds one module `times` times, and that module one tensor `tensors` times.
std::string shared(int times, int tensors)
{
    std::string inner;
    for (int i = 0; i < tensors; ++i)
        inner += text("w" + std::to_string(i)) + (i == 0 ? tensor() + "q\x02" : "h\x02");
    std::string outer;
    for (int i = 0; i < times; ++i)
        outer += text("m" + std::to_string(i)) + (i == 0 ? object("Inner", inner) + "q\x01" : "h\x01");
    return "\x80\x02" + object("Model", outer) + ".";
}

class Tree
{
public:
    explicit Tree(const std::string &pickle)
    {
        m_content.data.bytes.assign(pickle.begin(), pickle.end());
        auto tree = archive::readPickle({m_content.data.bytes.data(), m_content.data.bytes.size()}, "data.pkl",
                                        archive::PickleDialect::TorchScript);
        if (!tree)
            qFatal("%s", tree.error().message.c_str());
        m_content.data.tree = std::move(*tree);
        for (const char *name : {"__torch__.Model", "__torch__.Inner"})
            m_content.code.classes[name] = {"Module", {"w0", "w1"}, {}};
    }

    /// "" or what is wrong.
    std::string describe(const import::TreeLimits &limits = {}, const std::stop_token &stop = {})
    {
        structure = {};
        const Status described = import::describeTree(m_content, structure, stop, limits);
        return described ? "" : described.error().message;
    }

    import::Structure structure;

private:
    import::ArchiveContent m_content;
};

} // namespace

class TestAttributeTree : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aModuleHeldManyTimesIsListedUnderEachName()
    {
        Tree tree(shared(3, 4));
        QCOMPARE(tree.describe(), std::string());
        QCOMPARE(tree.structure.modules.size(), std::size_t(4));
        QCOMPARE(tree.structure.modules[0].parameters, std::int64_t(2)); // one tensor of two elements
        QCOMPARE(tree.structure.parameters.size(), std::size_t(12));
        QCOMPARE(tree.structure.parameters[5].fqn, std::string("m1.w1"));
        QCOMPARE(tree.structure.parameters[5].tiedTo, std::string("m0.w0"));
        QVERIFY(!tree.structure.parameters[1].isBuffer && tree.structure.parameters[2].isBuffer);
    }

    void theNumberOfParametersIsBounded()
    {
        Tree tree(shared(30, 40));
        import::TreeLimits limits;
        limits.parameters = 1200;
        QCOMPARE(tree.describe(limits), std::string());
        limits.parameters = 1199;
        QCOMPARE(tree.describe(limits), std::string("it has more than 1199 parameters and buffers"));
        QCOMPARE(tree.structure.parameters.size(), std::size_t(1199));
    }

    void theNumberOfModulesIsBounded()
    {
        Tree tree(shared(30, 1));
        import::TreeLimits limits;
        limits.modules = 31;
        QCOMPARE(tree.describe(limits), std::string());
        limits.modules = 30;
        QCOMPARE(tree.describe(limits), std::string("it has more than 30 modules"));
    }

    void theAttributesLookedAtAreBounded()
    {
        Tree tree(shared(30, 40));
        import::TreeLimits limits;
        limits.attributes = 30 + 30 * 40;
        QCOMPARE(tree.describe(limits), std::string());
        --limits.attributes;
        QCOMPARE(tree.describe(limits), std::string("its modules have more than 1229 attributes"));
    }

    void theNamesAreBoundedTogether()
    {
        Tree tree(shared(30, 40));
        import::TreeLimits limits;
        limits.nameBytes = 1024;
        QCOMPARE(tree.describe(limits),
                 std::string("the names of its classes and attributes are longer than 1.00 KiB together"));
    }

    void theNamesOfASmallFileAreBoundedByItsSize()
    {
        // One name of 100 bytes that a module is held by again and again: four bytes each time.
        std::string outer = text(std::string(100, 'n')) + "q\x02" + object("Inner", "") + "q\x01";
        for (int i = 0; i < 2000; ++i)
            outer += "h\x02h\x01";
        Tree tree("\x80\x02" + object("Model", outer) + ".");
        QCOMPARE(tree.describe(), std::string());
        import::TreeLimits limits;
        limits.nameBytesOfAny = 0;
        const std::string problem = tree.describe(limits);
        QVERIFY2(problem.starts_with("the names of its classes and attributes are longer than 12"), problem.c_str());
    }

    void howDeepModulesLieIsBounded()
    {
        Tree tree(shared(1, 1));
        import::TreeLimits limits;
        limits.depth = 1;
        QCOMPARE(tree.describe(limits), std::string());
        QCOMPARE(tree.structure.modules.size(), std::size_t(2));
        QVERIFY(tree.structure.notes.empty());
        limits.depth = 0; // what lies deeper is left out, and that is said: the model itself may be fine
        Tree cut(shared(1, 1));
        QCOMPARE(cut.describe(limits), std::string());
        QCOMPARE(cut.structure.modules.size(), std::size_t(1));
        QCOMPARE(cut.structure.notes,
                 std::vector<std::string>{"not all of the model's modules are listed, but at most 0 levels deep"});
    }

    void theUsualLimitsHoldForAMillion()
    {
        const import::TreeLimits limits;
        QCOMPARE(limits.modules, std::size_t(1'000'000));
        QCOMPARE(limits.parameters, std::size_t(1'000'000));
    }

    void describingStopsWhenAsked()
    {
        Tree tree(shared(3, 4));
        std::stop_source stop;
        stop.request_stop();
        QCOMPARE(tree.describe({}, stop.get_token()), std::string("stopped while reading the model"));
        QVERIFY(tree.structure.modules.empty());
    }

    void theNameOfAClassIsBounded()
    {
        const auto named = [](std::size_t length) {
            return archive::readPickle("\x80\x02" + object(std::string(length, 'C'), text("a") + "N") + ".", "data.pkl",
                                       archive::PickleDialect::TorchScript);
        };
        QVERIFY(named(archive::MaxGlobalName - 20));
        const auto tree = named(archive::MaxGlobalName);
        QVERIFY(!tree);
        QCOMPARE(tree.error().message,
                 std::string("at byte 2, the name of a class is longer than 64.0 KiB in data.pkl"));
        QCOMPARE(tree.error().code, ErrorCode::Unsupported); // it is not damaged
    }

    void oneConstantIsNotedInTheSingular()
    {
        torch::jit::Module module("Shift");
        module.register_parameter("shift", at::ones({3}), false);
        module.define("def forward(self, x: Tensor) -> Tensor:\n    return x + self.shift\n");
        module.eval();
        QTemporaryDir folder;
        const std::string path = folder.filePath("frozen.pt").toStdString();
        torch::jit::freeze(module).save(path);
        const auto structure = import::readStructure(path);
        QVERIFY2(structure, structure ? "" : structure.error().message.c_str());
        QCOMPARE(structure->notes,
                 std::vector<std::string>{"1 tensor (12 B) is a constant of the code, not a parameter"});
    }
};

PIPESCOPE_TEST(TestAttributeTree)
#include "tst_attribute_tree.moc"
