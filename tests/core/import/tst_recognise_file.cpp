#include "import/load.h"

#include "support/test_program.h"
#include "support/torch/archive_edit.h"
#include "support/torch/models.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pipescope;
using import::FileKind;

namespace {

using Records = std::map<std::string, std::string>;

std::string legacyPickle()
{
    return std::string("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19\x2e", 15);
}

std::string safetensors()
{
    const std::string header = R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
    std::string file(8, '\0');
    file[0] = static_cast<char>(header.size());
    file += header;
    file.append(4, '\0');
    return file;
}

std::string onnx()
{
    // ir_version 8, producer_name "pytorch", a graph of 4 bytes.
    return std::string("\x08\x08\x12\x07pytorch\x3a\x04\x0a\x02hi", 17);
}

} // namespace

class TestRecogniseFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { QVERIFY(m_folder.isValid()); }

    void aSavedModelIsTorchScript()
    {
        const std::string path = file("model.pt");
        testing::exampleCode().save(path);
        QCOMPARE(kindOf(path), FileKind::TorchScript);
    }

    void archivesAreToldByTheNamesInside()
    {
        QCOMPARE(kindOfArchive({{"m/data.pkl", ""}, {"m/code/__torch__.py", ""}, {"m/constants.pkl", ""}}),
                 FileKind::TorchScript);
        QCOMPARE(kindOfArchive({{"m/data.pkl", ""}, {"m/code/__torch__.py", ""}, {"m/bytecode.pkl", ""}}),
                 FileKind::TorchScriptLite);
        QCOMPARE(kindOfArchive({{"m/data.pkl", ""}, {"m/constants.pkl", ""}, {"m/bytecode.pkl", ""}}),
                 FileKind::LiteWithoutCode);
        QCOMPARE(kindOfArchive({{"archive/data.pkl", ""}, {"archive/data/0", ""}, {"archive/version", "3"}}),
                 FileKind::StateDict);
        QCOMPARE(kindOfArchive({{"p/.data/extern_modules", ""}, {"p/model/m.pkl", ""}, {"p/foo.py", ""}}),
                 FileKind::TorchPackage);
        QCOMPARE(kindOfArchive({{"e/archive_format", "pt2"}, {"e/models/model.json", "{}"}}),
                 FileKind::ExportedProgram);
        QCOMPARE(kindOfArchive(
                     {{"serialized_exported_program.json", "{}"}, {"serialized_state_dict.pt", ""}, {"version", ""}}),
                 FileKind::ExportedProgram);
        QCOMPARE(kindOfArchive({{"m/model.json", "{}"}, {"m/version", "1"}, {"m/code/m.py", ""}}),
                 FileKind::EarlyTorchScript);
        QCOMPARE(kindOfArchive({{"js/model.json", "{}"}, {"js/group1-shard1of1.bin", ""}}), FileKind::Unknown);
        QCOMPARE(kindOfArchive({{"README", ""}, {"model.pt", ""}}), FileKind::ZipOfModels);
        QCOMPARE(kindOfArchive({{"word/document.xml", "<w/>"}}), FileKind::Unknown);
        QCOMPARE(kindOfArchive({}), FileKind::Unknown);
    }

    void otherFilesAreToldByTheirFirstBytes()
    {
        QCOMPARE(kindOfBytes(""), FileKind::Empty);
        QCOMPARE(kindOfBytes(legacyPickle()), FileKind::LegacyPickle);
        QCOMPARE(kindOfBytes(safetensors()), FileKind::Safetensors);
        QCOMPARE(kindOfBytes(onnx()), FileKind::Onnx);
        QCOMPARE(kindOfBytes(std::string("\x30\0\0\0PTMF\0\0\0\0", 12)), FileKind::LiteWithoutCode);
        QCOMPARE(kindOfBytes(std::string("\x30\0\0\0ET12\0\0\0\0", 12)), FileKind::ExecuTorch);
        QCOMPARE(kindOfBytes(std::string("\x30\0\0\0ETxy\0\0\0\0", 12)), FileKind::Unknown);
        QCOMPARE(kindOfBytes("version https://git-lfs.github.com/spec/v1\noid sha256:4d\nsize 12\n"),
                 FileKind::GitLfsPointer);
        QCOMPARE(kindOfBytes("version 1 of the text\n"), FileKind::Text);
        QCOMPARE(kindOfBytes("{\"pipescopePlan\": 1, \"model\": {}}"), FileKind::Plan);
        QCOMPARE(kindOfBytes("{\"model\": {}}"), FileKind::Text);
        QCOMPARE(kindOfBytes("import torch\nclass M(torch.nn.Module):\n\tpass\n"), FileKind::Text);
        QCOMPARE(kindOfBytes("Netz: Schönheit\n"), FileKind::Text);
        QCOMPARE(kindOfBytes(std::string("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16)), FileKind::Unknown);
        QCOMPARE(kindOfBytes(std::string("\x80\x04\x95\x05\0\0\0\0\0\0\0K\x01.", 14)), FileKind::Unknown);
    }

    void almostASafetensorsHeaderIsNotOne()
    {
        std::string bytes = safetensors();
        bytes[4] = 1; // a header of 4 GiB in a file of 70 bytes
        QCOMPARE(kindOfBytes(bytes), FileKind::Unknown);
    }

    void almostAnOnnxModelIsNotOne()
    {
        std::string bytes = onnx();
        bytes[2] = '\x72'; // field 14 is a message, so far so good
        QCOMPARE(kindOfBytes(bytes), FileKind::Onnx);
        bytes[2] = '\x7a'; // there is no field 15
        QCOMPARE(kindOfBytes(bytes), FileKind::Unknown);
    }

    void anArchiveCutShortIsNamedDamaged()
    {
        const std::string path = file("model.pt");
        testing::exampleCode().save(path);
        const std::string bytes = testing::readBytes(path);
        testing::writeBytes(path, bytes.substr(0, bytes.size() / 2));
        const auto kind = import::recogniseFile(path);
        QVERIFY(!kind);
        QCOMPARE(kind.error().code, ErrorCode::InvalidFile);
        QCOMPARE(kind.error().message,
                 "'" + path +
                     "' is a damaged zip archive: its end is missing, so it was cut short; copy or download it again");
    }

    void aDirectoryThatPointsOutsideIsNamedDamaged()
    {
        std::string bytes = testing::zipOf({{"m/data.pkl", ""}});
        bytes[bytes.size() - 6] = '\xff'; // its offset
        testing::writeBytes(file("x"), bytes);
        const auto kind = import::recogniseFile(file("x"));
        QVERIFY(!kind);
        QVERIFY(kind.error().message.find("its directory of contents points outside the file") != std::string::npos);
    }

    void whatCannotBeReadIsAnError()
    {
        const auto missing = import::recogniseFile(file("nowhere.pt"));
        QVERIFY(!missing);
        QCOMPARE(missing.error().code, ErrorCode::NotFound);
        QCOMPARE(missing.error().message, "there is no file '" + file("nowhere.pt") + "'");
        const auto folder = import::recogniseFile(m_folder.path().toStdString());
        QVERIFY(!folder);
        QCOMPARE(folder.error().code, ErrorCode::InvalidFile);
        QVERIFY(folder.error().message.find("it is a folder") != std::string::npos);
    }

private:
    [[nodiscard]] std::string file(const char *name) const { return m_folder.filePath(name).toStdString(); }

    static FileKind kindOf(const std::string &path)
    {
        const auto kind = import::recogniseFile(path);
        if (!kind)
            qWarning("%s", kind.error().message.c_str());
        return kind ? *kind : FileKind::Unknown;
    }

    [[nodiscard]] FileKind kindOfBytes(const std::string &bytes) const
    {
        testing::writeBytes(file("bytes"), bytes);
        return kindOf(file("bytes"));
    }

    [[nodiscard]] FileKind kindOfArchive(const Records &records) const { return kindOfBytes(testing::zipOf(records)); }

    QTemporaryDir m_folder;
};

PIPESCOPE_TEST(TestRecogniseFile)
#include "tst_recognise_file.moc"
