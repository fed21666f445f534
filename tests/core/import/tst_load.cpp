#include "import/load.h"

#include "base/file.h"
#include "make_examples/script_text.h"
#include "support/contains.h"
#include "support/test_program.h"
#include "support/torch/archive_edit.h"
#include "support/torch/models.h"

#include <QTemporaryDir>
#include <QTest>
#include <fmt/format.h>
#include <torch/version.h>
#include <utility>

using namespace pipescope;
using tests::contains;

namespace {

/// A module whose own code runs when it is loaded, and throws there.
constexpr const char *Trap = R"script(
class Trap(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  def forward(self: __torch__.Trap, x: Tensor) -> Tensor:
    return x
  def __getstate__(self: __torch__.Trap) -> int:
    return 3
  def __setstate__(self: __torch__.Trap, state: int) -> NoneType:
    ops.prim.RaiseException("the trap was run")
    return None
)script";

} // namespace

class TestLoad : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { testing::exampleCode().save(m_model); }

    void aSavedModelLoadsAndGivesTheSameResult()
    {
        auto original = testing::exampleCode();
        auto loaded = import::loadModule(m_model);
        QVERIFY(loaded);
        const std::vector<c10::IValue> inputs{at::ones({2, 16}), at::full({2, 16}, 0.25)};
        QVERIFY(at::equal(original.forward(inputs).toTensor(), loaded->forward(inputs).toTensor()));
    }

    void tiedParametersAreOneTensorAfterLoading()
    {
        testing::modelWithParamAlias().save(file("alias.pt"));
        auto loaded = import::loadModule(file("alias.pt"));
        QVERIFY(loaded);
        QVERIFY(loaded->attr("mm_param0").toTensor().is_same(loaded->attr("mm_param1").toTensor()));
        QVERIFY(loaded->attr("lin0").toModule()._ivalue() == loaded->attr("lin1").toModule()._ivalue());
    }

    void otherKindsOfFilesAreNamedWithWhatToDo_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("advice");
        const auto archive = [](const std::map<std::string, std::string> &records) {
            return QByteArray::fromStdString(testing::zipOf(records));
        };
        const QString save = "torch.jit.save(torch.jit.script(model), 'model.pt')";
        QTest::newRow("state dict") << archive({{"a/data.pkl", ""}, {"a/data/0", ""}})
                                    << "a state dict written by torch.save" << save;
        QTest::newRow("package") << archive({{"p/.data/extern_modules", ""}, {"p/foo.py", ""}}) << "is a torch.package"
                                 << "torch.package.PackageImporter";
        QTest::newRow("pt2") << archive({{"e/archive_format", ""}, {"e/models/m.json", ""}}) << "torch.export (.pt2)"
                             << save;
        QTest::newRow("bytecode") << archive({{"m/data.pkl", ""}, {"m/bytecode.pkl", ""}}) << "without its code"
                                  << "torch.jit.save";
        QTest::newRow("of 2018") << archive({{"m/model.json", "{}"}, {"m/version", "1"}, {"m/code/m.py", ""}})
                                 << "as PyTorch wrote them in 2018"
                                 << "load it in Python with torch.jit.load and save it again";
        QTest::newRow("ExecuTorch") << QByteArray("\x20\0\0\0ET12\0\0\0\0", 12) << "is an ExecuTorch program" << save;
        QTest::newRow("Git LFS") << QByteArray("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\n"
                                               "size 46830571\n")
                                 << "is a Git LFS pointer: the file it stands for (44.7 MiB) was not fetched"
                                 << "git lfs pull";
        QTest::newRow("Git LFS without a size") << QByteArray("version https://git-lfs.github.com/spec/v1\nsize much\n")
                                                << "is a Git LFS pointer: the file it stands for was not fetched"
                                                << "git lfs pull";
        QTest::newRow("a model in a zip")
            << archive({{"m/README", "hello"}, {"m/model.pt", "PK"}}) << "is a zip archive that holds 'm/model.pt'"
            << "unpack it first";
        QTest::newRow("models in a zip") << archive({{"a.pt", ""}, {"b.pth", ""}, {"c.ptl", ""}, {"d.jit", ""}})
                                         << "that holds 'a.pt', 'b.pth', 'c.ptl' and 1 more;"
                                         << "unpack it first";
        // torch.save(Net()), and as a checkpoint: {'epoch': 3, 'model': Net()}. Keys of a module's state stand for all.
        const std::string net = std::string("cmodels.net\nNet\n)\x81}X\x08\0\0\0training\x88sb", 35);
        for (const auto &[name, pickle] :
             {std::pair{"a module", "\x80\x02" + net + "."},
              std::pair{"a checkpoint",
                        std::string("\x80\x02}(X\x05\0\0\0epochK\x03X\x05\0\0\0model", 26) + net + "u."}})
            QTest::newRow(name) << archive({{"a/data.pkl", pickle}, {"a/version", "3\n"}})
                                << "holds Python objects that torch.save pickled, a models.net.Net among them"
                                << "torch.load(..., weights_only=False)";
        QTest::newRow("legacy") << QByteArray("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19.")
                                << "before PyTorch 1.6"
                                << "torch.load";
        QTest::newRow("plan") << QByteArray("{\"pipescopePlan\": 1}") << "is a Pipescope plan"
                              << "give it to `run` or `check`";
        QTest::newRow("text") << QByteArray("hello\n") << "is a text file" << save;
        for (const char *json : {"{\"name\": 1}", "\xef\xbb\xbf\n [1]"})
            QTest::addRow("JSON %s", json) << QByteArray(json) << "is JSON, and no plan"
                                           << "'pipescopePlan'.";
        QTest::newRow("gzip") << QByteArray("\x1f\x8b\x08 and so on") << "is packed by gzip"
                              << "unpack it first";
        QTest::newRow("empty") << QByteArray() << "is empty"
                               << "save or copy the model again";
        QTest::newRow("garbage") << QByteArray("\x01\x02\x03\xff\xfe garbage") << "is of no kind known here"
                                 << "torch.jit.save";
    }

    void otherKindsOfFilesAreNamedWithWhatToDo()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, what);
        QFETCH(QString, advice);
        testing::writeBytes(file("other"), bytes.toStdString());
        const Error error = errorOf(file("other"));
        QCOMPARE(error.code, ErrorCode::InvalidFile);
        QVERIFY2(contains(error.message, "'" + file("other") + "' "), error.message.c_str());
        QVERIFY2(contains(error.message, what.toStdString()), error.message.c_str());
        QVERIFY2(contains(error.message, advice.toStdString()), error.message.c_str());
        QCOMPARE(error.where, file("other"));
    }

    void aFileCutShortIsDamagedWhereverItEnds()
    {
        const std::string bytes = testing::readBytes(m_model);
        for (std::size_t length = 4; length < bytes.size(); length += bytes.size() / 97) {
            testing::writeBytes(file("cut.pt"), bytes.substr(0, length));
            const Error error = errorOf(file("cut.pt"));
            QCOMPARE(error.code, ErrorCode::InvalidFile);
            QVERIFY2(contains(error.message, "cut short"), error.message.c_str());
        }
    }

    void anUnknownOperatorIsNamedWithWhatLoadsIt()
    {
        rewriteCode("torch.mm(", "ops.nolib.mix(");
        const Error error = errorOf(file("changed.pt"));
        QCOMPARE(error.code, ErrorCode::Unsupported);
        QCOMPARE(error.message,
                 "'" + file("changed.pt") +
                     "' calls an operator this LibTorch does not know: nolib::mix; load the library that registers "
                     "it, or look at the structure only");
        QVERIFY2(contains(error.where, file("changed.pt") + ": code/__torch__.py:"), error.where.c_str());
    }

    void anUnknownOperatorOfPyTorchIsOfANewerOne()
    {
        rewriteCode("torch.relu(", "torch.squash(");
        const Error error = errorOf(file("changed.pt"));
        QCOMPARE(error.code, ErrorCode::Unsupported);
        QVERIFY2(contains(error.message,
                          "' calls an operator this LibTorch does not know: aten::squash; aten::squash is "
                          "PyTorch's own, so a newer PyTorch than this LibTorch (2."),
                 error.message.c_str());
        QVERIFY2(!contains(error.message, "load the library"), error.message.c_str());
    }

    void anUnknownOperatorOfAnOldFileWasDropped()
    {
        // As a PyTorch before 2.1 wrote archives.
        rewriteCode("torch.relu(", "torch.squash(");
        std::map<std::string, std::string> records;
        testing::rewriteArchive(file("changed.pt"), file("same.pt"),
                                [&](const std::string &name, const std::string &bytes) {
                                    if (name != "byteorder" && name != ".data/serialization_id")
                                        records["m/" + name] = bytes;
                                    return bytes;
                                });
        testing::writeBytes(file("old.pt"), testing::zipOf(records));
        const Error error = errorOf(file("old.pt"));
        QCOMPARE(error.code, ErrorCode::Unsupported);
        QVERIFY2(contains(error.message, "aten::squash was PyTorch's own when the file was written, and was dropped "
                                         "since: torch.jit.load of PyTorch "),
                 error.message.c_str());
        QVERIFY2(!contains(error.message, "newer"), error.message.c_str());
    }

    void tensorsOfAnotherDeviceAreMappedToTheCpu()
    {
        const auto onCpu = import::loadFile(m_model, {}, {});
        QVERIFY(onCpu);
        QVERIFY(onCpu->notes.empty());
        using namespace std::string_literals;
        testing::rewriteArchive(m_model, file("cuda.pt"), [](const std::string &name, const std::string &bytes) {
            return name == "data.pkl" ? testing::replaced(bytes, "X\3\0\0\0cpu"s, "X\6\0\0\0cuda:0"s) : bytes;
        });
        const auto loaded = import::loadFile(file("cuda.pt"), {}, {});
        QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
        QCOMPARE(loaded->notes.size(), std::size_t(1));
        QVERIFY2(contains(loaded->notes.front(), "of the file were saved on cuda:0 and are mapped to the CPU"),
                 loaded->notes.front().c_str());
        for (const at::Tensor &tensor : loaded->module.parameters())
            QVERIFY(tensor.device().is_cpu());
    }

    void severalUnknownOperatorsAreNamedTogether()
    {
        testing::rewriteArchive(m_model, file("changed.pt"), [](const std::string &name, const std::string &bytes) {
            return name == "code/__torch__.py"
                       ? testing::replaced(testing::replaced(bytes, "torch.mm(", "ops.nolib.mix("), "torch.relu(",
                                           "torch.squash(")
                       : bytes;
        });
        const Error error = errorOf(file("changed.pt"));
        QCOMPARE(error.code, ErrorCode::Unsupported);
        QVERIFY2(contains(error.message, "nolib::mix") && contains(error.message, "aten::squash"),
                 error.message.c_str());
    }

    void aModelMadeForPhonesIsSaidToBeSo()
    {
        rewriteCode("torch.mm(", "ops.prepacked.linear_clamp_run(");
        const Error operators = errorOf(file("changed.pt"));
        QCOMPARE(operators.code, ErrorCode::Unsupported);
        QVERIFY2(contains(operators.message, "does not know: prepacked::linear_clamp_run; that is of a model made for "
                                             "phones by optimize_for_mobile (XNNPACK, Vulkan or Metal); save the model "
                                             "again without it"),
                 operators.message.c_str());
        rewriteCode("  def forward(", "  packed : __torch__.torch.classes.xnnpack.LinearOpContext\n  def forward(");
        const Error classes = errorOf(file("changed.pt"));
        QCOMPARE(classes.code, ErrorCode::Unsupported);
        QVERIFY2(contains(classes.message, "holds objects of torch.classes.xnnpack.LinearOpContext, a class this "
                                           "LibTorch does not know; that is of a model made for phones"),
                 classes.message.c_str());
    }

    void codeThatDoesNotCompileIsNamedByLine()
    {
        rewriteCode("torch.relu(", "torch.relu(torch_missing, ");
        const Error error = errorOf(file("changed.pt"));
        QCOMPARE(error.code, ErrorCode::InvalidFile);
        QVERIFY2(contains(error.message, "cannot be loaded (code/__torch__.py:"), error.message.c_str());
        // Python of the same version says the same, and a newer one does not read old code better.
        QVERIFY2(contains(error.message, std::string("torch.jit.load of PyTorch ") + TORCH_VERSION +
                                             " refuses it as well: make the model again from its Python code"),
                 error.message.c_str());
        QVERIFY2(!contains(error.message, "newer"), error.message.c_str());
        QVERIFY2(contains(error.where, "changed.pt: code/__torch__.py:"), error.where.c_str());
    }

    void aMissingTensorIsNamedBeforeLoading()
    {
        testing::rewriteArchive(m_model, file("changed.pt"), [](const std::string &name, const std::string &bytes) {
            return name == "data/1" ? std::optional<std::string>() : bytes;
        });
        QCOMPARE(errorOf(file("changed.pt")).message,
                 "'" + file("changed.pt") + "' is damaged: data/1 is missing; copy or save it again");
    }

    void aTensorThatIsTooShortIsNamedBeforeLoading()
    {
        testing::rewriteArchive(m_model, file("changed.pt"), [](const std::string &name, const std::string &bytes) {
            return name == "data/1" ? bytes.substr(0, 100) : bytes;
        });
        QCOMPARE(errorOf(file("changed.pt")).message,
                 "'" + file("changed.pt") +
                     "' is damaged: data/1 has 100 bytes where 1024 are needed; copy or "
                     "save it again");
    }

    void typesThatGrowByDoublingAreRefusedBeforeLibTorchWalksThem()
    {
        std::string types;
        for (int i = 0; i < 28; ++i)
            types +=
                i == 0 ? "class P0(NamedTuple):\n  a : Tensor\n  b : Tensor\n"
                       : fmt::format("class P{0}(NamedTuple):\n  a : __torch__.P{1}\n  b : __torch__.P{1}\n", i, i - 1);
        testing::rewriteArchive(m_model, file("changed.pt"), [&](const std::string &name, const std::string &bytes) {
            return name == "code/__torch__.py" ? types + bytes : bytes;
        });
        const auto module = import::loadModule(file("changed.pt"));
        QVERIFY(!module);
        QVERIFY2(module.error().message.find("has more than 10000 parts") != std::string::npos,
                 module.error().message.c_str());
    }

    void aTensorThatReachesBeyondItsDataIsRefused()
    {
        // The sizes of the first 16 x 16 parameter, BININT1 16 twice, made 255 x 16.
        testing::rewriteArchive(m_model, file("changed.pt"), [](const std::string &name, std::string bytes) {
            if (name == "data.pkl")
                bytes.replace(bytes.find("(K\x10K\x10t"), 3, "(K\xff");
            return bytes;
        });
        const Error error = errorOf(file("changed.pt"));
        QCOMPARE(error.code, ErrorCode::InvalidFile);
        QVERIFY2(contains(error.message, "a tensor reaches beyond the 256 elements of data/0"), error.message.c_str());
    }

    void codeNestedTooDeepForTheParserIsRefused()
    {
        rewriteCode("torch.relu(", "torch.relu(" + std::string(100'000, '('));
        const Error brackets = errorOf(file("changed.pt"));
        QCOMPARE(brackets.code, ErrorCode::InvalidFile);
        QVERIFY2(contains(brackets.message, "brackets are nested too deep in line "), brackets.message.c_str());
        rewriteCode("torch.relu(", "torch.relu(" + testing::replaced(std::string(100'000, '-'), "-", "- "));
        QVERIFY2(contains(errorOf(file("changed.pt")).message, "an expression is too long in line "), "chain");
    }

    void aDebugRecordThatIsDamagedIsNamed_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("zeros") << QByteArray(50, '\0');
        QTest::newRow("no more than a number") << QByteArray("\x80\x02K\x01K\x01", 6);
        QTest::newRow("nested a million deep") << QByteArray("\x80\x02K\x01", 4) + QByteArray(1'000'000, '\x85') + '.';
    }

    void aDebugRecordThatIsDamagedIsNamed()
    {
        QFETCH(QByteArray, bytes);
        testing::rewriteArchive(m_model, file("changed.pt"), [&](const std::string &name, const std::string &old) {
            return name.ends_with(".debug_pkl") ? bytes.toStdString() : old;
        });
        const Error error = errorOf(file("changed.pt"));
        QCOMPARE(error.code, ErrorCode::InvalidFile);
        QVERIFY2(contains(error.message, ".debug_pkl"), error.message.c_str());
    }

    void aDebugRecordThatRefersToWhatItDoesNotHaveIsNamed()
    {
        // One source range, of text 9 in a table of none.
        using namespace std::string_literals;
        const std::string record = "\x80\x02(X\x18\0\0\0"s + "FORMAT_WITH_STRING_TABLE(t((K\0(("s +
                                   "ctorch.jit._pickle\nbuild_intlist\n(](K\tetRK\0K\7tK\x03K\x04tK\tttt."s;
        testing::rewriteArchive(m_model, file("changed.pt"), [&](const std::string &name, const std::string &old) {
            return name.ends_with(".debug_pkl") ? record : old;
        });
        const Error error = errorOf(file("changed.pt"));
        QCOMPARE(error.code, ErrorCode::InvalidFile);
        QVERIFY2(contains(error.message, "is damaged: source range 0: it refers to text 9, of 0"),
                 error.message.c_str());
    }

    void aNewerArchiveIsToldApartFromADamagedOne()
    {
        testing::rewriteArchive(m_model, file("changed.pt"), [](const std::string &name, const std::string &bytes) {
            return name == "version" ? "99\n" : bytes;
        });
        const Error error = errorOf(file("changed.pt"));
        QCOMPARE(error.code, ErrorCode::Unsupported);
        QVERIFY2(contains(error.message,
                          "changed.pt' was written by a newer PyTorch than this one reads; save the model again with"),
                 error.message.c_str());
    }

    void messagesCarryNoBacktrace()
    {
        rewriteCode("torch.mm(", "torch.mm(1, 2, 3, ");
        const Error error = errorOf(file("changed.pt"));
        for (const char *part : {"Exception raised from", "frame #", "\n", "libtorch"})
            QVERIFY2(!contains(error.message, part), error.message.c_str());
        QVERIFY(contains(error.details, "aten::mm"));
    }

    void codeThatThrowsWhileLoadingIsAnError()
    {
        examples::ScriptText(Trap).make("Trap").save(file("trap.pt"));
        const Error error = errorOf(file("trap.pt"));
        QCOMPARE(error.code, ErrorCode::ModelFailed);
        QVERIFY2(contains(error.message, "trap.pt' runs code of its own when it is loaded, which failed "
                                         "(code/__torch__.py:"),
                 error.message.c_str());
        QVERIFY2(contains(error.message, "): RuntimeError: the trap was run; the file is not damaged: "),
                 error.message.c_str());
        QVERIFY2(contains(error.where, "trap.pt: code/__torch__.py:"), error.where.c_str());
    }

    void aFileIsLoadedWithTheHashOfItsBytes()
    {
        const auto loaded = import::loadFile(m_model, {}, {});
        QVERIFY(loaded);
        QCOMPARE(loaded->sha256, *fileSha256(m_model));
        QVERIFY(import::loadFile(m_model, {}, loaded->sha256));
    }

    void aFileThatIsNotTheOneExpectedIsRefusedBeforeAnythingRuns()
    {
        examples::ScriptText(Trap).make("Trap").save(file("replaced.pt"));
        const std::string expected = *fileSha256(m_model);
        // The library would be an error of its own: it is not opened either.
        const auto refused = import::loadFile(file("replaced.pt"), {file("none.so")}, expected);
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, ErrorCode::InvalidFile);
        QCOMPARE(refused.error().where, file("replaced.pt"));
        QCOMPARE(refused.error().message,
                 fmt::format("'{}' is another file than the one that was looked at (its SHA-256 is {:.12}..., not "
                             "{:.12}...) and was not loaded; look at it again, and load it if it may run",
                             file("replaced.pt"), *fileSha256(file("replaced.pt")), expected));
    }

    void aFileThatWasReplacedOrWrittenIsNoLongerTheOneLoaded()
    {
        testing::exampleCode().save(file("first.pt"));
        const auto first = import::loadFile(file("first.pt"), {}, {});
        QVERIFY(first);
        QVERIFY(first->isCurrent());
        testing::exampleCode().save(file("second.pt"));
        std::filesystem::rename(file("second.pt"), file("first.pt"));
        QVERIFY(!first->isCurrent());
        const auto second = import::loadFile(file("first.pt"), {}, {});
        QVERIFY(second);
        QVERIFY(second->isCurrent());
        testing::writeBytes(file("first.pt"), "something else");
        QVERIFY(!second->isCurrent());
        std::filesystem::remove(file("first.pt"));
        QVERIFY(!second->isCurrent());
    }

    void loadingIsStoppedWhileTheFileIsHashed()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = import::loadFile(m_model, {}, {}, stop.get_token());
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
    }

    void operatorLibrariesThatCannotBeOpenedAreNamed()
    {
        const auto missing = import::loadModule(m_model, {file("none.so")});
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, ErrorCode::NotFound);
        QCOMPARE(missing.error().message, "there is no operator library '" + file("none.so") +
                                              "'; give the path of the .so file that is installed with these "
                                              "operators, as torchvision's _C.so is");
        testing::writeBytes(file("text.so"), "not a library");
        const auto wrong = import::loadModule(m_model, {file("text.so")});
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().code, ErrorCode::InvalidFile);
        QVERIFY2(contains(wrong.error().message, "cannot load the operator library '" + file("text.so") + "': "),
                 wrong.error().message.c_str());
    }

    // The last one, because what a library registers stays: others need nolib::mix to be unknown.
    void anOperatorLibraryMakesTheModelLoad()
    {
        rewriteCode("torch.mm(", "ops.nolib.mix(");
        QCOMPARE(errorOf(file("changed.pt")).code, ErrorCode::Unsupported);
        const std::vector<c10::IValue> inputs{at::ones({2, 16}), at::full({2, 16}, 0.25)};
        const at::Tensor expected = testing::exampleCode().forward(inputs).toTensor(); // nolib::mix is a product
        for (const char *time : {"first", "second"}) {
            auto loaded = import::loadModule(file("changed.pt"), {PIPESCOPE_OPERATOR_LIBRARY});
            QVERIFY2(loaded, loaded ? "" : loaded.error().message.c_str());
            QVERIFY2(at::equal(loaded->forward(inputs).toTensor(), expected), time);
        }
    }

private:
    [[nodiscard]] std::string file(const char *name) const { return m_folder.filePath(name).toStdString(); }

    static Error errorOf(const std::string &path)
    {
        const auto loaded = import::loadModule(path);
        return loaded ? Error{ErrorCode::Internal, "it loaded", {}, {}} : loaded.error();
    }

    void rewriteCode(const std::string &from, const std::string &to) const
    {
        testing::rewriteArchive(m_model, file("changed.pt"), [&](const std::string &name, const std::string &bytes) {
            return name == "code/__torch__.py" ? testing::replaced(bytes, from, to) : bytes;
        });
    }

    QTemporaryDir m_folder;
    std::string m_model = m_folder.filePath("model.pt").toStdString();
};

PIPESCOPE_TEST(TestLoad)
#include "tst_load.moc"
