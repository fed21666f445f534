#include "import/structure_only.h"

#include "import/import_method.h"
#include "import/load.h"
#include "make_examples/script_text.h"
#include "support/contains.h"
#include "support/test_program.h"
#include "support/torch/archive_edit.h"
#include "support/torch/models.h"

#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <random>

using namespace pipescope;
using import::Structure;
using tests::contains;

namespace {

int callsOf(const Structure &structure, const std::string &name)
{
    for (const auto &[operatorName, count] : structure.operators)
        if (operatorName == name)
            return count;
    return 0;
}

/// In their order, as far as they are not within a condition, which loading may have decided.
std::vector<std::string> callsOf(const graph::ModelGraph &graph)
{
    std::vector<std::string> calls;
    for (const graph::ModuleCall &call : graph.calls)
        if (!call.inside.valid())
            calls.push_back(call.fqn + "#" + std::to_string(call.call));
    return calls;
}

/// "fqn class parameters parameter-bytes buffer-bytes" a line.
std::string modulesText(const Structure &structure)
{
    std::string text;
    for (const graph::ModuleInfo &module : structure.modules)
        text += "'" + module.fqn + "' " + module.className + " " + std::to_string(module.parameters) + " " +
                std::to_string(module.parameterBytes) + " " + std::to_string(module.bufferBytes) + "\n";
    return text;
}

/// "fqn dtype[sizes]", with "buffer" and the name it is tied to, a line.
std::string parametersText(const Structure &structure)
{
    std::string text;
    for (const graph::Parameter &parameter : structure.parameters)
        text += parameter.fqn + " " + graph::toText(parameter.tensor) + (parameter.isBuffer ? " buffer" : "") +
                (parameter.tiedTo.empty() ? "" : " = " + parameter.tiedTo) + "\n";
    return text;
}

constexpr const char *Packed = R"script(
class Packed(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.Packed, x: Tensor) -> Tensor:
    return x
  def __getstate__(self: __torch__.Packed) -> int:
    return 3
  def __setstate__(self: __torch__.Packed, state: int) -> NoneType:
    ops.prim.RaiseException("the code of the file was run")
    return None
)script";

/// A module inside another that reads a file when it is loaded.
constexpr const char *ReadsOnLoad = R"script(
class ReadsOnLoad(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  size : int
  def forward(self: __torch__.ReadsOnLoad, x: Tensor) -> Tensor:
    return torch.mul(x, self.size)
  def __getstate__(self: __torch__.ReadsOnLoad) -> Dict[str, int]:
    return {"size": self.size}
  def __setstate__(self: __torch__.ReadsOnLoad, state: Dict[str, int]) -> NoneType:
    self.training = False
    self.size = torch.numel(torch.from_file("no-such-file", False, 2))
    return None
class Outer(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  inner : __torch__.ReadsOnLoad
  def forward(self: __torch__.Outer, x: Tensor) -> Tensor:
    return (self.inner).forward(x, )
)script";

} // namespace

