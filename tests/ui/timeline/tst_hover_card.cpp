#include "timeline/hover_card.h"

#include "support/qt_warnings.h"

#include <QtTest>

using pipescope::timeline::hoverCardPlace;

class TestHoverCard : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { pipescope::tests::failOnWarnings(); }

    void aCardStandsOnTheSideWithMoreRoomAndCoversNothingOfWhatItIsAbout()
    {
        const QRectF axis(100, 28, 800, 400);
        const QRectF top(300, 40, 50, 80);
        const QRectF bottom(300, 330, 50, 80);
        QCOMPARE(hoverCardPlace(axis, top, {200, 60}), QRectF(300, 128, 200, 60));
        QCOMPARE(hoverCardPlace(axis, bottom, {200, 60}), QRectF(300, 262, 200, 60));
    }

    void aCardStaysWithinTheAxis()
    {
        const QRectF axis(100, 28, 800, 400);
        QCOMPARE(hoverCardPlace(axis, {880, 40, 20, 80}, {200, 60}).right(), axis.right());
        QCOMPARE(hoverCardPlace(axis, {880, 40, 20, 80}, {2000, 60}).left(), axis.left());
    }
};

QTEST_GUILESS_MAIN(TestHoverCard)
#include "tst_hover_card.moc"
