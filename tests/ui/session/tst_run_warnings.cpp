#include "session/run_warnings.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using session::warningsText;

class TestRunWarnings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void eachIsALine()
    {
        report::RunReport run;
        QCOMPARE(warningsText(run), QString());
        run.warnings = {"one", "two"};
        QCOMPARE(warningsText(run), QString("Warning: one\nWarning: two"));
    }

    void ofManyAndOfLongOnesTheBeginningIsSaid()
    {
        report::RunReport run;
        run.warnings.assign(5, "w");
        QCOMPARE(warningsText(run),
                 QString("Warning: w\nWarning: w\nWarning: w\nWarning: w\nMore of them are in the log."));
        run.warnings = {std::string(501, 'x')};
        QCOMPARE(warningsText(run), QString("Warning: %1…").arg(QString(500, 'x')));
    }
};

PIPESCOPE_TEST(TestRunWarnings)
#include "tst_run_warnings.moc"
