#include "tensor/compare.h"
#include "tensor/ivalue_tree.h"
#include "tensor/make_input.h"

#include "support/contains.h"
#include "support/graph_builder.h"
#include "support/test_program.h"

#include <ATen/Functions.h>
#include <ATen/Parallel.h>
#include <ATen/core/Dict.h>
#include <ATen/core/enum_type.h>
#include <ATen/core/jit_type.h>
#include <cmath>

#include <QTest>
#include <torch/csrc/jit/api/compilation_unit.h>

using namespace pipescope;
using namespace pipescope::tensor;
using plan::InputSpec;
using plan::InputValue;
using plan::TensorSpec;
using tests::contains;

namespace {

TensorSpec tensorSpec(const std::string &dtype, std::vector<std::int64_t> sizes)
{
    return {dtype, std::move(sizes), 0, 0, {}};
}

at::Tensor made(const TensorSpec &spec, std::uint64_t seed = 0, int place = 0)
{
    auto value = makeValue({spec}, seed, place);
    if (!value)
        QTest::qFail(value.error().message.c_str(), __FILE__, __LINE__);
    return value ? value->toTensor() : at::Tensor();
}

std::string errorOf(const Result<c10::IValue> &result)
{
    return result ? "no error" : result.error().message;
}

std::string errorOf(const Result<std::vector<c10::IValue>> &result)
{
    return result ? "no error" : result.error().message;
}

graph::Argument argument(const std::string &name, const std::string &type)
{
    graph::Argument result;
    result.name = name;
    result.type = type;
    return result;
}

Result<std::vector<c10::IValue>> makeInputs(const std::vector<graph::Argument> &arguments,
                                            const std::map<int, c10::IValue> &defaults,
                                            const std::vector<InputSpec> &specs, std::uint64_t seed)
{
    return tensor::makeInputs({arguments, {}, nullptr}, defaults, specs, seed);
}

Result<std::vector<c10::IValue>> makeInputs(const graph::ModelGraph &graph, const std::map<int, c10::IValue> &defaults,
                                            const std::vector<InputSpec> &specs, std::uint64_t seed)
{
    return tensor::makeInputs({graph.arguments, {}, &graph}, defaults, specs, seed);
}

/// Two fields `a` and `b`, the second with a default.
c10::TypePtr pairType()
{
    std::vector<c10::IValue> defaults{c10::IValue(7)};
    return c10::TupleType::createNamed(c10::QualifiedName("__torch__.model.Pair"), std::vector<std::string>{"a", "b"},
                                       {c10::TensorType::get(), c10::IntType::get()}, defaults);
}

c10::TypePtr boxType()
{
    return c10::ClassType::create(c10::QualifiedName("__torch__.model.Box"),
                                  std::make_shared<torch::jit::CompilationUnit>());
}

c10::TypePtr colourType()
{
    const auto unit = std::make_shared<torch::jit::CompilationUnit>();
    return c10::EnumType::create(c10::QualifiedName("__torch__.model.Colour"), c10::IntType::get(),
                                 {{"RED", c10::IValue(1)}, {"GREEN", c10::IValue(2)}}, unit);
}

/// The argument `x` of a type that only the model knows.
Result<std::vector<c10::IValue>> boundTo(const c10::TypePtr &type, const std::vector<InputSpec> &specs)
{
    return tensor::makeInputs({{argument("x", type->annotation_str())}, {type}, nullptr}, {}, specs, 0);
}

InputSpec x(std::string_view text)
{
    return *plan::parseInputSpec("x=" + std::string(text));
}

/// The one argument `x` of a type, from one value.
Result<std::vector<c10::IValue>> bound(const std::string &type, InputValue value)
{
    return makeInputs({argument("x", type)}, {}, {{"x", std::move(value)}}, 0);
}

std::string fitted(const std::string &type, InputValue value)
{
    const auto result = bound(type, std::move(value));
    if (!result)
        return result.error().message;
    const c10::IValue &made = result->front();
    return (made.isTensor() ? "Tensor" : made.type()->annotation_str()) + " " + describeValue(made);
}

InputValue integer(std::int64_t value)
{
    return {value};
}

} // namespace

