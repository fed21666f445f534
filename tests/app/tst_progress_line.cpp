#include "progress_line.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>
#include <limits>

using pipescope::app::progressText;

class TestProgressLine : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { pipescope::tests::failOnWarnings(); }

    void theBarFillsWithTheWork()
    {
        QCOMPARE(progressText("running", 0), std::string("running  [........................]  0 %"));
        QCOMPARE(progressText("running", 0.5), std::string("running  [############............]  50 %"));
        QCOMPARE(progressText("running", 0.999), std::string("running  [#######################.]  99 %"));
        QCOMPARE(progressText("running", 1), std::string("running  [########################]  100 %"));
        QCOMPARE(progressText("running", 7), std::string("running  [########################]  100 %"));
    }

    void workOfUnknownLengthHasNoBar()
    {
        QCOMPARE(progressText("loading", -1), std::string("loading ..."));
        QCOMPARE(progressText("loading", std::numeric_limits<double>::quiet_NaN()), std::string("loading ..."));
    }
};

PIPESCOPE_TEST(TestProgressLine)
#include "tst_progress_line.moc"
