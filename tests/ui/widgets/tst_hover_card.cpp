#include "widgets/hover_card.h"

#include "support/qt_warnings.h"
#include "support/recorded_painting.h"
#include "support/test_program.h"

#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <QTest>

using namespace pipescope;
using widgets::hoverCardPlace;

class TestHoverCard : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aCardStandsOnTheSideWithMoreRoomAndCoversNothingOfWhatItIsAbout()
    {
        const QRectF room(100, 28, 800, 400);
        const QRectF top(300, 40, 50, 80);
        const QRectF bottom(300, 330, 50, 80);
        QCOMPARE(hoverCardPlace(room, top, {200, 60}), QRectF(300, 128, 200, 60));
        QCOMPARE(hoverCardPlace(room, bottom, {200, 60}), QRectF(300, 262, 200, 60));
    }

    void aCardStaysWithinTheRoom()
    {
        const QRectF room(100, 28, 800, 400);
        QCOMPARE(hoverCardPlace(room, {880, 40, 20, 80}, {200, 60}).right(), room.right());
        QCOMPARE(hoverCardPlace(room, {880, 40, 20, 80}, {2000, 60}).left(), room.left());
    }

    void aCardThatHasNoRoomBesideIsStillSeenFromItsFirstLine()
    {
        QCOMPARE(hoverCardPlace({100, 28, 800, 100}, {300, 90, 50, 20}, {200, 120}), QRectF(300, 0, 200, 120));
        QCOMPARE(hoverCardPlace({100, 28, 800, 200}, {300, 40, 50, 80}, {200, 150}), QRectF(300, 78, 200, 150));
    }

    void aSentenceThatIsTooLongForALineGoesOnInTheNext()
    {
        const QString cause =
            "waiting for credit: too many microbatches under way until stage 3 had finished microbatch 0";
        tests::RecordingDevice device({400, 300});
        const QFont font;
        const widgets::CardLook look{style::Theme::light(), font, {0, 0, 400, 300}};
        QPainter painter(&device);
        widgets::paintHoverCard(painter, look, "Bubble on rank 0\n" + cause, {200, 60, 20, 20});
        painter.end();
        const QStringList written = device.painting.written().split('\n', Qt::SkipEmptyParts);
        QVERIFY(written.size() > 2);
        QCOMPARE(written.mid(1).join(' '), cause);
        const QRectF card = device.painting.filled(style::Theme::light().colour(style::Token::Panel)).at(0);
        for (const tests::PaintedText &text : device.painting.texts) {
            QVERIFY(card.contains(text.at));
            QVERIFY(text.at.x() + QFontMetricsF(QFont()).horizontalAdvance(text.text) <= card.right());
        }
    }
};

PIPESCOPE_WIDGET_TEST(TestHoverCard)
#include "tst_hover_card.moc"
