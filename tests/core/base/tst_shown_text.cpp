#include "base/shown_text.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;

class TestShownText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void controlCharactersAreShownAndNotDone()
    {
        QCOMPARE(shownText("a\n\x1b[31mb\t\r\x7f\x01"), std::string("a\\n\\x1b[31mb\\t\\r\\x7f\\x01"));
        QCOMPARE(shownText("\xc2\x9b"
                           "31m"),
                 std::string("\\u009b31m"));
        QCOMPARE(shownText("grün.pt \xc2\xa0 C:\\n"), std::string("grün.pt \xc2\xa0 C:\\n"));
        QCOMPARE(shownText(std::string_view("a\0b", 3)), std::string("a\\x00b"));
    }

    void linesStayLines()
    {
        QCOMPARE(shownLines("\na\n\tb\x1b[2J\r\n"), std::string("\na\n\tb\\x1b[2J\\r\n"));
        QCOMPARE(shownLines(""), std::string());
    }

    void ofCommandsOnlyColoursAreKept()
    {
        const std::string own = "\x1b[30;46m1\x1b[0m";
        QCOMPARE(shownLines(own + "\n\x1b[2J\x1b]0;t\x07", Colours::Kept), own + "\n\\x1b[2J\\x1b]0;t\\x07");
        QCOMPARE(shownLines("\x1b[31mx"), std::string("\\x1b[31mx"));
    }
};

PIPESCOPE_TEST(TestShownText)
#include "tst_shown_text.moc"
