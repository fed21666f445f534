#include "import/model_file.h"

#include "archive/zip_names.h"
#include "base/file.h"
#include "import/archive/archive_content.h"
#include "import/load.h"
#include "import/structure_only.h"
#include "support/failing_calls.h"
#include "support/test_program.h"
#include "support/torch/archive_edit.h"
#include "support/torch/models.h"

#include <QTemporaryDir>
#include <QTest>
#include <caffe2/serialize/read_adapter_interface.h>
#include <istream>
#include <iterator>

using namespace pipescope;
using import::ModelFile;

class TestModelFile : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

    static std::string bytesOf(const ModelFile &file)
    {
        const auto reader = file.reader();
        std::string bytes(reader->size() + 10, '\0');
        bytes.resize(reader->read(0, bytes.data(), bytes.size()));
        return bytes;
    }

private Q_SLOTS:
    void init()
    {
        tests::calls = {};
        testing::writeBytes(path("model"), "the first model");
    }

    void whatIsHashedIsWhatIsRead()
    {
        const auto file = ModelFile::open(path("model"));
        QVERIFY(file);
        QCOMPARE(*file->sha256({}), *fileSha256(path("model")));
        QCOMPARE(bytesOf(*file), std::string("the first model"));
        QVERIFY(file->checkUnchanged());
        std::string middle(5, '\0');
        QCOMPARE(file->reader()->read(4, middle.data(), middle.size()), std::size_t(5));
        QCOMPARE(middle, std::string("first"));
    }

    void aFileThatTakesItsPlaceIsNotRead()
    {
        const auto file = ModelFile::open(path("model"));
        QVERIFY(file);
        const std::string hash = *file->sha256({});
        const auto reader = file->reader();
        testing::writeBytes(path("other"), "another");
        std::filesystem::rename(path("other"), path("model"));
        QCOMPARE(*file->sha256({}), hash);
        QCOMPARE(bytesOf(*file), std::string("the first model"));
        const Status unchanged = file->checkUnchanged();
        QVERIFY(!unchanged);
        QCOMPARE(unchanged.error().code, ErrorCode::InvalidFile);
        QCOMPARE(unchanged.error().where, path("model"));
    }

    void allThatIsReadOfAModelIsOfTheFileThatWasOpened()
    {
        testing::twoMethods().save(path("model"));
        const auto names = archive::zipNames(std::filesystem::path(path("model")));
        const auto file = ModelFile::open(path("model"));
        QVERIFY(file);
        testing::writeBytes(path("other"), "no model at all");
        std::filesystem::rename(path("other"), path("model"));
        const auto kind = import::recogniseFile(*file);
        QVERIFY(kind);
        QCOMPARE(*kind, import::FileKind::TorchScript);
        QCOMPARE(*import::recogniseFile(path("model")), import::FileKind::Text);
        QCOMPARE(*archive::zipNames(*file->stream(), "model"), *names);
        const auto content = import::readContent(*file);
        QVERIFY2(content, content ? "" : content.error().message.c_str());
        QVERIFY(!content->code.methods.empty());
    }

    void theStructureIsOfTheBytesOfItsHash()
    {
        testing::twoMethods().save(path("model"));
        const auto structure = import::readStructure(path("model"));
        QVERIFY2(structure, structure ? "" : structure.error().message.c_str());
        QCOMPARE(structure->sha256, *fileSha256(path("model")));
        QCOMPARE(structure->kind, import::FileKind::TorchScript);
    }

    void aStreamReadsAllOfItFromWhereItIsPut()
    {
        std::string bytes(50'000, '\0'); // more than is read at once
        for (std::size_t i = 0; i < bytes.size(); ++i)
            bytes[i] = static_cast<char>(i * 7 % 251);
        testing::writeBytes(path("model"), bytes);
        const auto file = ModelFile::open(path("model"));
        QVERIFY(file);
        QCOMPARE(file->size(), bytes.size());
        QCOMPARE(*file->head(10), bytes.substr(0, 10));
        QCOMPARE(*file->head(60'000), bytes);
        const auto in = file->stream();
        QCOMPARE(std::string(std::istreambuf_iterator<char>(*in), {}), bytes);
        in->clear();
        for (const std::size_t at : {std::size_t(0), std::size_t(49'990), std::size_t(20'000), std::size_t(7)}) {
            in->seekg(static_cast<std::streamoff>(at));
            QCOMPARE(static_cast<std::size_t>(in->tellg()), at);
            std::string some(10, '\0');
            QVERIFY(in->read(some.data(), 10));
            QCOMPARE(some, bytes.substr(at, 10));
            QCOMPARE(static_cast<std::size_t>(in->tellg()), at + 10);
        }
        in->seekg(-5, std::ios::end);
        QCOMPARE(static_cast<std::size_t>(in->tellg()), bytes.size() - 5);
        QCOMPARE(std::string(std::istreambuf_iterator<char>(*in), {}), bytes.substr(bytes.size() - 5));
        in->clear();
        QVERIFY(!in->seekg(-1, std::ios::beg));
    }

    void howMuchOfItIsReadIsTold()
    {
        testing::writeBytes(path("model"), "beginning");
        std::filesystem::resize_file(path("model"), 40 << 20);
        const auto file = ModelFile::open(path("model"));
        QVERIFY(file);
        std::vector<std::pair<std::string, double>> told;
        const Progress progress = [&told](std::string_view step, double part) { told.emplace_back(step, part); };
        QVERIFY(file->sha256({}, progress));
        const std::vector<std::pair<std::string, double>> reading{{"reading the file", 0.4}, {"reading the file", 0.8}};
        QVERIFY(told == reading);
        told.clear();
        std::string bytes(40 << 20, '\0');
        const auto reader = file->reader(progress);
        QCOMPARE(reader->read(0, bytes.data(), 100), std::size_t(100));
        QVERIFY(told.empty());
        QCOMPARE(reader->read(0, bytes.data(), bytes.size()), bytes.size());
        QVERIFY(bytes.starts_with("beginning"));
        QCOMPARE(told.size(), std::size_t(2));
        QCOMPARE(told[0].first, std::string("loading the model"));
        QVERIFY(told[0].second > 0.4 && told[0].second < 0.41 && told[1].second > 0.8);
    }

    void aFileThatIsWrittenIsNoticed()
    {
        const auto file = ModelFile::open(path("model"));
        QVERIFY(file);
        testing::writeBytes(path("model"), "the first model, and more");
        QVERIFY(!file->checkUnchanged());
        testing::writeBytes(path("model"), "short"); // than it was when it was opened
        const auto hash = file->sha256({});
        QVERIFY(!hash);
        QCOMPARE(hash.error().message, "cannot read '" + path("model") + "': it ends sooner than its length says");
    }

    void whatIsNoFileIsNotOpened()
    {
        const auto none = ModelFile::open(path("none"));
        QVERIFY(!none);
        QCOMPARE(none.error().code, ErrorCode::NotFound);
        QVERIFY(!ModelFile::open(m_folder.path().toStdString()));
    }

    /// Else it would be taken for an empty file.
    void aFileThatTheSystemTellsNothingOfIsNotOpened()
    {
        tests::calls.fstatFails = EIO;
        const auto file = ModelFile::open(path("model"));
        QVERIFY(!file);
        QCOMPARE(file.error().code, ErrorCode::InvalidFile);
        QCOMPARE(file.error().message, "cannot read '" + path("model") + "': Input/output error");
        QCOMPARE(file.error().where, path("model"));
    }

    void aFileThatTheSystemTellsNothingMoreOfIsNotSaidToBeReplaced()
    {
        const auto file = ModelFile::open(path("model"));
        QVERIFY(file);
        tests::calls.fstatFails = EIO;
        const Status unchanged = file->checkUnchanged();
        QVERIFY(!unchanged);
        QCOMPARE(unchanged.error().message, "cannot read '" + path("model") + "': Input/output error");
    }
};

PIPESCOPE_TEST(TestModelFile)
#include "tst_model_file.moc"
