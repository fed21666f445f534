#include "import/attribute_path.h"

#include "support/test_program.h"

#include <ATen/ATen.h>
#include <QTest>

using namespace pipescope;
using import::attributePath;
using Names = std::vector<std::string>;
using torch::jit::Module;

namespace {

Names pathOf(const Module &module, const std::string &fqn)
{
    const auto path = attributePath(module, fqn);
    return path ? *path : Names{"refused"};
}

Module withTensors(const std::string &className, const Names &names)
{
    Module module("__torch__." + className);
    for (const std::string &name : names)
        module.register_attribute(name, c10::TensorType::get(), at::ones({2}));
    return module;
}

} // namespace

class TestAttributePath : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesMayHoldDots()
    {
        Module root = withTensors("Root", {"x.y", "w"});
        root.register_module("a", withTensors("A", {"b.c", "b", "w"}));
        root.register_module("up/0", withTensors("Up", {"w"}));
        QCOMPARE(pathOf(root, ""), Names{});
        QCOMPARE(pathOf(root, "w"), Names{"w"});
        QCOMPARE(pathOf(root, "x.y"), Names{"x.y"});
        QCOMPARE(pathOf(root, "a"), Names{"a"});
        QCOMPARE(pathOf(root, "a.w"), (Names{"a", "w"}));
        QCOMPARE(pathOf(root, "a.b"), (Names{"a", "b"}));
        QCOMPARE(pathOf(root, "a.b.c"), (Names{"a", "b.c"}));
        QCOMPARE(pathOf(root, "up/0.w"), (Names{"up/0", "w"}));
    }

    void fieldsOfClassObjectsHaveNames()
    {
        const auto unit = std::make_shared<torch::jit::CompilationUnit>();
        const auto type = c10::ClassType::create("__torch__.Coder", unit, false);
        type->addAttribute("bias", c10::TensorType::get());
        unit->register_type(type);
        const auto coder = c10::ivalue::Object::create(c10::StrongTypePtr(unit, type), 1);
        coder->setSlot(0, at::ones({2}));
        Module inner = withTensors("A", {"w"});
        inner.register_attribute("coder", type, coder);
        Module root = withTensors("Root", {});
        root.register_module("a", inner);
        QCOMPARE(pathOf(root, "a.coder"), (Names{"a", "coder"}));
        QCOMPARE(pathOf(root, "a.coder.bias"), (Names{"a", "coder", "bias"}));
        QCOMPARE(pathOf(root, "a.coder.width"), Names{"refused"});
    }

    void whatIsNotThereIsNamed()
    {
        Module root = withTensors("Root", {"w"});
        root.register_module("a", withTensors("A", {"w"}));
        for (const char *name : {"x", "a.x", "a.", ".w", "w.w", "aw", "a.w.w"}) {
            const auto path = attributePath(root, name);
            QVERIFY2(!path, name);
            QCOMPARE(path.error().code, ErrorCode::NotFound);
            QCOMPARE(path.error().message, std::string("the model has nothing named '") + name + "'");
        }
    }

    void twoAttributesOfOneNameAreRefused()
    {
        Module root = withTensors("Root", {});
        root.register_module("a.b", withTensors("A", {"c", "d"}));
        root.register_module("a", withTensors("B", {"b.c"}));
        const auto both = attributePath(root, "a.b.c");
        QVERIFY(!both);
        QCOMPARE(both.error().code, ErrorCode::Unsupported);
        QCOMPARE(both.error().message,
                 std::string("two attributes of the model are named 'a.b.c', as names in it hold dots; rename one"));
        QCOMPARE(pathOf(root, "a.b.d"), (Names{"a.b", "d"}));
    }

    void aNameThatCanBeReadInAGreatManyWaysIsLookedUpOnce()
    {
        Module inner = withTensors("Inner", {"w"});
        std::string name = "x";
        for (int level = 0; level < 60; ++level) {
            Module outer = withTensors("Level" + std::to_string(level), {});
            outer.register_module("a", inner);
            outer.register_module("a.a", inner);
            inner = outer;
            name = "a.a." + name;
        }
        QCOMPARE(pathOf(inner, name), Names{"refused"});
    }
};

PIPESCOPE_TEST(TestAttributePath)
#include "tst_attribute_path.moc"
