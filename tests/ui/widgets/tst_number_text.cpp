#include "widgets/number_text.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope::widgets;

class TestNumberText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { pipescope::tests::failOnWarnings(); }

    void thousandsStandApart()
    {
        QCOMPARE(countText(999), QStringLiteral("999"));
        QCOMPARE(countText(263'168), QStringLiteral("263\u202f168"));
        QCOMPARE(countText(-1'000'000), QStringLiteral("\u22121\u202f000\u202f000"));
        QCOMPARE(fixedText(1747.7126, 3), QStringLiteral("1\u202f747.713"));
        QCOMPARE(fixedText(1055, 0), QStringLiteral("1\u202f055"));
        QCOMPARE(fixedText(-123.4567, 2), QStringLiteral("\u2212123.46"));
    }

    void aShareOfOneHasOneDecimal()
    {
        QCOMPARE(percentText(0.1124), QStringLiteral("11.2 %"));
        QCOMPARE(percentText(0), QStringLiteral("0.0 %"));
        QCOMPARE(percentText(1), QStringLiteral("100.0 %"));
    }

    void nanosecondsAreWrittenAsSecondsAre()
    {
        QCOMPARE(nanosecondsText(1'200'000), secondsText(0.0012));
        QCOMPARE(nanosecondsText(1'200'000), QStringLiteral("1.20 ms"));
    }
};

PIPESCOPE_TEST(TestNumberText)
#include "tst_number_text.moc"
