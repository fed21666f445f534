#include "import/archive/debug_record.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;

namespace {

// Pickled values as TorchScript writes them.
std::string numberOf(int value)
{
    return {'K', static_cast<char>(value)};
}

std::string textOf(const std::string &text)
{
    return std::string("X") + static_cast<char>(text.size()) + std::string(3, '\0') + text;
}

std::string tupleOf(const std::string &items)
{
    return "(" + items + "t";
}

std::string listOf(const std::string &numbers)
{
    return "ctorch.jit._pickle\nbuild_intlist\n(](" + numbers + "etR";
}

/// A record of source ranges.
std::string withTable(const std::string &texts, const std::string &entries)
{
    return "\x80\x02" + tupleOf(textOf("FORMAT_WITH_STRING_TABLE") + texts + entries) + ".";
}

/// One source range in this source.
std::string entry(const std::string &source)
{
    return tupleOf(tupleOf(numberOf(0) + tupleOf(source + numberOf(3) + numberOf(4)) + numberOf(9)));
}

std::string faultOf(const std::string &record, std::size_t &lines)
{
    const auto tree = archive::readPickle(record, "code/a.debug_pkl", archive::PickleDialect::TorchScript);
    return tree ? import::faultOfDebugRecord(*tree, lines) : tree.error().message;
}

/// A record of so many sources that share one list of so many lines.
std::string sharing(int sources, int lines)
{
    std::string list = listOf([&] {
        std::string zeros;
        for (int i = 0; i < lines; ++i)
            zeros += numberOf(0);
        return zeros;
    }());
    const std::string asFirst = list + std::string("r\1\0\0\0", 5);
    const std::string again("j\1\0\0\0", 5);
    std::string ranges;
    for (int i = 0; i < sources; ++i)
        ranges += tupleOf(numberOf(0) + tupleOf(tupleOf((i == 0 ? asFirst : again) + numberOf(0) + numberOf(7)) +
                                                numberOf(3) + numberOf(4)));
    return withTable(tupleOf(textOf("")), tupleOf(ranges));
}

} // namespace

class TestDebugRecord : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRecordThatListsTooManyLinesIsRefusedAndQuickly()
    {
        static_assert(import::MaxDebugLines == 16'000'000);
        std::size_t lines = 0;
        QCOMPARE(faultOf(sharing(4000, 4000), lines), std::string());
        QCOMPARE(lines, std::size_t{16'000'000});
        lines = 0;
        QCOMPARE(faultOf(sharing(4001, 4000), lines),
                 std::string("source range 4000: the archive's sources have more than 16000000 lines"));
    }

    void theLinesOfAllRecordsOfAnArchiveAreCounted()
    {
        std::size_t lines = 15'999'998;
        QCOMPARE(faultOf(sharing(1, 2), lines), std::string());
        QCOMPARE(faultOf(sharing(1, 2), lines),
                 std::string("source range 0: the archive's sources have more than 16000000 lines"));
    }

    void whatItRefersToAndDoesNotHaveIsNamed_data()
    {
        QTest::addColumn<std::string>("record");
        QTest::addColumn<std::string>("fault"); // "" where it is good
        const std::string texts = tupleOf(textOf("") + textOf("a.py"));
        const auto row = [&](const char *name, const std::string &source, const std::string &fault) {
            QTest::newRow(name) << withTable(texts, entry(source)) << fault;
        };
        const std::string lines = listOf(numberOf(0) + numberOf(1));
        row("good", tupleOf(lines + numberOf(1) + numberOf(7)), "");
        row("a line beyond the table", tupleOf(listOf(numberOf(0) + numberOf(2)) + numberOf(1) + numberOf(7)),
            "source range 0: it refers to text 2, of 2");
        row("a line before the table", tupleOf(listOf("J\xff\xff\xff\xff") + numberOf(1) + numberOf(7)),
            "source range 0: it refers to text -1, of 2");
        row("a line that is a text", tupleOf(listOf(textOf("b")) + numberOf(1) + numberOf(7)),
            "source range 0: it refers to a text by something that is no number");
        row("lines that are no list", tupleOf(numberOf(0) + numberOf(1) + numberOf(7)),
            "source range 0: its source is no list of texts");
        row("a file beyond the table", tupleOf(lines + numberOf(99) + numberOf(7)),
            "source range 0: it refers to text 99, of 2");
        row("a source that is too short", tupleOf(lines + numberOf(1)),
            "source range 0: its source is not a text, a file and a line");
        row("a source that is a number", numberOf(1), "source range 0: its source is not a text, a file and a line");
        QTest::newRow("an entry that is too short")
            << withTable(texts, tupleOf(tupleOf(numberOf(0))))
            << std::string("source range 0: it does not say which code it is of");
        QTest::newRow("a range that is too short")
            << withTable(texts, tupleOf(tupleOf(numberOf(0) + tupleOf(lines))))
            << std::string("source range 0: it has no begin and end in a source");
        QTest::newRow("a table of numbers")
            << withTable(tupleOf(numberOf(1)), tupleOf("")) << std::string("an entry of its table of texts is no text");
        QTest::newRow("a table alone") << "\x80\x02" + tupleOf(textOf("FORMAT_WITH_STRING_TABLE") + texts) + "."
                                       << std::string("its table of texts or its source ranges are missing");
        const std::string plain = tupleOf(textOf("x = 1") + "N" + numberOf(7));
        QTest::newRow("good, without a table") << "\x80\x02" + entry(plain) + "." << std::string("");
        QTest::newRow("a list of texts, without a table")
            << "\x80\x02" + entry(tupleOf(lines + numberOf(1) + numberOf(7))) + "."
            << std::string("source range 0: its source is no text");
    }

    void whatItRefersToAndDoesNotHaveIsNamed()
    {
        QFETCH(std::string, record);
        std::size_t lines = 0;
        QTEST(faultOf(record, lines), "fault");
    }
};

PIPESCOPE_TEST(TestDebugRecord)
#include "tst_debug_record.moc"
