// exec/ on graphs that are made for the numbers, bools and texts that are given (import/specialised_inputs.h).
#include "exec_models.h"
#include "import/specialised_inputs.h"
#include "support/test_program.h"

#include <QTest>
#include <cmath>
#include <limits>

using namespace pipescope;
using namespace pipescope::test;
using import::ImportedModel;

namespace {

Module made(const std::string &code, const std::string &name = "Model")
{
    Module module = makeModule(name);
    module.define(code);
    return module;
}

std::vector<plan::InputSpec> inputs(const std::vector<std::string> &texts)
{
    std::vector<plan::InputSpec> specs;
    for (const std::string &text : texts)
        specs.push_back(must(plan::parseInputSpec(text)));
    return specs;
}

ImportedModel specialised(const Module &module, const std::vector<std::string> &texts)
{
    const auto constants = must(import::constantsOf(module, "forward", inputs(texts)));
    return must(import::importMethod(module, "forward", {}, constants));
}

/// The operators of PyTorch's that are left, those inside ifs and loops too; "if" and "loop" for these.
std::string operatorsOf(const ImportedModel &model)
{
    std::string text;
    for (const graph::Node &node : model.graph.nodes) {
        const std::string word = node.op == "prim::If"           ? "if"
                                 : node.op == "prim::Loop"       ? "loop"
                                 : node.op.starts_with("aten::") ? node.op.substr(6)
                                                                 : "";
        if (!word.empty())
            text += (text.empty() ? "" : " ") + word;
    }
    return text;
}

std::string textsOf(const ImportedModel &model)
{
    std::string text;
    for (const plan::InputSpec &input : import::specialisedInputs(model))
        text += (text.empty() ? "" : " ") + plan::toText(input);
    return text;
}

/// All that the whole graph gives for these arguments, and all that its stages give, cut at every place that is legal;
/// each the same as the model itself gives.
void verifyRuns(const Module &module, const ImportedModel &model, const Values &arguments)
{
    Module copy = module;
    const c10::IValue expected = copy.forward(arguments);
    const auto whole = must(exec::StageProgram::buildWhole(model, exec::heldBy(model)));
    QVERIFY(same(must(whole.run(arguments, {MicrobatchId{0}, 0, {}, nullptr}))[0], expected));
    for (int cut = 1; cut < model.graph.size(); ++cut) {
        const auto partition = partition::makePartition(model.graph, {cut});
        if (!partition)
            continue;
        const auto outputs = must(runStages(model, *partition, arguments, {MicrobatchId{0}, 0, {}, nullptr}));
        QVERIFY2(same(outputs[0], expected), std::to_string(cut).c_str());
    }
}

constexpr const char *ByRate = R"(
def forward(self, x: Tensor, sr: int) -> Tensor:
    if sr != 16000 and sr % 16000 == 0:
        x = x[:, ::3]
        sr = 16000
    if sr == 16000:
        x = torch.sin(x)
        if sr > 8000:
            x = torch.relu(x)
        else:
            x = torch.tan(x)
    else:
        if sr == 8000:
            x = torch.cos(x)
        else:
            assert False, 'no such rate'
    return x * 2.0
)";

} // namespace

