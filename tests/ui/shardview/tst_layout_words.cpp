#include "shardview/layout_words.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::shardview;

namespace {

LayoutWords with(LayoutField field, const QString &word)
{
    LayoutWords words = exampleWords();
    wordOf(words, field) = word;
    return words;
}

} // namespace

class TestLayoutWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theExampleIsALayoutAndItsTarget()
    {
        const ReadLayouts read = readLayouts(exampleWords());
        QCOMPARE(QString::fromStdString(read.from->text()), QString("S(0)P(sum)"));
        QCOMPARE(QString::fromStdString(read.to->text()), QString("S(0)S(1)"));
        QCOMPARE(read.from->mesh().size(), 8);
        QCOMPARE(read.problems, LayoutWords());
    }

    void withoutATargetThereIsNone()
    {
        for (const char *word : {"", "  "}) {
            const ReadLayouts read = readLayouts(with(LayoutField::Target, word));
            QVERIFY(read.from && !read.to);
            QCOMPARE(read.problems, LayoutWords());
        }
    }

    void aProblemIsSaidOfItsFieldInCoresWords_data()
    {
        QTest::addColumn<int>("field");
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("problem");
        const auto row = [](const char *name, LayoutField field, const char *word, const char *problem) {
            QTest::newRow(name) << static_cast<int>(field) << QString(word) << QString(problem);
        };
        row("no shape", LayoutField::Shape, "", "expected a size");
        row("a wrong shape", LayoutField::Shape, "10,x", "found 'x' at column 4");
        row("a dtype that is none", LayoutField::Dtype, "quint8", "quint8");
        row("a wrong mesh", LayoutField::Mesh, "dp=2,4", "there is one without");
        row("a wrong placement", LayoutField::Placements, "S0,Q", "found");
        row("too few placements", LayoutField::Placements, "S0", "");
        row("a dimension that there is not", LayoutField::Placements, "S0,S2", "2");
        row("a wrong target", LayoutField::Target, "S0,S5", "5");
    }
    void aProblemIsSaidOfItsFieldInCoresWords()
    {
        QFETCH(int, field);
        QFETCH(QString, word);
        QFETCH(QString, problem);
        const auto asked = static_cast<LayoutField>(field);
        const ReadLayouts read = readLayouts(with(asked, word));
        // What is wrong with a dtype is wrong with the tensor.
        const LayoutField told = asked == LayoutField::Dtype ? LayoutField::Shape : asked;
        for (std::size_t i = 0; i < LayoutFieldCount; ++i)
            QCOMPARE(!read.problems[i].isEmpty(), i == static_cast<std::size_t>(told));
        QVERIFY2(wordOf(read.problems, told).contains(problem), qPrintable(wordOf(read.problems, told)));
        QCOMPARE(read.from.has_value(), asked == LayoutField::Target);
        QVERIFY(!read.to || asked == LayoutField::Placements);
    }

    void severalProblemsAreSaidAtOnce()
    {
        LayoutWords words = with(LayoutField::Shape, "x");
        wordOf(words, LayoutField::Mesh) = "0";
        const ReadLayouts read = readLayouts(words);
        QVERIFY(!wordOf(read.problems, LayoutField::Shape).isEmpty());
        QVERIFY(!wordOf(read.problems, LayoutField::Mesh).isEmpty());
        QVERIFY(!read.from && !read.to);
    }
};

PIPESCOPE_TEST(TestLayoutWords)
#include "tst_layout_words.moc"
