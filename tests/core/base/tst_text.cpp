#include "base/text.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;

class TestText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bytesAreWrittenInBinaryUnits()
    {
        QCOMPARE(formatBytes(0), std::string("0 B"));
        QCOMPARE(formatBytes(1023), std::string("1023 B"));
        QCOMPARE(formatBytes(1536), std::string("1.50 KiB"));
        QCOMPARE(formatBytes(512LL << 20), std::string("512 MiB"));
    }

    void secondsTakeTheUnitThatFits()
    {
        QCOMPARE(formatSeconds(850e-9), std::string("850 ns"));
        QCOMPARE(formatSeconds(12.34e-6), std::string("12.3 µs"));
        QCOMPARE(formatSeconds(4.56e-3), std::string("4.56 ms"));
        QCOMPARE(formatSeconds(0.9996), std::string("1.00 s"));
    }

    void countsAreWrittenInDecimalMultiples()
    {
        QCOMPARE(formatCount(950), std::string("950"));
        QCOMPARE(formatCount(12'345), std::string("12.3 k"));
        QCOMPARE(formatCount(4.56e6), std::string("4.56 M"));
        QCOMPARE(formatCount(3e12), std::string("3.00 T"));
    }

    void theNearestNamesComeFirstAndOnlySoManyOfThem()
    {
        const std::vector<std::string> names{"headed", "HEAD", "head1", "tail", "heads", "HEAD"};
        QCOMPARE(nearestNames("head", names), (std::vector<std::string>{"HEAD", "head1", "heads"}));
        QCOMPARE(nearestNames("head", names, 1), std::vector<std::string>{"HEAD"});
        QVERIFY(nearestNames("head", {}).empty());
    }

    void blanksAroundAreTrimmed()
    {
        QCOMPARE(trimmed(" \ta b\r\n"), std::string_view("a b"));
        QCOMPARE(trimmed(" \n "), std::string_view());
        QCOMPARE(trimmed(""), std::string_view());
    }

    void aSlipOfThePenFindsTheName()
    {
        QCOMPARE(didYouMean("layer.4", {"layers.4", "layers.14", "head"}),
                 std::string(" Did you mean layers.4 or layers.14?"));
        QCOMPARE(didYouMean("zzz", {"layers.4", "head"}), std::string());
    }

    void splittingKeepsEmptyParts()
    {
        QCOMPARE(splitText("a,,b", ','), (std::vector<std::string>{"a", "", "b"}));
        QCOMPARE(splitText("", ','), (std::vector<std::string>{""}));
    }

    void widthCountsCodePoints() { QCOMPARE(displayWidth("µs·"), std::size_t(3)); }
};

PIPESCOPE_TEST(TestText)
#include "tst_text.moc"
