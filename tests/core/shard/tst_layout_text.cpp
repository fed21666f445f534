#include "shard/layout_text.h"

#include "support/test_program.h"

#include <QTest>
#include <string>

using namespace pipescope;
using namespace pipescope::shard;

class TestLayoutText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aShapeIsReadInEveryForm_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QList<qint64>>("sizes");
        QTest::newRow("bare") << QByteArray("10,8") << QList<qint64>{10, 8};
        QTest::newRow("as Python prints it") << QByteArray("[10, 8]") << QList<qint64>{10, 8};
        QTest::newRow("as torch.Size prints it") << QByteArray(" (10, 8) ") << QList<qint64>{10, 8};
        QTest::newRow("one size") << QByteArray("7") << QList<qint64>{7};
        QTest::newRow("a comma after the last") << QByteArray("(7,)") << QList<qint64>{7};
        QTest::newRow("the same without brackets") << QByteArray("7,") << QList<qint64>{7};
        QTest::newRow("no dimensions") << QByteArray("[]") << QList<qint64>{};
        QTest::newRow("nothing along one") << QByteArray("0,3") << QList<qint64>{0, 3};
        QTest::newRow("more than an int counts") << QByteArray("9000000000") << QList<qint64>{9'000'000'000};
    }
    void aShapeIsReadInEveryForm()
    {
        QFETCH(QByteArray, text);
        QFETCH(QList<qint64>, sizes);
        const Result<Sizes> read = parseShape(text.toStdString());
        QVERIFY2(read, read ? "" : read.error().message.c_str());
        QCOMPARE(QList<qint64>(read->begin(), read->end()), sizes);
    }

    void aWrongShapeIsToldWithItsColumn_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("message");
        QTest::newRow("nothing") << QByteArray("")
                                 << QByteArray("expected a size, as in 10,8, found the end at column 1.");
        QTest::newRow("a word") << QByteArray("10,b")
                                << QByteArray("expected a size, as in 10,8, found 'b' at column 4.");
        QTest::newRow("negative") << QByteArray("10,-8") << QByteArray("the size -8 is negative at column 4");
        QTest::newRow("two commas") << QByteArray("10,,8")
                                    << QByteArray("expected a size, as in 10,8, found ',' at column 4.");
        QTest::newRow("no comma") << QByteArray("10 8")
                                  << QByteArray("expected ',' or the end, found '8' at column 4.");
        QTest::newRow("open bracket") << QByteArray("[10,8")
                                      << QByteArray("expected ',' or ']', found the end at column 6.");
        QTest::newRow("text after the bracket")
            << QByteArray("[10]x") << QByteArray("expected the end, found 'x' at column 5.");
        QTest::newRow("too large") << QByteArray("99999999999999999999")
                                   << QByteArray("99999999999999999999 is too large or too small for a size, as in "
                                                 "10,8 at column 1");
    }
    void aWrongShapeIsToldWithItsColumn()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, message);
        const Result<Sizes> read = parseShape(text.toStdString());
        QVERIFY(!read);
        QCOMPARE(QByteArray::fromStdString(read.error().message), message);
    }

    void aShapeHasAtMostAsManyDimensionsAsInPyTorch()
    {
        std::string ones = "1";
        for (int i = 1; i < Layout::MaxDims; ++i)
            ones += ",1";
        QVERIFY(parseShape(ones));
        QVERIFY(!parseShape(ones + ",1"));
        QVERIFY(!parseShape(std::string(1'000'000, '1')));
    }

    void aMeshIsReadWithNamesAndWithout()
    {
        QCOMPARE(parseMesh("2,4")->text(), DeviceMesh::make({2, 4})->text());
        QCOMPARE(parseMesh("dp=2,tp=4")->text(), DeviceMesh::make({2, 4}, {"dp", "tp"})->text());
        QCOMPARE(parseMesh("(dp=2, tp=4)")->text(), DeviceMesh::make({2, 4}, {"dp", "tp"})->text());
        QCOMPARE(parseMesh(" [ 3 ] ")->text(), DeviceMesh::make({3})->text());
    }

    void aWrongMeshIsTold_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("part");
        QTest::newRow("nothing") << QByteArray("") << QByteArray("found the end at column 1");
        QTest::newRow("a name alone") << QByteArray("dp")
                                      << QByteArray("expected '=' and the size of dp, found the end");
        QTest::newRow("a name on one only") << QByteArray("dp=2,4") << QByteArray("there is one without");
        QTest::newRow("a name on the second only") << QByteArray("2,tp=4") << QByteArray("there is one without");
        QTest::newRow("no size") << QByteArray("dp=x") << QByteArray("found 'x' at column 4");
        QTest::newRow("a name twice") << QByteArray("dp=2,dp=2") << QByteArray("Each mesh_dim_name must be unique.");
    }
    void aWrongMeshIsTold()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, part);
        const Result<DeviceMesh> read = parseMesh(text.toStdString());
        QVERIFY(!read);
        QVERIFY2(QByteArray::fromStdString(read.error().message).contains(part), read.error().message.c_str());
    }

    void aMeshOfNoRanksAndOneOfTooManyAreRefused()
    {
        for (const char *text : {"0", "-1", "2,0", "2000000", "1024,1025", "[]"})
            QVERIFY2(!parseMesh(text), text);
    }
};

PIPESCOPE_TEST(TestLayoutText)
#include "tst_layout_text.moc"
