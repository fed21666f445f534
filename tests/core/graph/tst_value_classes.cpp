#include "graph/value_classes.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using graph::ValueClasses;

class TestValueClasses : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void valuesAreApartUntilTheyAreJoined()
    {
        ValueClasses classes(3);
        QVERIFY(classes.of(ValueId{0}) != classes.of(ValueId{1}));
        classes.join(ValueId{0}, ValueId{1});
        QCOMPARE(classes.of(ValueId{0}), classes.of(ValueId{1}));
        QVERIFY(classes.of(ValueId{0}) != classes.of(ValueId{2}));
    }

    void whatIsJoinedOneByOneIsOneClass()
    {
        constexpr int Values = 100'000; // as deep as a careless tree would be
        ValueClasses classes(Values);
        for (int i = 1; i < Values; ++i)
            classes.join(ValueId{i - 1}, ValueId{i});
        QCOMPARE(classes.of(ValueId{0}), classes.of(ValueId{Values - 1}));
        classes.join(ValueId{5}, ValueId{7}); // again
        QCOMPARE(classes.of(ValueId{5}), classes.of(ValueId{Values / 2}));
    }
};

PIPESCOPE_TEST(TestValueClasses)
#include "tst_value_classes.moc"
