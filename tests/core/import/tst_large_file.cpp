// A file of 4 GiB, most of which is a hole: its structure is there before its bytes are read.
#include "import/load.h"
#include "import/structure_only.h"
#include "support/test_program.h"
#include "support/torch/archive_edit.h"
#include "support/torch/models.h"

#include <QTemporaryDir>
#include <QTest>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

using namespace pipescope;
using import::FileHash;

class TestLargeFile : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string path(const char *name) const { return m_folder.filePath(QString::fromLatin1(name)).toStdString(); }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        testing::twoMethods().save(path("small.pt"));
        testing::withHole(path("small.pt"), path("large.pt"), std::uint64_t(4) << 30);
        QVERIFY(std::filesystem::file_size(path("large.pt")) > std::uint64_t(4) << 30);
    }

    void itsStructureNeedsNoHash()
    {
        std::vector<double> told;
        const auto structure = import::readStructure(path("large.pt"), {}, "forward", FileHash::LeftOutWhereLong,
                                                     [&told](std::string_view, double part) { told.push_back(part); });
        QVERIFY2(structure, structure ? "" : structure.error().message.c_str());
        QCOMPARE(structure->sha256, std::string());
        QVERIFY(told.empty()); // not a byte of it was read for the hash
        const auto small = import::readStructure(path("small.pt"));
        QVERIFY(small);
        QVERIFY(structure->modules == small->modules && structure->parameters == small->parameters);
        QVERIFY(structure->outline == small->outline);
    }

    void theHashComesLastAndSaysHowFarItIs()
    {
        std::stop_source stop;
        std::vector<double> told;
        const auto structure = import::readStructure(
            path("large.pt"), stop.get_token(), "forward", FileHash::Taken, [&](std::string_view step, double part) {
                QCOMPARE(QByteArray(step.data(), qsizetype(step.size())), QByteArray("reading the file"));
                told.push_back(part);
                stop.request_stop();
            });
        QVERIFY(!structure);
        QCOMPARE(structure.error().code, ErrorCode::Cancelled);
        QCOMPARE(told.size(), std::size_t(1));
        QVERIFY(told[0] > 0 && told[0] < 0.01); // 16 MiB of 4 GiB
    }

    void loadingItBeginsWithTheHash()
    {
        std::stop_source stop;
        const auto loaded = import::loadFile(path("large.pt"), {}, {}, stop.get_token(),
                                             [&](std::string_view, double) { stop.request_stop(); });
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, ErrorCode::Cancelled);
    }

    void aSmallFileIsHashedAtOnce()
    {
        const auto structure = import::readStructure(path("small.pt"), {}, "forward", FileHash::LeftOutWhereLong);
        QVERIFY(structure);
        QCOMPARE(structure->sha256.size(), std::size_t(64));
    }
};

PIPESCOPE_TEST(TestLargeFile)
#include "tst_large_file.moc"
