#include "import/import_method.h"
#include "import/operator_questions.h"
#include "support/test_program.h"

#include <ATen/ATen.h>
#include <QTest>
#include <torch/csrc/jit/frontend/script_type_parser.h>

using namespace pipescope;
using import::ImportedModel;

namespace {

/// A module with one attribute of this type.
torch::jit::Module holding(const std::string &name, const std::string &type, const c10::IValue &value)
{
    torch::jit::Module module("Model");
    module.register_attribute(name, torch::jit::ScriptTypeParser().parseType(type), value);
    return module;
}

ImportedModel imported(const torch::jit::Module &module)
{
    auto model = import::importMethod(module);
    if (!model)
        qFatal("%s", model.error().message.c_str());
    return *std::move(model);
}

/// The operators of all nodes, in order, without what only packs and compares.
std::string operatorsOf(const ImportedModel &model)
{
    std::string text;
    for (const graph::Node &node : model.graph.nodes)
        text += (text.empty() ? "" : " ") + node.op;
    return text;
}

/// As torchaudio's spectrograms ask for their norm.
constexpr const char *AsksForNorm = "def forward(self, x: Tensor) -> Tensor:\n"
                                    "    n = self.normalized\n"
                                    "    if isinstance(n, str):\n"
                                    "        if n == 'window':\n"
                                    "            x = torch.sin(x)\n"
                                    "        if n == 'frame_length':\n"
                                    "            x = torch.cos(x)\n"
                                    "    elif isinstance(n, bool):\n"
                                    "        if n:\n"
                                    "            x = torch.tan(x)\n"
                                    "    else:\n"
                                    "        raise Exception('no norm')\n"
                                    "    return torch.relu(x)\n";

} // namespace

class TestFold : public QObject
{
    Q_OBJECT

