#include "import/model_file.h"

#include "base/file.h"
#include "support/failing_calls.h"
#include "support/test_program.h"
#include "support/torch/archive_edit.h"

#include <QTemporaryDir>
#include <QTest>
#include <caffe2/serialize/read_adapter_interface.h>

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
