#include "archive/zip_names.h"

#include "support/test_program.h"

#include <QTest>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

using namespace pipescope;

namespace {

std::string number(std::uint64_t value, int width)
{
    std::string bytes;
    for (int i = 0; i < width; ++i)
        bytes += static_cast<char>(value >> (8 * i) & 0xff);
    return bytes;
}

/// An entry of the directory; contents are never looked at.
std::string entry(const std::string &name, const std::string &extra = "")
{
    return "PK\1\2" + std::string(24, '\0') + number(name.size(), 2) + number(extra.size(), 2) + std::string(14, '\0') +
           name + extra;
}

/// The record at the end of every archive.
std::string end(std::uint64_t entries, std::uint64_t size, std::uint64_t offset, const std::string &comment = "")
{
    return "PK\5\6" + std::string(4, '\0') + number(entries, 2) + number(entries, 2) + number(size, 4) +
           number(offset, 4) + number(comment.size(), 2) + comment;
}

/// The two records that come before it where numbers are too large for it.
std::string end64(std::uint64_t entries, std::uint64_t size, std::uint64_t offset, std::uint64_t at)
{
    return "PK\6\6" + number(44, 8) + std::string(12, '\0') + number(entries, 8) + number(entries, 8) +
           number(size, 8) + number(offset, 8) + "PK\6\7" + std::string(4, '\0') + number(at, 8) + number(1, 4);
}

std::string namesIn(const std::string &bytes)
{
    std::istringstream file(bytes);
    const auto names = archive::zipNames(file, "m.pt");
    return names ? fmt::format("{}", fmt::join(*names, " ")) : names.error().message;
}

std::string damaged(const std::string &reason)
{
    return "'m.pt' is a damaged zip archive: " + reason + "; copy or download it again";
}

} // namespace

class TestZipNames : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesAreInTheOrderOfTheDirectory()
    {
        const std::string directory = entry("m/version", "extra") + entry("m/data.pkl");
        QCOMPARE(namesIn("content" + directory + end(2, directory.size(), 7)), std::string("m/version m/data.pkl"));
        QCOMPARE(namesIn(directory + end(2, directory.size(), 0, "a comment")), std::string("m/version m/data.pkl"));
        QCOMPARE(namesIn(end(0, 0, 0)), std::string());
    }

    void zip64IsUnderstood()
    {
        const std::string directory = entry("a") + entry("b");
        const std::string large = end64(2, directory.size(), 0, directory.size());
        QCOMPARE(namesIn(directory + large + end(2, directory.size(), 0xffffffff)), std::string("a b"));
        QCOMPARE(namesIn(directory + large + end(0xffff, 0xffffffff, 0xffffffff)), std::string("a b"));
        QCOMPARE(namesIn("x" + directory + large + end(0xffff, 0xffffffff, 0xffffffff)),
                 damaged("its zip64 record is not where it should be"));
    }

    void whatDoesNotAddUpIsDamaged()
    {
        const std::string directory = entry("a") + entry("b");
        QCOMPARE(namesIn(""), damaged("its end is missing, so it was cut short"));
        QCOMPARE(namesIn(directory + end(2, directory.size(), 0).substr(0, 21)),
                 damaged("its end is missing, so it was cut short"));
        QCOMPARE(namesIn(directory + end(2, directory.size(), 1000)),
                 damaged("its directory of contents points outside the file"));
        QCOMPARE(namesIn(directory + end(2, directory.size() - 1, 0)),
                 damaged("its directory of contents does not add up"));
        QCOMPARE(namesIn(directory + end(2, directory.size() - 1, 1)),
                 damaged("its directory of contents does not add up"));
        std::string longName = directory;
        longName[28] = 100;
        QCOMPARE(namesIn(longName + end(2, directory.size(), 0)), damaged("its directory of contents does not add up"));
    }

    void numbersBeyondTheFileAreDamaged()
    {
        const std::uint64_t largest = ~std::uint64_t{0};
        for (const auto &[size, offset] :
             {std::pair{largest, largest}, {std::uint64_t{1} << 20, largest}, {1, largest}}) {
            const std::string bytes = end64(1, size, offset, 0) + end(0xffff, 0xffffffff, 0xffffffff);
            QVERIFY2(namesIn(bytes).find("its directory of contents ") != std::string::npos, namesIn(bytes).c_str());
        }
        QCOMPARE(namesIn("PK\6\7" + std::string(4, '\0') + number(largest, 8) + number(1, 4) +
                         end(0xffff, 0xffffffff, 0xffffffff)),
                 damaged("its zip64 record is not where it should be"));
        QCOMPARE(namesIn(end64(1, std::uint64_t{1} << 40, 0, 0) + end(0xffff, 0xffffffff, 0xffffffff)),
                 damaged("its directory of contents claims to be larger than 256 MiB"));
    }
};

PIPESCOPE_TEST(TestZipNames)
#include "tst_zip_names.moc"
