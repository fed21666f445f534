#include "base/file.h"
#include "import/load.h"
#include "import/operator_library.h"
#include "support/as_other_user.h"
#include "support/test_program.h"
#include "support/torch/archive_edit.h"
#include "support/torch/models.h"
#include "tensor/tensor_file.h"

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <functional>
#include <sys/resource.h>
#include <unistd.h>

using namespace pipescope;

namespace {

template <class T>
Error errorOf(const Result<T> &result)
{
    return result ? Error{ErrorCode::Internal, "no error", {}, {}} : result.error();
}

/// What each opener of a user's file says of a path.
std::vector<Error> errorsOf(const std::string &path)
{
    return {errorOf(checkReadable(path)),
            errorOf(readFile(path, 9)),
            errorOf(fileSha256(path)),
            errorOf(import::recogniseFile(path)),
            errorOf(import::loadModule(path)),
            errorOf(tensor::loadTensors(path)),
            errorOf(import::loadOperatorLibrary(path))};
}

} // namespace

class TestUnreadableFiles : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aPathThatCannotBeOpenedIsToldFromAMissingFile_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("reason");
        std::filesystem::create_symlink("circle", file("circle"));
        QTest::newRow("long name") << m_folder.filePath(QString(300, 'n')) << "File name too long";
        QTest::newRow("long path") << m_folder.filePath(QString("x/").repeated(3000)) << "File name too long";
        QTest::newRow("circle") << QString::fromStdString(file("circle")) << "Too many levels of symbolic links";
        QTest::newRow("folder") << QString::fromStdString(file("")) << "it is a folder";
        QTest::newRow("device") << "/dev/null"
                                << "it is not a regular file";
    }

    void aPathThatCannotBeOpenedIsToldFromAMissingFile()
    {
        QFETCH(QString, path);
        QFETCH(QString, reason);
        for (const Error &error : errorsOf(path.toStdString())) {
            QCOMPARE(error.message, ("cannot read '" + path + "': " + reason).toStdString());
            QCOMPARE(error.code, ErrorCode::InvalidFile);
            QCOMPARE(error.where, path.toStdString());
        }
    }

    void aFileOrFolderWithoutPermissionIsSaidToBeSo()
    {
        const tests::AsOtherUser other(m_folder.path().toStdString());
        namespace fs = std::filesystem;
        fs::create_directory(file("closed"));
        for (const std::string &path : {file("closed/model.pt"), file("model.pt")}) {
            testing::writeBytes(path, "text");
            fs::permissions(path, fs::perms::none);
        }
        fs::permissions(file("closed"), fs::perms::none);
        for (const std::string &path : {file("closed/model.pt"), file("model.pt")})
            for (const Error &error : errorsOf(path)) {
                QCOMPARE(error.message, "cannot read '" + path + "': Permission denied");
                QCOMPARE(error.code, ErrorCode::InvalidFile);
            }
        fs::permissions(file("closed"), fs::perms::owner_all); // else it cannot be removed
    }

    void aFileIsNotDamagedWhereTheSystemGivesNoMoreDescriptors()
    {
        const std::string model = file("whole.pt");
        testing::transformerLike(4).save(model);
        QVERIFY(import::loadModule(model));
        rlimit before{};
        QCOMPARE(::getrlimit(RLIMIT_NOFILE, &before), 0);
        for (rlim_t more = 0; more < 4; ++more) {
            const int next = ::dup(0);
            ::close(next);
            const rlimit few{static_cast<rlim_t>(next) + more, before.rlim_max};
            ::setrlimit(RLIMIT_NOFILE, &few);
            const auto loaded = import::loadModule(model);
            ::setrlimit(RLIMIT_NOFILE, &before);
            if (!loaded)
                QCOMPARE(loaded.error().message, "cannot read '" + model + "': Too many open files");
            QVERIFY(more > 0 || !loaded);
        }
    }

    void aMissingFileIsMissing()
    {
        testing::writeBytes(file("text"), "text");
        std::filesystem::create_symlink("nowhere", file("dangling"));
        for (const std::string &path : {file("none"), file("none/none"), file("text/none"), file("dangling")})
            for (const Error &error : errorsOf(path)) {
                QCOMPARE(error.code, ErrorCode::NotFound);
                const bool isOfLibrary = error.message.find("library") != std::string::npos;
                QVERIFY2(isOfLibrary ? error.message.starts_with("there is no operator library '" + path + "'; give ")
                                     : error.message == "there is no file '" + path + "'",
                         error.message.c_str());
            }
    }

    void theDigestStopsWhenAsked()
    {
        testing::writeBytes(file("text"), "text");
        std::stop_source stop;
        QVERIFY(fileSha256(file("text"), stop.get_token()));
        stop.request_stop();
        QCOMPARE(errorOf(fileSha256(file("text"), stop.get_token())).code, ErrorCode::Cancelled);
        QCOMPARE(errorOf(fileSha256(file("none"), stop.get_token())).code, ErrorCode::NotFound);
    }

    void aTextFileIsToldHowToBecomeAModel()
    {
        testing::writeBytes(file("model.py"), "import torch\n");
        QCOMPARE(errorOf(import::loadModule(file("model.py"))).message,
                 "'" + file("model.py") +
                     "' is a text file, not a TorchScript model; if it is Python code that builds the model, save the "
                     "model itself in Python with torch.jit.save(torch.jit.script(model), 'model.pt')");
    }

private:
    [[nodiscard]] std::string file(const std::string &name) const
    {
        return m_folder.filePath(QString::fromStdString(name)).toStdString();
    }

    QTemporaryDir m_folder;
};

PIPESCOPE_TEST(TestUnreadableFiles)
#include "tst_unreadable_files.moc"
