#include "shell_word.h"

#include "support/test_program.h"

#include <QProcess>
#include <QTest>

using namespace pipescope;

class TestShellWord : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aWordIsQuotedWhereAShellWouldChangeIt_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("word");
        QTest::newRow("plain") << "sr=16000"
                               << "sr=16000";
        QTest::newRow("a path") << "x=@a/b-c.pt"
                                << "x=@a/b-c.pt";
        QTest::newRow("brackets") << "x=float32[2,3]"
                                  << "'x=float32[2,3]'";
        QTest::newRow("a range") << "ids=int64[8]<10"
                                 << "'ids=int64[8]<10'";
        QTest::newRow("a text") << "mode='a b'"
                                << "\"mode='a b'\"";
        QTest::newRow("a text with a dollar") << "mode='$HOME'"
                                              << R"('mode='\''$HOME'\''')";
        QTest::newRow("nothing") << ""
                                 << "''";
    }
    void aWordIsQuotedWhereAShellWouldChangeIt()
    {
        QFETCH(QString, text);
        QTEST(QString::fromStdString(app::shellWord(text.toStdString())), "word");
    }

    void aShellGivesTheTextBack_data() { aWordIsQuotedWhereAShellWouldChangeIt_data(); }
    void aShellGivesTheTextBack()
    {
        QFETCH(QString, text);
        QFETCH(QString, word);
        QProcess shell;
        shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), QStringLiteral("printf %s ") + word});
        QVERIFY(shell.waitForFinished());
        QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), text);
    }
};

PIPESCOPE_TEST(TestShellWord)
#include "tst_shell_word.moc"