class TestMakeInput : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void floatsAreSpreadEvenlyOverTheirRange_data()
    {
        QTest::addColumn<QString>("dtype");
        for (const char *dtype : {"float32", "float64", "float16", "bfloat16"})
            QTest::newRow(dtype) << dtype;
    }

    void floatsAreSpreadEvenlyOverTheirRange()
    {
        QFETCH(QString, dtype);
        TensorSpec spec = tensorSpec(dtype.toStdString(), {4096});
        spec.reals = plan::RealRange{-0.5, 1.5};
        const at::Tensor tensor = made(spec, 7).to(at::kDouble);
        QVERIFY(tensor.min().item<double>() >= -0.5);
        QVERIFY(tensor.max().item<double>() <= 1.5);
        QVERIFY(std::abs(tensor.mean().item<double>() - 0.5) < 0.05); // of U(-0.5, 1.5), n = 4096: +-0.009
        QVERIFY(std::abs(tensor.std().item<double>() - 2 / std::sqrt(12)) < 0.03);
    }

    void everyDtypeIsMade_data()
    {
        QTest::addColumn<QByteArray>("canonical");
        for (const char *name :
             {"float32", "float64", "float16", "bfloat16", "int8", "int16", "int32", "int64", "uint8", "uint16",
              "uint32", "uint64", "bool", "complex64", "complex128", "complex32", "float8_e4m3fn"})
            QTest::newRow(name) << QByteArray(name);
        QTest::newRow("float") << QByteArray("float32");
        QTest::newRow("double") << QByteArray("float64");
        QTest::newRow("half") << QByteArray("float16");
        QTest::newRow("long") << QByteArray("int64");
        QTest::newRow("int") << QByteArray("int32");
    }

    void everyDtypeIsMade()
    {
        QFETCH(QByteArray, canonical);
        const at::Tensor tensor = made(tensorSpec(QTest::currentDataTag(), {2, 3}));
        QCOMPARE(dtypeName(tensor.scalar_type()), canonical.toStdString());
        QCOMPARE(tensor.sizes(), at::IntArrayRef({2, 3}));
    }

    void floatsAreNormalAndIntegersUniform()
    {
        const at::Tensor floats = made(tensorSpec("float32", {10000}));
        QVERIFY(std::abs(floats.mean().item<double>()) < 0.05);
        QVERIFY(std::abs(floats.std().item<double>() - 1) < 0.05);
        const at::Tensor ids = made({"int64", {10000}, 5, 9, {}});
        QCOMPARE(ids.min().item<std::int64_t>(), std::int64_t(5));
        QCOMPARE(ids.max().item<std::int64_t>(), std::int64_t(8));
        const at::Tensor coins = made(tensorSpec("bool", {10000}));
        QVERIFY(std::abs(coins.to(at::kFloat).mean().item<double>() - 0.5) < 0.05);
        QCOMPARE(made(tensorSpec("int32", {1000})).max().item<int>(), 1);
        QCOMPARE(made({"int8", {1000}, -3, 0, {}}).max().item<int>(), -1);
        QCOMPARE(made({"uint8", {10000}, 0, 256, {}}).max().item<int>(), 255);
    }

    void numbersDependOnSeedAndPlaceOnly()
    {
        const TensorSpec spec = tensorSpec("float32", {1000});
        at::manual_seed(1);
        const at::Tensor first = made(spec, 7, 2);
        at::manual_seed(2);
        const int threads = at::get_num_threads();
        at::set_num_threads(threads == 1 ? 2 : 1);
        const at::Tensor second = made(spec, 7, 2);
        at::set_num_threads(threads);
        QVERIFY(at::equal(first, second));
        QVERIFY(!at::equal(first, made(spec, 7, 3)));
        QVERIFY(!at::equal(first, made(spec, 8, 2)));
        QVERIFY(!at::equal(made(spec, 0, 1), made(spec, 1, 0)));
    }

    void aSeedOfItsOwnDecidesAlone()
    {
        TensorSpec spec = tensorSpec("float32", {100});
        spec.seed = 3;
        QVERIFY(at::equal(made(spec, 1, 1), made(spec, 2, 2)));
        TensorSpec other = spec;
        other.seed = 4;
        QVERIFY(!at::equal(made(spec), made(other)));
    }

    void torchsOwnGeneratorIsLeftAlone()
    {
        at::manual_seed(5);
        const at::Tensor expected = at::randn({4});
        at::manual_seed(5);
        made(tensorSpec("float32", {100}));
        QVERIFY(at::equal(expected, at::randn({4})));
    }

    void tensorsInOneListDiffer()
    {
        const InputValue list{InputValue::List{{{tensorSpec("float32", {10})}, {tensorSpec("float32", {10})}}}};
        const auto value = makeValue(list, 0, 0);
        QVERIFY(value);
        QVERIFY(value->isTensorList());
        QVERIFY(!at::equal(value->toTensorVector()[0], value->toTensorVector()[1]));
    }

    void tensorsThatCannotBeMadeAreRefused()
    {
        QVERIFY(contains(errorOf(makeValue({tensorSpec("flot32", {1})}, 0, 0)),
                         "there is no dtype 'flot32'. Did you mean float32"));
        QVERIFY(contains(errorOf(makeValue({tensorSpec("quint8", {1})}, 0, 0)), "a quantized tensor needs a scale"));
        QVERIFY(contains(errorOf(makeValue({TensorSpec{"int8", {1}, 0, 300, {}}}, 0, 0)),
                         "int8 holds -128 to 127, so it cannot hold all of 0 to 299"));
        QVERIFY(contains(errorOf(makeValue({TensorSpec{"uint8", {1}, -1, 3, {}}}, 0, 0)), "uint8 holds 0 to 255"));
        QVERIFY(contains(errorOf(makeValue({TensorSpec{"int64", {1}, 3, 3, {}}}, 0, 0)), "no integer is >= 3 and < 3"));
        QVERIFY(contains(errorOf(makeValue({tensorSpec("float32", {-1})}, 0, 0)), "negative"));
        QVERIFY(contains(errorOf(makeValue({tensorSpec("float32", {1 << 30, 1 << 30})}, 0, 0)), "2^40"));
        QVERIFY(contains(errorOf(makeValue({tensorSpec("float64", {std::int64_t{1} << 40})}, 0, 0)),
                         "out of memory: 8.00 TiB"));
    }

    void argumentsAreBoundByPositionAndName()
    {
        const std::vector<graph::Argument> arguments{argument("a", "int"), argument("b", "int"), argument("c", "int")};
        const auto values = makeInputs(arguments, {{1, c10::IValue(20)}}, {{"c", integer(3)}, {"", integer(1)}}, 0);
        QVERIFY2(values, errorOf(values).c_str());
        QCOMPARE((*values)[0].toInt(), std::int64_t(1));
        QCOMPARE((*values)[1].toInt(), std::int64_t(20));
        QCOMPARE((*values)[2].toInt(), std::int64_t(3));
    }

    void everyInputThatIsMissingIsNamed()
    {
        const std::vector<graph::Argument> arguments{argument("x", "Tensor"), argument("mask", "Optional[Tensor]"),
                                                     argument("sr", "int"), argument("gain", "float")};
        QCOMPARE(errorOf(makeInputs(arguments, {{1, {}}}, {}, 0)),
                 std::string("missing a required argument: 'x' (Tensor); give it a value, such as float32[2,3] (guess: "
                             "all of it, the model does not tell); "
                             "missing too: 'sr' (int), 'gain' (float)"));
    }

    void theSameInputIsMadeByPositionAndByName()
    {
        const std::vector<graph::Argument> arguments{argument("a", "int"), argument("x", "Tensor")};
        const InputSpec one{"", integer(1)};
        const auto byPosition = makeInputs(arguments, {}, {one, {"", {tensorSpec("float32", {5})}}}, 9);
        const auto byName = makeInputs(arguments, {}, {{"x", {tensorSpec("float32", {5})}}, one}, 9);
        QVERIFY(compare((*byPosition)[1], (*byName)[1]).bitwise);
    }

    void theExampleForAMissingInputIsWhatTheModelTakes()
    {
        graph::ModelGraph graph = tests::graphFromText(
            "in ids\nin mask\nparam w wte.weight\na = aten::embedding w ids\nb = aten::add a mask\nreturn b");
        graph.parameters[0].tensor.sizes = {50257, 768};
        QCOMPARE(errorOf(makeInputs(graph, {}, {}, 0)),
                 std::string("missing a required argument: 'ids' (Tensor); give it a value, such as "
                             "int64[8,16]<50257 (guess: 8 x 16); missing too: 'mask' (Tensor)"));
        const InputSpec ids{"ids", {tensorSpec("int64", {1})}};
        QCOMPARE(errorOf(makeInputs(graph, {}, {ids}, 0)), // of which nothing is known
                 std::string("missing a required argument: 'mask' (Tensor); give it a value, such as float32[2,3] "
                             "(guess: all of it, the model does not tell)"));
    }

    void whatDoesNotBindHasPythonsWords()
    {
        const std::vector<graph::Argument> arguments{argument("x", "Tensor"), argument("mask", "Optional[Tensor]")};
        QCOMPARE(errorOf(makeInputs(arguments, {{1, {}}}, {}, 0)),
                 std::string("missing a required argument: 'x' (Tensor); give it a value, such as float32[2,3] (guess: "
                             "all of it, the model does not tell)"));
        QCOMPARE(errorOf(makeInputs(arguments, {}, {{"x", {tensorSpec("float32", {1})}}, {"msk", integer(1)}}, 0)),
                 std::string("got an unexpected keyword argument 'msk'. Did you mean mask?"));
        QVERIFY(contains(errorOf(makeInputs(arguments, {}, {{"weights", integer(1)}}, 0)), "It takes x, mask."));
        QCOMPARE(errorOf(makeInputs({argument("x", "int")}, {}, {{"", integer(1)}, {"", integer(2)}}, 0)),
                 std::string("too many positional arguments: the model takes 1"));
        QCOMPARE(errorOf(makeInputs({argument("x", "int")}, {}, {{"", integer(1)}, {"x", integer(2)}}, 0)),
                 std::string("multiple values for argument 'x'"));
    }

    void valuesTakeTheDeclaredType_data()
    {
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("int") << QByteArray("int 3");
        QTest::newRow("float") << QByteArray("float 3.0");
        QTest::newRow("complex") << QByteArray("complex (3+0j)");
        QTest::newRow("Optional[int]") << QByteArray("int 3");
        QTest::newRow("Optional[float]") << QByteArray("float 3.0");
        QTest::newRow("number") << QByteArray("int 3");
        QTest::newRow("Any") << QByteArray("int 3");
        QTest::newRow("__torch__.Own") << QByteArray("int 3");
        QTest::newRow("Union[int, str]") << QByteArray("int 3");
    }

    void valuesTakeTheDeclaredType()
    {
        QFETCH(QByteArray, expected);
        QCOMPARE(fitted(QTest::currentDataTag(), integer(3)), expected.toStdString());
    }

    void containersTakeTheDeclaredTypes()
    {
        const InputValue list{InputValue::List{{integer(1), integer(2)}}};
        const InputValue tuple{InputValue::Tuple{{integer(1), integer(2)}}};
        const InputValue empty{InputValue::List{}};
        QCOMPARE(fitted("List[int]", list), std::string("List[int] [1, 2]"));
        QCOMPARE(fitted("List[float]", list), std::string("List[float] [1.0, 2.0]"));
        QCOMPARE(fitted("List[int]", tuple), std::string("List[int] [1, 2]"));
        QCOMPARE(fitted("List[str]", empty), std::string("List[str] []"));
        QCOMPARE(fitted("Optional[List[Optional[int]]]", list), std::string("List[Optional[int]] [1, 2]"));
        QCOMPARE(fitted("Tuple[int, float]", tuple), std::string("Tuple[int, float] (1, 2.0)"));
        QCOMPARE(fitted("Tuple[int, float]", list), std::string("Tuple[int, float] (1, 2.0)"));
        const InputValue dict{InputValue::Dict{{{"1", integer(5)}, {"2", integer(6)}}}};
        QCOMPARE(fitted("Dict[str, float]", dict), std::string("Dict[str, float] {'1': 5.0, '2': 6.0}"));
        QCOMPARE(fitted("Dict[int, int]", dict), std::string("Dict[int, int] {1: 5, 2: 6}"));
        QCOMPARE(fitted("Optional[Tensor]", {InputValue::None{}}), std::string("NoneType None"));
    }

    void wrongTypesAreToldWithBoth()
    {
        QCOMPARE(fitted("Tensor", integer(3)),
                 std::string("argument 'x' must be Tensor, got int (3); write it as x=float32[2,3]"));
        QCOMPARE(fitted("int", {true}), std::string("argument 'x' must be int, got bool (True); write it as x=1"));
        QCOMPARE(fitted("int", {1.5}), std::string("argument 'x' must be int, got float (1.5); write it as x=1"));
        QCOMPARE(fitted("str", {tensorSpec("float32", {1})}),
                 std::string("argument 'x' must be str, got Tensor; write it as x='text'"));
        QCOMPARE(fitted("Tensor", {InputValue::None{}}),
                 std::string("argument 'x' must be Tensor, got NoneType; write it as x=float32[2,3]"));
        const InputValue list{InputValue::List{{integer(1), {std::string("a")}}}};
        QCOMPARE(fitted("List[int]", list), std::string("argument 'x'[1] must be int, got str (a); write it as x=[1]"));
        QCOMPARE(fitted("Dict[str, Tensor]", list), std::string("argument 'x' must be Dict[str, Tensor], got List[Any] "
                                                                "([1, 'a']); write it as x={name: float32[2,3]}"));
        QVERIFY(fitted("Tuple[int, Tensor]", {InputValue::Tuple{{integer(1)}}})
                    .ends_with("write it as x=(1, float32[2,3])"));
    }

    void aNamedTupleIsMadeFromItsFields_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("in order") << QByteArray("(int64[2], 3)");
        QTest::newRow("as a list") << QByteArray("[int64[2], 3]");
        QTest::newRow("by name") << QByteArray("{b: 3, a: int64[2]}");
    }
    void aNamedTupleIsMadeFromItsFields()
    {
        QFETCH(QByteArray, text);
        const auto made = boundTo(pairType(), {x(text.constData())});
        QVERIFY2(made, errorOf(made).c_str());
        const auto type = made->front().type();
        QCOMPARE(type->expectRef<c10::TupleType>().name()->name(), std::string("Pair"));
        const auto &elements = made->front().toTupleRef().elements();
        QCOMPARE(elements[0].toTensor().dim(), std::int64_t(1));
        QCOMPARE(elements[1].toInt(), std::int64_t(3));
    }

    void aFieldThatIsLeftOutHasItsDefault()
    {
        const auto made = boundTo(pairType(), {x("{a: int64[2]}")});
        QVERIFY2(made, errorOf(made).c_str());
        QCOMPARE(made->front().toTupleRef().elements()[1].toInt(), std::int64_t(7));
    }

    void aNamedTupleMayBeInsideAnother()
    {
        const auto made = boundTo(c10::ListType::create(pairType()), {x("[(int64[2], 3), {a: int64[2]}]")});
        QVERIFY2(made, errorOf(made).c_str());
        QCOMPARE(made->front().toListRef().size(), std::size_t(2));
        const auto none = boundTo(c10::OptionalType::create(pairType()), {x("none")});
        QVERIFY2(none, errorOf(none).c_str());
    }

    void whatIsNoNamedTupleIsToldItsFields()
    {
        const std::string pair = "argument 'x' must be Pair(a: Tensor, b: int), got ";
        const std::string advice = "; write it as x=(float32[2,3], 1)";
        QCOMPARE(errorOf(boundTo(pairType(), {x("3")})), pair + "int (3)" + advice);
        QCOMPARE(errorOf(boundTo(pairType(), {x("(int64[2],)")})),
                 pair + "Tuple[Tensor] ((Tensor(torch.Size([2]), grad=False, dtype=torch.int64),))" + advice);
        QVERIFY(contains(errorOf(boundTo(pairType(), {x("{a: int64[2], c: 3}")})), pair));
        QCOMPARE(errorOf(boundTo(pairType(), {x("(int64[2], 'three')")})),
                 "argument 'x'.b must be int, got str (three)" + advice);
        QCOMPARE(errorOf(boundTo(pairType(), {})),
                 std::string("missing a required argument: 'x' (Pair(a: Tensor, b: int)); give it a value, such as "
                             "(float32[2,3], 1)"));
    }

    void aDeviceIsGivenByItsName()
    {
        const auto made = bound("Device", {std::string("cpu")});
        QVERIFY2(made, errorOf(made).c_str());
        QCOMPARE(made->front().toDevice(), c10::Device(c10::kCPU));
        QVERIFY(bound("Optional[Device]", {InputValue::None{}}));
        QCOMPARE(errorOf(bound("Device", {std::string("cuda:0")})),
                 std::string("argument 'x' must be the CPU, on which models are run here, got cuda:0; write it as "
                             "x='cpu'"));
        QCOMPARE(errorOf(bound("Device", {std::string("gpu")})),
                 std::string("argument 'x' must be Device, got str (gpu); write it as x='cpu'"));
        QCOMPARE(errorOf(bound("Device", integer(0))),
                 std::string("argument 'x' must be Device, got int (0); write it as x='cpu'"));
        QVERIFY(contains(errorOf(makeInputs({argument("x", "Device")}, {}, {}, 0)), "such as 'cpu'"));
    }

    void aMemberOfAnEnumerationIsGivenByItsName()
    {
        const auto made = boundTo(colourType(), {x("'GREEN'")});
        QVERIFY2(made, errorOf(made).c_str());
        QCOMPARE(made->front().toEnumHolder()->value().toInt(), std::int64_t(2));
        QCOMPARE(errorOf(boundTo(colourType(), {x("'BLUE'")})),
                 std::string("argument 'x' must be Colour, got str (BLUE); write it as x='RED'"));
    }

    void anObjectOfAClassCannotBeGiven()
    {
        const std::string why = "Box is a class of the model, and a value of it cannot be given; call a method without "
                                "such an argument, or save a module around the model that makes it from tensors and "
                                "numbers";
        const auto given = boundTo(boxType(), {x("3")});
        QCOMPARE(errorOf(given), "argument 'x' must be Box, got int (3): " + why);
        QCOMPARE(given.error().code, ErrorCode::Unsupported);
        const auto missing = boundTo(boxType(), {});
        QCOMPARE(errorOf(missing), "missing a required argument: 'x', but " + why);
        QCOMPARE(missing.error().code, ErrorCode::Unsupported);
        QVERIFY(
            contains(errorOf(boundTo(c10::ListType::create(boxType()), {x("[3]")})), "argument 'x'[0] must be Box"));
        const c10::TypePtr optional = c10::OptionalType::create(boxType());
        QVERIFY(boundTo(optional, {x("none")}));
        QCOMPARE(errorOf(boundTo(optional, {x("3")})),
                 std::string("argument 'x' must be Box, got int (3); write it as x=none"));
    }

    void aTypeThatIsNoDataCannotBeGiven()
    {
        QVERIFY(contains(errorOf(boundTo(c10::GeneratorType::get(), {x("3")})),
                         "argument 'x' must be Generator, got int (3): Generator is no type of data"));
    }

    void filesAreRead()
    {
        const std::string folder = std::string(PIPESCOPE_TEST_DATA) + "/tensor/";
        const auto tensor = bound("Tensor", {plan::FileSpec{folder + "tensor.pt"}});
        QVERIFY2(tensor, errorOf(tensor).c_str());
        QCOMPARE(tensor->front().toTensor().sizes(), at::IntArrayRef({2, 3}));
        const auto dict = bound("Dict[str, Tensor]", {plan::FileSpec{folder + "state_dict.pt"}});
        QVERIFY2(dict, errorOf(dict).c_str());
        const auto missing = bound("Tensor", {plan::FileSpec{"/nowhere/x.pt"}});
        QCOMPARE(missing.error().code, ErrorCode::NotFound);
        QCOMPARE(missing.error().where, std::string("x (/nowhere/x.pt)"));
    }

    void valuesNestedTooDeeplyAreRefused()
    {
        InputValue value = integer(1);
        for (int i = 0; i < 100; ++i)
            value = {InputValue::List{{value}}};
        QVERIFY(contains(errorOf(makeValue(value, 0, 0)), "64 levels"));
    }
};

PIPESCOPE_TEST(TestMakeInput)
#include "tst_make_input.moc"
