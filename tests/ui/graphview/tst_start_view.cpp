#include "graphview/start_view.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using pipescope::graphview::fullestColumns;

class TestStartView : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { pipescope::tests::failOnWarnings(); }

    void beginsLeftOfTheFirstBoxWhereMoreIsSeenSo()
    {
        const QRectF first(100, 0, 50, 20);
        QCOMPARE(fullestColumns({first, {0, 40, 50, 20}, {60, 80, 50, 20}}, first, 200), 0.0);
    }

    void beginsWithTheFirstBoxWhereTheRestIsToItsRight()
    {
        const QRectF first(100, 0, 50, 20);
        QCOMPARE(fullestColumns({first, {0, 40, 50, 20}, {170, 40, 50, 20}, {250, 40, 50, 20}}, first, 200), 100.0);
    }

    void keepsTheFirstBoxInSightWhereverTheOthersAre()
    {
        const QRectF first(100, 0, 50, 20);
        QCOMPARE(fullestColumns({first, {900, 40, 50, 20}, {960, 40, 50, 20}}, first, 200), 100.0);
    }

    void aFirstBoxThatIsTooWideBeginsAtItsLeft()
    {
        const QRectF first(100, 0, 500, 20);
        QCOMPARE(fullestColumns({first, {0, 40, 50, 20}}, first, 200), 100.0);
    }
};

PIPESCOPE_TEST(TestStartView)
#include "tst_start_view.moc"
