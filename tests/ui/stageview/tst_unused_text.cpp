#include "stageview/unused_text.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using stageview::UnusedText;
using stageview::unusedText;

class TestUnusedText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void whereAllIsUsedThereIsNothingToSay() { QCOMPARE(unusedText({}).line, QString()); }

    void oneTensorIsNamed()
    {
        const UnusedText text = unusedText({{"critic.weight"}, 1, 2048});
        QCOMPARE(text.line, QString("in no stage: critic.weight, 2.00 KiB"));
        QCOMPARE(text.details,
                 QString("The method does not use them, so that saved stages are without them:\ncritic.weight"));
    }

    void severalAreCountedAndListedInTheDetails()
    {
        const UnusedText text = unusedText({{"critic.bias", "critic.weight"}, 2, 2048});
        QCOMPARE(text.line, QString("in no stage: 2 tensors, 2.00 KiB"));
        QVERIFY(text.details.endsWith("\ncritic.bias\ncritic.weight"));
    }

    void ofManyTheFirstAreListed()
    {
        partition::UnusedTensors unused{{}, 25, 100};
        for (int i = 0; i < 25; ++i)
            unused.names.push_back("w" + std::to_string(10 + i));
        const QString details = unusedText(unused).details;
        QCOMPARE(details.count('\n'), 21);
        QVERIFY(details.endsWith("\nw29\nand 5 more"));
    }
};

PIPESCOPE_TEST(TestUnusedText)
#include "tst_unused_text.moc"
