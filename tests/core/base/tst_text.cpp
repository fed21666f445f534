#include "base/text.h"

#include <QtTest>

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

QTEST_GUILESS_MAIN(TestText)
#include "tst_text.moc"