class TestStructureOnly : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void modulesAndParametersAreRead()
    {
        const Structure structure = structureOf(testing::exampleCode());
        QCOMPARE(structure.modelClass, std::string("__torch__.ExampleCode"));
        QCOMPARE(structure.producerVersion, std::string("3"));
        QCOMPARE(modulesText(structure), std::string("'' ExampleCode 1056 4224 0\n"
                                                     "'lin1' Linear 272 1088 0\n"
                                                     "'lin2' Linear 272 1088 0\n"));
        QCOMPARE(parametersText(structure), std::string("mm_param1 float32[16, 16]\n"
                                                        "mm_param2 float32[16, 16]\n"
                                                        "lin1.weight float32[16, 16]\n"
                                                        "lin1.bias float32[16]\n"
                                                        "lin2.weight float32[16, 16]\n"
                                                        "lin2.bias float32[16]\n"));
        QVERIFY(structure.parameters[0].tensor.requiresGrad);
        QCOMPARE(structure.notes, std::vector<std::string>());
    }

    void tiedNamesAreOneTensor()
    {
        const Structure structure = structureOf(testing::modelWithParamAlias());
        QCOMPARE(modulesText(structure), std::string("'' ModelWithParamAlias 528 2112 0\n"
                                                     "'lin0' Linear 272 1088 0\n"
                                                     "'lin1' Linear 272 1088 0\n"));
        QCOMPARE(parametersText(structure), std::string("mm_param0 float32[16, 16]\n"
                                                        "mm_param1 float32[16, 16] = mm_param0\n"
                                                        "lin0.weight float32[16, 16]\n"
                                                        "lin0.bias float32[16]\n"
                                                        "lin1.weight float32[16, 16] = lin0.weight\n"
                                                        "lin1.bias float32[16] = lin0.bias\n"));
    }

    void buffersAreToldFromParameters()
    {
        const Structure structure = structureOf(testing::batchNormModel(testing::Mode::Eval, 4));
        QCOMPARE(modulesText(structure), std::string("'' BatchNormModel 48 192 40\n"
                                                     "'first' Linear 20 80 0\n"
                                                     "'bn' BatchNorm2d 8 32 40\n"
                                                     "'second' Linear 20 80 0\n"));
        QVERIFY(contains(parametersText(structure),
                         "bn.weight float32[4]\nbn.bias float32[4]\n"
                         "bn.running_mean float32[4] buffer\nbn.running_var float32[4] buffer\n"
                         "bn.num_batches_tracked int64[] buffer\n"));
    }

    void methodsAreListedWithTheModelsOwnFirst()
    {
        const Structure structure = structureOf(testing::twoMethods());
        QVERIFY(structure.methods.size() >= 3);
        QCOMPARE(structure.methods[0].className, std::string("__torch__.TwoMethods"));
        QCOMPARE(structure.methods[0].name, std::string("forward"));
        QCOMPARE(structure.methods[0].signature, std::string("(self, x: Tensor) -> Tensor"));
        QCOMPARE(structure.methods[1].name, std::string("encode"));
        QCOMPARE(structure.methods[1].signature, std::string("(self, x: Tensor, scale: float=2.) -> Tensor"));
        QVERIFY(structure.methods[1].line > structure.methods[0].line && structure.methods[0].line > 1);
        QCOMPARE(structure.methods[2].className, std::string("__torch__.Linear"));
    }

    void calledOperatorsAreCountedMostFirst()
    {
        const Structure structure = structureOf(testing::exampleCode());
        const std::vector<std::pair<std::string, int>> expected{
            {"aten::mm", 3}, {"aten::relu", 3}, {"pippy::_pipe_split", 3}, {"aten::add", 2}, {"aten::linear", 1}};
        QCOMPARE(structure.operators, expected);
        QCOMPARE(structure.unknownOperators, std::vector<std::string>());
    }

    void anUnknownOperatorDoesNotStopReading()
    {
        testing::exampleCode().save(file("model.pt"));
        testing::rewriteArchive(
            file("model.pt"), file("changed.pt"), [](const std::string &name, const std::string &bytes) {
                return name == "code/__torch__.py" ? testing::replaced(bytes, "torch.mm(", "ops.nolib.mix(") : bytes;
            });
        const auto structure = import::readStructure(file("changed.pt"));
        QVERIFY(structure);
        QCOMPARE(structure->unknownOperators, std::vector<std::string>{"nolib::mix"});
        QCOMPARE(callsOf(*structure, "nolib::mix"), 3);
        QCOMPARE(structure->modules.size(), std::size_t(3));
    }

    void whatAMethodDoesIsOutlined()
    {
        const Structure structure = structureOf(testing::exampleCode());
        std::vector<std::string> ops;
        for (const NodeId node : structure.outline.order)
            ops.push_back(structure.outline.node(node).op);
        QCOMPARE(std::count(ops.begin(), ops.end(), "aten::mm"), std::ptrdiff_t(3));
        QCOMPARE(structure.outline.markers.size(), std::size_t(3));
        QVERIFY(structure.parameters[0].value.valid());
        QVERIFY(structure.outline.modules.empty()); // they are in the structure itself
    }

    void nothingInTheFileIsRun()
    {
        const Structure structure = structureOf(examples::ScriptText(Packed).make("Packed"));
        QCOMPARE(modulesText(structure), std::string("'' Packed 0 0 0\n"));
        QCOMPARE(structure.notes,
                 (std::vector<std::string>{
                     "1 of the model's attributes (the model itself) is packed by its own class, and its tensors "
                     "are not listed",
                     "loading this file runs code of its own: the __setstate__ of Packed",
                     "the code of forward calls no operator: its modules are shown in the order they are registered "
                     "in"}));
        QVERIFY(!import::loadModule(file("model.pt"))); // loading does run it
    }

    void codeThatLoadingRunsIsNotedOfChildrenToo()
    {
        const examples::ScriptText text(ReadsOnLoad);
        const auto child = text.make("ReadsOnLoad", {{"size", 2}});
        const Structure structure = structureOf(text.make("Outer", {{"inner", child._ivalue()}}));
        QCOMPARE(structure.notes.size(), std::size_t(2));
        QVERIFY(structure.notes[0].starts_with("1 of the model's attributes (inner) is packed by its own class"));
        QCOMPARE(structure.notes[1],
                 std::string("loading this file runs code of its own: the __setstate__ of ReadsOnLoad; code of the "
                             "file reads or writes files of the machine (aten::from_file)"));
        const auto loaded = import::loadModule(file("model.pt"));
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, ErrorCode::ModelFailed);
        QVERIFY2(contains(loaded.error().message, "runs code of its own when it is loaded, which failed (code/"),
                 loaded.error().message.c_str());
        QVERIFY2(contains(loaded.error().message, "no-such-file"), loaded.error().message.c_str());
    }

    void constantsOfAFrozenModelAreNoted()
    {
        const Structure structure = structureOf(testing::frozenModel());
        QCOMPARE(structure.parameters.size(), std::size_t(0));
        QCOMPARE(structure.notes,
                 std::vector<std::string>{"4 tensors (2.12 KiB) are constants of the code, not parameters"});
    }

    void aMissingTensorIsNoted()
    {
        testing::exampleCode().save(file("model.pt"));
        testing::rewriteArchive(file("model.pt"), file("changed.pt"),
                                [](const std::string &name, const std::string &bytes) {
                                    return name == "data/2" ? std::optional<std::string>() : bytes;
                                });
        const auto structure = import::readStructure(file("changed.pt"));
        QVERIFY(structure);
        QCOMPARE(structure->notes, std::vector<std::string>{"data/2 is missing"});
        QCOMPARE(structure->parameters.size(), std::size_t(6));
    }

    void whatIsReadAgreesWithTheLoadedModule_data()
    {
        QTest::addColumn<int>("index");
        for (int i = 0; i < 6; ++i)
            QTest::addRow("model %d", i) << i;
    }

    void whatIsReadAgreesWithTheLoadedModule()
    {
        QFETCH(int, index);
        const std::vector<torch::jit::Module> models{testing::multiMlp(),    testing::transformerLike(),
                                                     testing::unflattenM(),  testing::interfaceModel(),
                                                     testing::c3Embedding(), testing::tinyDecoder()};
        const Structure structure = structureOf(models[static_cast<std::size_t>(index)]);
        const auto loaded = import::loadModule(file("model.pt"));
        QVERIFY(loaded);
        std::vector<std::string> names;
        for (const auto &module : loaded->named_modules())
            names.push_back(module.name);
        std::vector<std::string> read;
        for (const graph::ModuleInfo &module : structure.modules)
            read.push_back(module.fqn);
        std::sort(names.begin(), names.end());
        std::sort(read.begin(), read.end());
        QCOMPARE(read, names);
        std::int64_t elements = 0;
        for (const auto &parameter : loaded->named_parameters())
            elements += parameter.value.numel();
        std::int64_t readElements = structure.modules[0].parameters;
        for (const graph::Parameter &parameter : structure.parameters)
            if (!parameter.tiedTo.empty()) // named_parameters has tied tensors once for each name
                readElements += parameter.tensor.bytes / 4;
        QCOMPARE(readElements, elements);
        const auto imported = import::importMethod(*loaded);
        QVERIFY2(imported, imported ? "" : imported.error().message.c_str());
        QCOMPARE(callsOf(structure.outline), callsOf(imported->graph));
    }

    void aFileThatIsNoModelIsRefusedWithAdvice()
    {
        testing::writeBytes(file("text"), "hello\n");
        const auto structure = import::readStructure(file("text"));
        QVERIFY(!structure);
        QVERIFY(contains(structure.error().message, "is a text file"));
    }

    void valuesThatContainThemselvesAreRefused()
    {
        // l = []; l.append(l): EMPTY_LIST, BINPUT 0, BINGET 0, APPEND, STOP.
        QCOMPARE(errorWithData(std::string("\x80\x02]q\0h\0a.", 9)),
                 "'" + file("changed.pt") + "' is damaged: a value contains itself in data.pkl");
    }

    void valuesNestedTooDeepAreRefused()
    {
        QVERIFY(contains(errorWithData("\x80\x02" + std::string(200'000, ']') + std::string(199'999, 'a') + "."),
                         "its values are nested deeper than 1000 levels"));
        QVERIFY(contains(errorWithData("\x80\x02N" + std::string(200'000, '\x85') + "."),
                         "its values are nested deeper than 1000 levels"));
    }

    void aHugeMemoIsRefused()
    {
        QVERIFY(contains(errorWithData(std::string("\x80\x02]r\xff\xff\xff\x7f.", 9)),
                         "it numbers a value beyond its own size"));
    }

    void damagedArchivesNeverCrash()
    {
        testing::exampleCode(2).save(file("model.pt"));
        const std::string bytes = testing::readBytes(file("model.pt"));
        int read = 0;
        for (unsigned seed = 0; seed < 2000; ++seed) {
            std::mt19937 random(seed);
            testing::writeBytes(file("mutant.pt"), mutated(bytes, random));
            const auto structure = import::readStructure(file("mutant.pt"));
            if (structure)
                ++read;
            else if (structure.error().message.empty() || contains(structure.error().message, "Exception raised from"))
                QFAIL(qPrintable(QString("seed %1: %2").arg(seed).arg(structure.error().message.c_str())));
        }
        QVERIFY2(read > 20 && read < 1980, qPrintable(QString("%1 of 2000 were readable").arg(read)));
    }

private:
    [[nodiscard]] std::string file(const char *name) const { return m_folder.filePath(name).toStdString(); }

    [[nodiscard]] Structure structureOf(const torch::jit::Module &model) const
    {
        model.save(file("model.pt"));
        auto structure = import::readStructure(file("model.pt"));
        if (!structure)
            qWarning("%s", structure.error().message.c_str());
        return structure ? *structure : Structure{};
    }

    /// What reading a model says whose data.pkl is replaced.
    [[nodiscard]] std::string errorWithData(const std::string &data) const
    {
        testing::c1Skip().save(file("model.pt"));
        testing::rewriteArchive(
            file("model.pt"), file("changed.pt"),
            [&](const std::string &name, const std::string &bytes) { return name == "data.pkl" ? data : bytes; });
        const auto structure = import::readStructure(file("changed.pt"));
        return structure ? "it was read" : structure.error().message;
    }

    /// Cut short, or with up to eight bytes changed, in the first seeds anywhere and in the others within one small
    /// part.
    static std::string mutated(std::string bytes, std::mt19937 &random)
    {
        const auto below = [&](std::size_t limit) { return random() % limit; };
        if (below(10) == 0)
            return bytes.substr(0, below(bytes.size()));
        const std::size_t begin = below(bytes.size());
        const std::size_t width = below(2) == 0 ? bytes.size() : 64;
        const std::size_t changes = 1 + below(8);
        for (std::size_t i = 0; i < changes; ++i)
            bytes[(begin + below(width)) % bytes.size()] = static_cast<char>(random());
        return bytes;
    }

    QTemporaryDir m_folder;
};

PIPESCOPE_TEST(TestStructureOnly)
#include "tst_structure_only.moc"