    static void verifyOperators(const ImportedModel &model)
    {
        for (const torch::jit::Node *node : model.nodes)
            if (!node->kind().is_prim())
                QVERIFY2(import::operatorOf(*node), node->kind().toQualString());
    }

private Q_SLOTS:
    void aTestOfAConstantsTypeIsDecided_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QVariant>("value");
        QTest::addColumn<QByteArray>("expected");
        QTest::newRow("false") << "Union[str, bool]" << QVariant(false) << QByteArray("aten::relu");
        QTest::newRow("true") << "Union[str, bool]" << QVariant(true) << QByteArray("aten::tan aten::relu");
        QTest::newRow("a text") << "Union[str, bool]" << QVariant("window") << QByteArray("aten::sin aten::relu");
        QTest::newRow("another text") << "Union[bool, str]" << QVariant("frame_length")
                                      << QByteArray("aten::cos aten::relu");
    }
    void aTestOfAConstantsTypeIsDecided()
    {
        QFETCH(QString, type);
        QFETCH(QVariant, value);
        QFETCH(QByteArray, expected);
        const bool isText = value.typeId() == QMetaType::QString;
        torch::jit::Module module =
            holding("normalized", type.toStdString(),
                    isText ? c10::IValue(value.toString().toStdString()) : c10::IValue(value.toBool()));
        module.define(AsksForNorm);
        const ImportedModel model = imported(module);
        QCOMPARE(operatorsOf(model), expected.toStdString());
        verifyOperators(model);
    }

    void aTestOfAHeldListsTypeIsDecided()
    {
        c10::List<std::string> names({"a", "b"});
        torch::jit::Module module = holding("names", "Union[str, List[str]]", names);
        module.define("def forward(self, x: Tensor) -> Tensor:\n"
                      "    n = self.names\n"
                      "    if isinstance(n, str):\n"
                      "        x = torch.sin(x)\n"
                      "    return torch.relu(x)\n");
        QCOMPARE(operatorsOf(imported(module)), std::string("aten::relu"));
    }

    void anAttributeThatIsAssignedDecidesNothing()
    {
        torch::jit::Module module = holding("normalized", "Union[str, bool]", false);
        module.define(std::string(AsksForNorm) + "\ndef other(self):\n    self.normalized = 'window'\n");
        module.define("def both(self, x: Tensor) -> Tensor:\n    self.other()\n    return self.forward(x)\n");
        const auto model = import::importMethod(module, "both");
        QVERIFY2(model, model ? "" : model.error().message.c_str());
        QVERIFY(operatorsOf(*model).find("prim::isinstance") != std::string::npos);
        verifyOperators(*model);
    }

    /// What is passed to the method may be of a narrower type than its argument.
    void theTypeOfWhatIsPassedDecides()
    {
        torch::jit::Module module("Model");
        module.define("def first(self, v: Union[Tensor, List[Tensor]]) -> Tensor:\n"
                      "    if isinstance(v, Tensor):\n"
                      "        return torch.sin(v)\n"
                      "    else:\n"
                      "        return torch.cos(v[0])\n");
        module.define("def maybe(self, x: Tensor, y: Optional[Tensor]) -> Tensor:\n"
                      "    if y is not None:\n"
                      "        x = torch.tan(x)\n"
                      "    return x\n");
        module.define("def forward(self, x: Tensor) -> Tensor:\n    return self.first(self.maybe(x, x))\n");
        QCOMPARE(QString::fromStdString(operatorsOf(imported(module))), QString("aten::tan aten::sin"));
    }

    /// As torchaudio asks for its norm: by a function that gives two answers at once.
    void constantsThatAreReturnedTogetherDecide()
    {
        torch::jit::Module module = holding("normalized", "Union[str, bool]", "window");
        module.define("def norms(self, n: Union[str, bool]) -> Tuple[bool, bool]:\n"
                      "    frame, window = False, False\n"
                      "    if isinstance(n, str):\n"
                      "        if n == 'window':\n"
                      "            window = True\n"
                      "    else:\n"
                      "        frame = n\n"
                      "    return frame, window\n");
        module.define("def forward(self, x: Tensor) -> Tensor:\n"
                      "    frame, window = self.norms(self.normalized)\n"
                      "    if frame:\n"
                      "        x = torch.sin(x)\n"
                      "    if window:\n"
                      "        x = torch.cos(x)\n"
                      "    if self.norms(True)[0]:\n"
                      "        x = torch.tan(x)\n"
                      "    return torch.relu(x)\n");
        QCOMPARE(QString::fromStdString(operatorsOf(imported(module))), QString("aten::cos aten::tan aten::relu"));
    }

    void aTestThatTheInputDecidesStays()
    {
        torch::jit::Module module("Model");
        module.define("def forward(self, v: Union[Tensor, List[Tensor]]) -> Tensor:\n"
                      "    if isinstance(v, Tensor):\n"
                      "        x = torch.sin(v)\n"
                      "    else:\n"
                      "        x = torch.cos(v[0])\n"
                      "    return x\n");
        const ImportedModel model = imported(module);
        QVERIFY2(operatorsOf(model).starts_with("prim::isinstance prim::If "), operatorsOf(model).c_str());
    }

    void aDivisionThatWouldEndTheProgramIsLeftToTheModel_data()
    {
        QTest::addColumn<QString>("division");
        QTest::newRow("remainder of zero") << "10 % self.n";
        QTest::newRow("quotient of zero") << "10 // self.n";
        QTest::newRow("remainder of the least number") << "(-9223372036854775807 - 1) % (self.n - 1)";
        QTest::newRow("quotient of the least number") << "(-9223372036854775807 - 1) // (self.n - 1)";
    }

    void aDivisionThatWouldEndTheProgramIsLeftToTheModel()
    {
        QFETCH(QString, division);
        torch::jit::Module module = holding("n", "int", 0);
        module.define(("def forward(self, x: Tensor) -> Tensor:\n    if x.size(0) > 100:\n        if " + division +
                       " == 1:\n            x = torch.sin(x)\n    return torch.relu(x)\n")
                          .toStdString());
        QVERIFY(operatorsOf(imported(module)).find(division.contains('%') ? "remainder" : "floordiv") !=
                std::string::npos);
    }

    void aWriteThatTheSchemaDoesNotTellStaysThoughNothingUsesItsResult()
    {
        torch::jit::Module module("Model");
        module.define("def forward(self, x: Tensor) -> Tensor:\n"
                      "    m = torch.zeros([3])\n"
                      "    y = torch.instance_norm(x, None, None, m, torch.ones([3]), True, 0.1, 0.00001, False)\n"
                      "    return torch.relu(x) + m\n");
        QVERIFY(operatorsOf(imported(module)).find("aten::instance_norm") != std::string::npos);
    }

    void aConditionThatIsFalseInBothBranchesIsDecided()
    {
        torch::jit::Module module = holding("scale", "Optional[float]", {});
        module.define("def forward(self, x: Tensor, c: bool) -> Tensor:\n"
                      "    s = self.scale\n"
                      "    if c and s is not None:\n"
                      "        x = x * s\n"
                      "    return torch.relu(x)\n");
        QCOMPARE(operatorsOf(imported(module)), std::string("aten::relu"));
    }

    /// Only the run can tell that this is never reached; until then its operators need operands of their types.
    void codeForAValueThatIsNotThereKeepsItsOperators_data()
    {
        QTest::addColumn<QByteArray>("code");
        QTest::newRow("unwrapped") << QByteArray("        x = x * torch._unwrap_optional(s)\n");
        QTest::newRow("asserted") << QByteArray("        assert s is not None\n        x = x * s\n");
    }
    void codeForAValueThatIsNotThereKeepsItsOperators()
    {
        QFETCH(QByteArray, code);
        torch::jit::Module module = holding("scale", "Optional[float]", {});
        module.define("def forward(self, x: Tensor, c: bool) -> Tensor:\n"
                      "    s = self.scale\n"
                      "    if c:\n" +
                      code.toStdString() + "    return torch.relu(x)\n");
        const ImportedModel model = imported(module);
        verifyOperators(model);
        QVERIFY2(operatorsOf(model).find("aten::mul") != std::string::npos, operatorsOf(model).c_str());
    }
};

PIPESCOPE_TEST(TestFold)
#include "tst_fold.moc"
