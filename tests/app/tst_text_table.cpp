#include "text_table.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using pipescope::app::TextTable;

class TestTextTable : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { pipescope::tests::failOnWarnings(); }

    void numbersGoToTheRightAndNoBlanksTrail()
    {
        TextTable table({{"stage"}, {"nodes", TextTable::Align::Right}, {"begins at"}});
        table.addRow({"stage0", "7", "layers.0"});
        table.addRow({"stage10", "1234", "x"});
        QCOMPARE(table.toText(), std::string("stage    nodes  begins at\n"
                                             "stage0       7  layers.0\n"
                                             "stage10   1234  x\n"));
    }

    void widthsCountCharactersAndNotBytes()
    {
        TextTable table({{"time", TextTable::Align::Right}, {"next"}});
        table.addRow({"12.3 µs", "a"});
        table.addRow({"7.00 ms", "b"});
        QCOMPARE(table.toText(), std::string("   time  next\n12.3 µs  a\n7.00 ms  b\n"));
    }

    void columnsWithNothingInThemAreLeftOut()
    {
        TextTable table({{"a"}, {"empty"}, {"b"}});
        table.addRow({"1", "", "2"});
        QCOMPARE(table.toText("  "), std::string("  a  b\n  1  2\n"));
    }

    void aTableWithoutRowsIsEmpty() { QVERIFY(TextTable({{"a"}}).empty()); }
};

PIPESCOPE_TEST(TestTextTable)
#include "tst_text_table.moc"