class TestSpecialisedGraphs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ifsInsideIfsAreDecidedByANumber_data()
    {
        QTest::addColumn<QByteArray>("rate");
        QTest::addColumn<QByteArray>("operators");
        QTest::newRow("the first branch") << QByteArray("16000") << QByteArray("sin relu mul");
        QTest::newRow("the other") << QByteArray("8000") << QByteArray("cos mul");
        QTest::newRow("worked out first") << QByteArray("48000") << QByteArray("slice slice sin relu mul");
    }
    void ifsInsideIfsAreDecidedByANumber()
    {
        QFETCH(QByteArray, rate);
        QFETCH(QByteArray, operators);
        const Module module = made(ByRate);
        QVERIFY(operatorsOf(imported(module)).find("if") != std::string::npos);
        const ImportedModel model = specialised(module, {"x=float32[2,6]", "sr=" + rate.toStdString()});
        QCOMPARE(QString::fromStdString(operatorsOf(model)), QString::fromLatin1(operators));
        QCOMPARE(textsOf(model), "sr=" + rate.toStdString());
        verifyRuns(module, model, {wave({2, 6}), std::int64_t{rate.toLongLong()}});
    }

    void aSpecialisedArgumentKeepsItsPlace()
    {
        const Module module = made("def forward(self, n: int, x: Tensor, flag: bool = True) -> Tensor:\n"
                                   "    if flag:\n"
                                   "        x = x * n\n"
                                   "    return x + n\n");
        const ImportedModel model = specialised(module, {"3", "float32[2]", "false"});
        QCOMPARE(model.graph.arguments.size(), std::size_t(3));
        QCOMPARE(model.graph.arguments[0].name, std::string("n"));
        QCOMPARE(model.graph.arguments[2].name, std::string("flag"));
        QVERIFY(model.graph.arguments[2].hasDefault);
        QCOMPARE(textsOf(model), std::string("n=3 flag=false"));
        QCOMPARE(operatorsOf(model), std::string("add"));
        for (const graph::Node &node : model.graph.nodes)
            for (const ValueId used : node.uses)
                QVERIFY(used != model.graph.arguments[0].value && used != model.graph.arguments[2].value);
        verifyRuns(module, model, {3, wave({2}), false});
    }

    void anArgumentThatIsReturnedIsItsValue()
    {
        const Module module = made("def forward(self, x: Tensor, n: int) -> Tuple[Tensor, int]:\n"
                                   "    return torch.relu(x), n\n");
        const ImportedModel model = specialised(module, {"float32[2]", "7"});
        const auto whole = must(exec::StageProgram::buildWhole(model, exec::heldBy(model)));
        const auto outputs = must(whole.run({wave({2}), 7}, {MicrobatchId{0}, 0, {}, nullptr}));
        QCOMPARE(outputs[0].toTupleRef().elements()[1].toInt(), 7);
    }

    void textsDecide()
    {
        const Module module = made("def forward(self, x: Tensor, mode: str) -> Tensor:\n"
                                   "    if mode in ['sum', 'mean']:\n"
                                   "        x = torch.sin(x)\n"
                                   "    if mode == 'mean':\n"
                                   "        x = torch.cos(x)\n"
                                   "    if {'sum': 1, 'max': 2}.get(mode, 3) == 3:\n"
                                   "        x = torch.tan(x)\n"
                                   "    return torch.relu(x)\n");
        for (const auto &[mode, operators] : {std::pair("sum", "sin relu"), std::pair("mean", "sin cos tan relu"),
                                              std::pair("max", "relu"), std::pair("it's \"so\"", "tan relu")}) {
            const auto spec = plan::InputSpec{"mode", plan::InputValue{std::string(mode)}};
            const ImportedModel model = specialised(module, {"x=float32[2]", plan::toText(spec)});
            QCOMPARE(QString::fromStdString(operatorsOf(model)), QString::fromLatin1(operators));
            verifyRuns(module, model, {wave({2}), std::string(mode)});
        }
    }

    void whatIsGivenForAnOptionalDecidesWhetherItIsNone()
    {
        const Module module = made("def forward(self, x: Tensor, n: Optional[int], m: Optional[Tensor]) -> Tensor:\n"
                                   "    if n is not None:\n"
                                   "        if n > 2:\n"
                                   "            x = torch.sin(x)\n"
                                   "        x = x * n\n"
                                   "    if m is None:\n"
                                   "        x = torch.cos(x)\n"
                                   "    else:\n"
                                   "        x = torch.add(x, m)\n"
                                   "    return torch.relu(x)\n");
        const ImportedModel number = specialised(module, {"float32[2]", "5", "none"});
        QCOMPARE(operatorsOf(number), std::string("sin mul cos relu"));
        QCOMPARE(textsOf(number), std::string("n=5 m=none"));
        verifyRuns(module, number, {wave({2}), 5, c10::IValue()});
        const ImportedModel none = specialised(module, {"float32[2]", "none", "float32[2]"});
        QCOMPARE(textsOf(none), std::string("n=none"));
        QCOMPARE(operatorsOf(none), std::string("__is__ if cos add relu"));
        verifyRuns(module, none, {wave({2}), c10::IValue(), wave({2}, 0.3)});
    }

    /// As silero_vad hands its checked inputs on.
    void whatATensorIsReturnedWithDecides()
    {
        Module module = makeModule("Model");
        module.define("def checked(self, x: Tensor, n: int) -> Tuple[Tensor, int, bool]:\n"
                      "    return torch.sin(x), n + 1, n > 2\n");
        module.define("def forward(self, x: Tensor, n: int) -> Tensor:\n"
                      "    x, m, more = self.checked(x, n)\n"
                      "    if m == 4:\n"
                      "        x = torch.cos(x)\n"
                      "    if more:\n"
                      "        x = torch.tan(x)\n"
                      "    if self.checked(x, m)[1] == 5:\n"
                      "        x = torch.relu(x)\n"
                      "    return x\n");
        for (const std::int64_t n : {1, 3}) {
            const ImportedModel model = specialised(module, {"float32[2]", std::to_string(n)});
            QCOMPARE(operatorsOf(model), std::string(n == 3 ? "sin cos tan relu" : "sin"));
            verifyRuns(module, model, {wave({2}), n});
        }
    }

    void whatIsGivenForAUnionDecidesItsType()
    {
        const Module module = made("def forward(self, x: Tensor, norm: Union[str, bool]) -> Tensor:\n"
                                   "    if isinstance(norm, str):\n"
                                   "        if norm == 'window':\n"
                                   "            x = torch.sin(x)\n"
                                   "    elif norm:\n"
                                   "        x = torch.cos(x)\n"
                                   "    return torch.relu(x)\n");
        QCOMPARE(operatorsOf(specialised(module, {"float32[2]", "'window'"})), std::string("sin relu"));
        QCOMPARE(operatorsOf(specialised(module, {"float32[2]", "true"})), std::string("cos relu"));
        QCOMPARE(operatorsOf(specialised(module, {"float32[2]", "false"})), std::string("relu"));
    }

    void loopsOverANumberRunAsOften_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("for") << QByteArray("    for i in range(n):\n"
                                           "        if i == n - 1:\n"
                                           "            x = torch.sin(x)\n"
                                           "        x = x + i * n\n");
        QTest::newRow("while") << QByteArray("    k = n\n"
                                             "    while k > 0:\n"
                                             "        x = torch.sin(x) * k + n\n"
                                             "        k = k - 1\n");
        QTest::newRow("a number that a loop changes") << QByteArray("    for i in range(3):\n"
                                                                    "        n = n * 2\n"
                                                                    "    if n == 24:\n"
                                                                    "        x = torch.cos(x)\n");
        QTest::newRow("a loop in a branch") << QByteArray("    if n > 2:\n"
                                                          "        for i in range(n):\n"
                                                          "            x = torch.sin(x) + 1\n");
    }
    void loopsOverANumberRunAsOften()
    {
        QFETCH(QByteArray, code);
        const Module module = made("def forward(self, x: Tensor, n: int) -> Tensor:\n    x = torch.relu(x)\n" +
                                   code.toStdString() + "    return torch.tan(x)\n");
        for (const std::int64_t n : {0, 1, 3}) {
            const ImportedModel model = specialised(module, {"float32[2,3]", std::to_string(n)});
            verifyRuns(module, model, {wave({2, 3}), n});
        }
    }

    void floatsKeepEveryBit_data()
    {
        QTest::addColumn<double>("number");
        QTest::newRow("nan") << std::numeric_limits<double>::quiet_NaN();
        QTest::newRow("infinity") << std::numeric_limits<double>::infinity();
        QTest::newRow("minus zero") << -0.0;
        QTest::newRow("a third") << 1.0 / 3;
    }
    void floatsKeepEveryBit()
    {
        QFETCH(double, number);
        const Module module = made("def forward(self, x: Tensor, g: float) -> Tensor:\n"
                                   "    if g != g:\n"
                                   "        x = torch.sin(x)\n"
                                   "    if g > 0.25:\n"
                                   "        x = torch.cos(x)\n"
                                   "    return x * g\n");
        const plan::InputSpec given{"g", plan::InputValue{number}};
        const ImportedModel model = specialised(module, {"float32[2]", plan::toText(given)});
        QVERIFY(operatorsOf(model).find("if") == std::string::npos);
        QVERIFY(import::checkSpecialised(model, {wave({2}), number}));
        QVERIFY(!import::checkSpecialised(model, {wave({2}), number == 0 ? 0.0 : 2.0}));
        // Read back from how a plan writes it, it is the same.
        const ImportedModel again = specialised(module, {"x=float32[2]", textsOf(model)});
        QVERIFY(import::checkSpecialised(again, {wave({2}), number}));
        const auto whole = must(exec::StageProgram::buildWhole(model, exec::heldBy(model)));
        Module copy = module;
        QVERIFY(at::equal(
            must(whole.run({wave({2}), number}, {MicrobatchId{0}, 0, {}, nullptr}))[0].toTensor().view(at::kInt),
            copy.forward({wave({2}), number}).toTensor().view(at::kInt)));
    }

    void anIntIsTakenForAFloatAsInARun()
    {
        const Module module = made("def forward(self, x: Tensor, g: float) -> Tensor:\n"
                                   "    if g == 2.0:\n"
                                   "        x = torch.sin(x)\n"
                                   "    return x * g\n");
        const ImportedModel model = specialised(module, {"float32[2]", "2"});
        QCOMPARE(operatorsOf(model), std::string("sin mul"));
        QCOMPARE(textsOf(model), std::string("g=2.0"));
    }

    void tensorsAndWhatHoldsOthersAreNotFolded()
    {
        const Module module = made("def forward(self, x: Tensor, sizes: List[int], pair: Tuple[int, int]) -> Tensor:\n"
                                   "    if sizes[0] == 1:\n"
                                   "        x = torch.sin(x)\n"
                                   "    if pair[0] == 1:\n"
                                   "        x = torch.cos(x)\n"
                                   "    return x\n");
        QVERIFY(must(import::constantsOf(module, "forward", inputs({"float32[]", "[1]", "(1, 2)"}))).empty());
    }

    void aWrongNameOrTypeIsRefused()
    {
        const Module module = made(ByRate);
        const auto name = import::constantsOf(module, "forward", inputs({"rate=16000"}));
        QVERIFY(!name);
        QCOMPARE(name.error().where, std::string("rate"));
        QVERIFY(name.error().message.starts_with("got an unexpected keyword argument 'rate'."));
        const auto text = import::constantsOf(module, "forward", inputs({"sr='16000'"}));
        QVERIFY(!text);
        QCOMPARE(QString::fromStdString(text.error().message),
                 QString("argument 'sr' must be int, got str (16000); write it as sr=1"));
        const auto tensor = import::constantsOf(module, "forward", inputs({"x=3"}));
        QVERIFY(!tensor);
        QCOMPARE(tensor.error().where, std::string("x"));
        QVERIFY(must(import::constantsOf(module, "backward", inputs({"sr=3"}))).empty()); // importing names the methods
    }

    void otherValuesAreRefused()
    {
        const ImportedModel model = specialised(made(ByRate), {"sr=16000"});
        QVERIFY(import::checkSpecialised(model, {wave({2, 6}), 16000}));
        const Status other = import::checkSpecialised(model, {wave({2, 6}), 8000});
        QVERIFY(!other);
        QCOMPARE(QString::fromStdString(other.error().message),
                 QString("'sr' is 8000, but the graph is specialised for 16000, and other branches are left out of it. "
                         "Specialise again for what is given now, or keep the value; give it as sr=16000"));
        QCOMPARE(other.error().where, std::string("sr"));
        QCOMPARE(other.error().code, ErrorCode::InvalidArgument);
    }
};

PIPESCOPE_TEST(TestSpecialisedGraphs)
#include "tst_specialised_graphs.moc"
