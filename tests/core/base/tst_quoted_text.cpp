#include "base/quoted_text.h"

#include "support/test_program.h"

#include <QTest>
#include <string>

using namespace pipescope;

namespace {

/// What stands in the quotes, and in brackets what is left behind them; or the fault.
std::string readBack(std::string_view text)
{
    const ReadQuoted read = readQuoted(text);
    if (read.fault == QuoteFault::None)
        return read.text + "[" + std::string(text.substr(read.end)) + "]";
    return read.fault == QuoteFault::Escape ? "no escape at " + std::to_string(read.end) : "no end";
}

} // namespace

class TestQuotedText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsWrittenReadsBack()
    {
        for (const std::string text : {"", "a,b", "it's", "\"", "\\", "a\nb\tc\rd", "\x01\x7f", "é €", "\xff\xc3"})
            for (const char quote : {'\'', '"'})
                QCOMPARE(readBack(quotedText(text, quote) + ":end"), text + "[:end]");
    }

    void onlyWhatCannotStandForItselfIsEscaped()
    {
        QCOMPARE(quotedText("it's é"), std::string("'it\\'s é'"));
        QCOMPARE(quotedText("it's é", '"'), std::string("\"it's é\""));
        QCOMPARE(quotedText("a\n\x01\xff"), std::string("'a\\n\\x01\\xff'"));
    }

    void faultsAreToldWithTheirPlace()
    {
        QCOMPARE(readBack("'abc"), std::string("no end"));
        QCOMPARE(readBack("'"), std::string("no end"));
        QCOMPARE(readBack("'a\""), std::string("no end"));
        QCOMPARE(readBack("'a\\qb'"), std::string("no escape at 3"));
        QCOMPARE(readBack("'a\\x4'"), std::string("no escape at 3"));
        QCOMPARE(readBack("'a\\"), std::string("no escape at 3"));
        QCOMPARE(readBack("'a\\\\"), std::string("no end"));
    }

    void readingBeginsWhereItIsTold()
    {
        const ReadQuoted read = readQuoted("x, 'a,b', c", 3);
        QCOMPARE(read.text, std::string("a,b"));
        QCOMPARE(read.end, std::size_t(8));
    }
};

PIPESCOPE_TEST(TestQuotedText)
#include "tst_quoted_text.moc"
