#include "tensor/opened_value.h"

#include "support/test_program.h"
#include "tensor/build_tree.h"
#include "tensor/compare.h"
#include "tensor/ivalue_tree.h"

#include <ATen/Functions.h>
#include <ATen/core/Dict.h>
#include <QTest>
#include <torch/csrc/jit/api/module.h>

using namespace pipescope;
using tensor::compare;
using tensor::opened;

namespace {

/// Objects of one class, with a tensor and whatever else.
c10::IValue objectOf(const at::Tensor &boxes, const c10::IValue &more)
{
    static const auto unit = std::make_shared<torch::jit::CompilationUnit>();
    static const c10::ClassTypePtr type = [] {
        auto made = c10::ClassType::create(c10::QualifiedName("__torch__.Detections"), unit);
        made->addAttribute("boxes", c10::TensorType::get());
        made->addAttribute("more", c10::AnyType::get());
        return made;
    }();
    auto object = c10::ivalue::Object::create(c10::StrongTypePtr(unit, type), 2);
    object->setSlot(0, boxes);
    object->setSlot(1, more);
    return object;
}

c10::IValue futureOf(const c10::IValue &value)
{
    auto future = c10::make_intrusive<c10::ivalue::Future>(c10::AnyType::get());
    future->markCompleted(value);
    return future;
}

} // namespace

class TestOpenedValue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anObjectIsADictOfItsFields()
    {
        const c10::IValue value = opened(objectOf(at::ones({2}), 3));
        QCOMPARE(tensor::leafPaths(value), (std::vector<std::string>{"['boxes']", "['more']"}));
        QVERIFY(value.toGenericDict().at("more").toInt() == 3);
    }

    void objectsInsideContainersAndObjectsAreOpenedToo()
    {
        const c10::IValue inner = objectOf(at::ones({1}), 1);
        const c10::IValue value = opened(tensor::makeTuple({7, tensor::makeList({objectOf(at::zeros({1}), inner)})}));
        QCOMPARE(
            tensor::leafPaths(value),
            (std::vector<std::string>{"[0]", "[1][0]['boxes']", "[1][0]['more']['boxes']", "[1][0]['more']['more']"}));
    }

    void aFutureIsWhatItComesTo()
    {
        QCOMPARE(opened(futureOf(5)).toInt(), std::int64_t(5));
        QCOMPARE(opened(tensor::makeTuple({futureOf(tensor::makeTuple({1, 2}))})).toTupleRef().elements().size(),
                 std::size_t(1));
        QCOMPARE(tensor::leafPaths(opened(tensor::makeTuple({futureOf(objectOf(at::ones({1}), 1))}))),
                 (std::vector<std::string>{"[0]['boxes']", "[0]['more']"}));
    }

    void whatAFutureFailedWithIsPassedOn()
    {
        auto future = c10::make_intrusive<c10::ivalue::Future>(c10::AnyType::get());
        future->setError(std::make_exception_ptr(std::runtime_error("lost")));
        QVERIFY_EXCEPTION_THROWN(opened(c10::IValue(future)), std::exception);
        QVERIFY(!compare(c10::IValue(future), c10::IValue(future)).unknown.empty());
    }

    void whatHasNeitherIsTheSameValue()
    {
        const c10::IValue value = tensor::makeTuple({at::ones({2}), tensor::makeDict({{"a", 1}})});
        QVERIFY(opened(value).is(value));
    }

    void anObjectInsideItselfEnds()
    {
        const c10::IValue object = objectOf(at::ones({1}), {});
        object.toObject()->setSlot(1, object);
        const c10::IValue value = opened(object);
        QVERIFY(value.toGenericDict().at("more").isObject());
        object.toObject()->setSlot(1, c10::IValue()); // no cycle is left behind
    }

    void objectsAreComparedByTheirFields()
    {
        QVERIFY(compare(objectOf(at::ones({2}), 3), objectOf(at::ones({2}), 3)).bitwise);
        const auto other = compare(objectOf(at::ones({2}), 3), objectOf(at::ones({2}), 4));
        QVERIFY(!other.close);
        QCOMPARE(other.worst, std::string("['more']: expected 3, got 4"));
    }

    void ofWhatHasNoContentsNothingIsKnown()
    {
        const torch::jit::Module one("One");
        const torch::jit::Module two("One");
        QVERIFY(compare(one._ivalue(), one._ivalue()).bitwise);
        const auto unknown = compare(one._ivalue(), two._ivalue());
        QVERIFY2(!unknown.unknown.empty(), unknown.worst.c_str());
        // What surely differs is told all the same.
        const auto beside = compare(tensor::makeTuple({one._ivalue(), 1}), tensor::makeTuple({two._ivalue(), 2}));
        QVERIFY(beside.unknown.empty() && !beside.close);
        QCOMPARE(beside.worst, std::string("[1]: expected 1, got 2"));
    }
};

PIPESCOPE_TEST(TestOpenedValue)
#include "tst_opened_value.moc"
