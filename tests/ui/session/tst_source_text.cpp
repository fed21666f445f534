#include "session/source_text.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using session::sourceText;

class TestSourceText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aPlaceIsItsFileWithoutFoldersAndItsLine()
    {
        QCOMPARE(sourceText({"/src/models/net.py", 34, 4, "return x"}), QString("net.py:34"));
        QCOMPARE(sourceText({"net.py", 1, 0, {}}), QString("net.py:1"));
    }

    void aPlaceThatIsNotKnownIsNothing()
    {
        QCOMPARE(sourceText({}), QString());
        QCOMPARE(sourceText({"net.py", 0, 0, {}}), QString());
        QCOMPARE(sourceText({"", 7, 0, {}}), QString());
    }
};

PIPESCOPE_TEST(TestSourceText)
#include "tst_source_text.moc"
