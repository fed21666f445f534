#include "widgets/number_text.h"

#include "support/qt_warnings.h"

#include <QtTest>

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
};

QTEST_APPLESS_MAIN(TestNumberText)
#include "tst_number_text.moc"
