#include "tensor/build_tree.h"
#include "tensor/ivalue_tree.h"

#include <ATen/Functions.h>
#include <ATen/core/Dict.h>
#include <ATen/core/List.h>
#include <ATen/core/jit_type.h>

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::tensor;

namespace {

c10::IValue number(std::int64_t value)
{
    return value;
}

/// (1, [2, 3], {'a': 4, 'b': (5, None)})
c10::IValue exampleTree()
{
    return makeTuple({number(1), makeList({number(2), number(3)}),
                      makeDict({{"a", number(4)}, {"b", makeTuple({number(5), c10::IValue()})}})});
}

c10::IValue nested(int depth)
{
    c10::IValue value = number(0);
    for (int i = 0; i < depth; ++i)
        value = makeTuple({value});
    return value;
}

} // namespace

class TestIvalueTree : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void leavesComeLeftToRight()
    {
        const auto all = leaves(exampleTree());
        QVERIFY(all);
        QCOMPARE(all->size(), std::size_t(6));
        for (int i = 0; i < 5; ++i)
            QCOMPARE((*all)[static_cast<std::size_t>(i)].toInt(), std::int64_t(i + 1));
        QVERIFY(all->back().isNone());
    }

    void pathsAreWrittenAsInPython()
    {
        QCOMPARE(leafPaths(exampleTree()),
                 (std::vector<std::string>{"[0]", "[1][0]", "[1][1]", "[2]['a']", "[2]['b'][0]", "[2]['b'][1]"}));
        QCOMPARE(leafPaths(number(1)), (std::vector<std::string>{""}));
        QCOMPARE(leafPaths(makeTuple({})), std::vector<std::string>{});
    }

    void keysThatAreNoTextHaveNoQuotes()
    {
        c10::impl::GenericDict dict(c10::IntType::get(), c10::IntType::get());
        dict.insert(std::int64_t{7}, std::int64_t{1});
        QCOMPARE(leafPaths(dict), (std::vector<std::string>{"[7]"}));
    }

    void mappingKeepsTheContainers()
    {
        const c10::IValue doubled = mapLeaves(
            exampleTree(), [](const c10::IValue &leaf) { return leaf.isInt() ? c10::IValue(leaf.toInt() * 2) : leaf; });
        QCOMPARE(describeValue(doubled), std::string("(2, [4, 6], {'a': 8, 'b': (10, None)})"));
    }

    void typedContainersStayTyped()
    {
        const c10::IValue tensors = c10::List<at::Tensor>({at::ones({1}), at::ones({2})});
        const auto twice = [](const c10::IValue &leaf) { return c10::IValue(leaf.toTensor() * 2); };
        QVERIFY(mapLeaves(tensors, twice).isTensorList());
        c10::Dict<std::string, at::Tensor> dict;
        dict.insert("x", at::ones({1}));
        const c10::IValue mapped = mapLeaves(dict, twice);
        QCOMPARE(mapped.type()->annotation_str(), std::string("Dict[str, Tensor]"));
        const c10::IValue numbers = mapLeaves(tensors, [](const c10::IValue &leaf) { return leaf.toTensor().numel(); });
        QCOMPARE(numbers.type()->annotation_str(), std::string("List[int]"));
    }

    void anEmptyTypedListStaysTyped()
    {
        const c10::IValue empty = c10::List<std::int64_t>();
        const c10::IValue same = mapLeaves(empty, [](const c10::IValue &leaf) { return leaf; });
        QCOMPARE(same.type()->annotation_str(), std::string("List[int]"));
    }

    void optionalListsTakeNone()
    {
        c10::impl::GenericList list(c10::OptionalType::create(c10::TensorType::get()));
        list.push_back(at::ones({1}));
        const c10::IValue mapped = mapLeaves(list, [](const c10::IValue &) { return c10::IValue(); });
        QCOMPARE(mapped.type()->annotation_str(), std::string("List[Optional[Tensor]]"));
    }

    void namedTuplesKeepTheirNames()
    {
        const auto type =
            c10::TupleType::createNamed(c10::QualifiedName("Point"), std::vector<std::string>{"x", "y"},
                                        std::vector<c10::TypePtr>{c10::IntType::get(), c10::IntType::get()});
        const c10::IValue point = c10::ivalue::Tuple::createNamed(std::vector<c10::IValue>{number(1), number(2)}, type);
        const c10::IValue moved = mapLeaves(point, [](const c10::IValue &leaf) { return leaf.toInt() + 10; });
        QVERIFY(moved.type()->expectRef<c10::TupleType>().schema() != nullptr);
        QCOMPARE(moved.toTupleRef().elements()[1].toInt(), std::int64_t(12));
    }

    void depthIsBounded()
    {
        QVERIFY(leaves(nested(64)));
        const auto tooDeep = leaves(nested(65));
        QVERIFY(!tooDeep);
        QCOMPARE(tooDeep.error().code, ErrorCode::InvalidArgument);
        QVERIFY(tooDeep.error().message.find("64 levels") != std::string::npos);
        QCOMPARE(leafPaths(nested(5000)).size(), std::size_t(1));
        QVERIFY(describeValue(nested(5000)).size() < 500);
    }

    void tensorsAreFoundAndWeighed()
    {
        const c10::IValue tree =
            makeTuple({at::ones({2, 3}), makeList({at::Tensor(), at::ones({4}, at::kDouble)}), number(1)});
        QCOMPARE(tensorsIn(tree).size(), std::size_t(2));
        QCOMPARE(tensorBytes(tree), std::int64_t(2 * 3 * 4 + 4 * 8));
        QCOMPARE(tensorBytes(at::ones({8}).slice(0, 0, 2)), std::int64_t(8));
    }

    void dtypeNamesAreTorchs()
    {
        QCOMPARE(dtypeName(at::kFloat), std::string("float32"));
        QCOMPARE(dtypeName(at::kLong), std::string("int64"));
        QCOMPARE(dtypeName(at::kBool), std::string("bool"));
        QCOMPARE(dtypeName(at::kBFloat16), std::string("bfloat16"));
        QCOMPARE(dtypeName(at::kComplexFloat), std::string("complex64"));
        QCOMPARE(dtypeName(at::kQUInt8), std::string("quint8"));
        QVERIFY(dtypeFromName("float32") == at::kFloat);
        QVERIFY(dtypeFromName("half") == at::kHalf);
        QVERIFY(dtypeFromName("long") == at::kLong);
        QVERIFY(!dtypeFromName("float33"));
        QVERIFY(!dtypeFromName(""));
    }

    void tensorsAreDescribed()
    {
        const graph::TensorMeta meta = describeTensor(at::ones({16, 512}).requires_grad_());
        QCOMPARE(meta, (graph::TensorMeta{"float32", {16, 512}, 16 * 512 * 4, true}));
        QCOMPARE(describeTensor(at::Tensor()), graph::TensorMeta{});
    }

    void valuesAreDescribedAsUpstreamDoes()
    {
        QCOMPARE(describeValue(at::ones({2, 4})),
                 std::string("Tensor(torch.Size([2, 4]), grad=False, dtype=torch.float32)"));
        QCOMPARE(describeValue(at::ones({}, at::kLong)),
                 std::string("Tensor(torch.Size([]), grad=False, dtype=torch.int64)"));
        QCOMPARE(describeValue(c10::IValue("abc")), std::string("abc"));
        QCOMPARE(describeValue(makeTuple({c10::IValue("abc")})), std::string("('abc',)"));
        QCOMPARE(describeValue(2.0), std::string("2.0"));
        QCOMPARE(describeValue(1e-5), std::string("1e-05"));
        QCOMPARE(describeValue(true), std::string("True"));
        QCOMPARE(describeValue(c10::IValue()), std::string("None"));
    }

    void longValuesAreCut()
    {
        std::vector<c10::IValue> items(1000, number(123456));
        const std::string text = describeValue(makeList(items));
        QVERIFY(text.size() <= 403);
        QVERIFY(text.ends_with("..."));
    }

    void listsAreTypedByWhatTheyHold()
    {
        QCOMPARE(makeList({number(1), number(2)}).type()->annotation_str(), std::string("List[int]"));
        QCOMPARE(makeList({at::ones({1}), at::ones({2})}).type()->annotation_str(), std::string("List[Tensor]"));
        QCOMPARE(makeList({number(1), at::ones({2})}).type()->annotation_str(), std::string("List[Any]"));
        QCOMPARE(makeList({makeList({number(1)}), makeList({number(2)})}).type()->annotation_str(),
                 std::string("List[List[int]]"));
        QCOMPARE(makeDict({{"a", 1.5}}).type()->annotation_str(), std::string("Dict[str, float]"));
    }

    void aNameGivenTwiceKeepsItsPlaceAndTakesTheLastValue()
    {
        const c10::IValue dict = makeDict({{"a", number(1)}, {"b", number(2)}, {"a", number(3)}});
        QCOMPARE(describeValue(dict), std::string("{'a': 3, 'b': 2}"));
    }
};

PIPESCOPE_TEST(TestIvalueTree)
#include "tst_ivalue_tree.moc"
