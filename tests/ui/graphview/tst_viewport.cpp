#include "graphview/viewport.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using pipescope::graphview::Viewport;

namespace {

/// With a map in the lower right corner.
Viewport covered()
{
    Viewport view;
    view.setSize({448, 248});
    view.setCovered({324, 152, 112, 84});
    return view;
}

} // namespace

class TestViewport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { pipescope::tests::failOnWarnings(); }

    void screenAndSceneAreEachOthersInverse()
    {
        Viewport view;
        view.setSize({400, 200});
        view.zoomAt({100, 50}, 2);
        view.panBy({-30, 12});
        QCOMPARE(view.toScreen(view.toScene({37, 91})), QPointF(37, 91));
        QCOMPARE(view.visible().size(), QSizeF(200, 100));
    }

    void zoomingKeepsThePointUnderThePointer()
    {
        Viewport view;
        const QPointF scene = view.toScene({100, 50});
        view.zoomAt({100, 50}, 1.7);
        QVERIFY((view.toScreen(scene) - QPointF(100, 50)).manhattanLength() < 1e-9);
    }

    void zoomHasItsLimits()
    {
        Viewport view;
        view.zoomAt({0, 0}, 1e9);
        QCOMPARE(view.zoom(), Viewport::MostZoom);
        view.zoomAt({0, 0}, 1e-14);
        QCOMPARE(view.zoom(), Viewport::LeastZoom);
    }

    void fittingShowsAllInTheMiddleAndEnlargesNothing()
    {
        Viewport view;
        view.setSize({448, 248});
        view.fit({0, 0, 800, 100});
        QCOMPARE(view.zoom(), 0.5);
        QCOMPARE(view.toScreen(QPointF(400, 50)), QPointF(224, 124));
        view.fit({0, 0, 10, 10});
        QCOMPARE(view.zoom(), 1.0);
    }

    void aLongSceneStartsAtItsTopAndReadable()
    {
        Viewport view;
        view.setSize({448, 248});
        view.showStart({0, 0, 400, 10'000});
        QCOMPARE(view.zoom(), 1.0);
        QCOMPARE(view.toScreen(QPointF(200, 0)), QPointF(224, 24));
        view.showStart({0, 0, 4000, 10'000});
        QCOMPARE(view.zoom(), 0.8);
    }

    void beginsAtTheLeftWithAMargin()
    {
        Viewport view;
        view.setSize({448, 248});
        view.zoomAt({0, 0}, 2);
        QCOMPARE(view.columnsSeen(24), 200.0);
        view.beginAt(100, 24);
        QCOMPARE(view.toScreen(QPointF(100, 0)), QPointF(24, 0));
    }

    void revealingMovesNoMoreThanNeeded()
    {
        Viewport view;
        view.setSize({448, 248});
        view.reveal({50, 50, 100, 100});
        QCOMPARE(view.origin(), QPointF(0, 0));
        view.reveal({424, 50, 100, 100});
        QCOMPARE(view.origin(), QPointF(100, 0));
        view.reveal({100, 100, 9000, 9000});
        QCOMPARE(view.origin(), QPointF(76, 76));
    }

    void whatIsBroughtIntoViewStandsClearOfWhatIsOverThePicture()
    {
        QFETCH(QRectF, scene);
        QFETCH(QPointF, origin);
        Viewport view = covered();
        view.reveal(scene);
        QCOMPARE(view.origin(), origin);
    }
    void whatIsBroughtIntoViewStandsClearOfWhatIsOverThePicture_data()
    {
        QTest::addColumn<QRectF>("scene");
        QTest::addColumn<QPointF>("origin");
        QTest::newRow("elsewhere") << QRectF(40, 190, 40, 20) << QPointF(0, 0);
        QTest::newRow("it is less far to above") << QRectF(350, 190, 40, 20) << QPointF(0, 66);
        QTest::newRow("it is less far to the side") << QRectF(320, 200, 40, 20) << QPointF(44, 0);
        QTest::newRow("wide: its left end") << QRectF(24, 190, 9000, 20) << QPointF(0, 66);
        QTest::newRow("high: its upper end") << QRectF(350, 24, 40, 9000) << QPointF(74, 0);
        QTest::newRow("no room beside it") << QRectF(24, 24, 400, 200) << QPointF(0, 0);
        QTest::newRow("from out of sight") << QRectF(350, 1190, 40, 20) << QPointF(74, 986);
    }

    void fittingKeepsClearOfWhatIsOverThePictureWhereThatCostsLittle()
    {
        Viewport view = covered();
        view.fit({0, 0, 800, 400});
        QCOMPARE(view.zoom(), 0.365);
        QCOMPARE(view.toScreen(QPointF(400, 200)), QPointF(170, 124));
        view.fit({0, 0, 800, 100}); // in the middle it is clear
        QCOMPARE(view.toScreen(QPointF(400, 50)), QPointF(224, 124));
        view.setCovered({124, 52, 312, 184}); // nearly all
        view.fit({0, 0, 800, 400});
        QCOMPARE(view.zoom(), 0.5);
    }

    void itMayStandInAnyCorner()
    {
        QFETCH(QRectF, over);
        QFETCH(QRectF, scene);
        QFETCH(QPointF, origin);
        QFETCH(QPointF, middle);
        Viewport view = covered();
        view.setCovered(over);
        view.reveal(scene);
        QCOMPARE(view.origin(), origin);
        view.fit({0, 0, 800, 400});
        QCOMPARE(view.zoom(), 0.365);
        QCOMPARE(view.toScreen(QPointF(400, 200)), middle);
    }
    void itMayStandInAnyCorner_data()
    {
        QTest::addColumn<QRectF>("over");
        QTest::addColumn<QRectF>("scene");
        QTest::addColumn<QPointF>("origin");
        QTest::addColumn<QPointF>("middle");
        QTest::newRow("upper right, to below")
            << QRectF(324, 12, 112, 84) << QRectF(360, 80, 40, 20) << QPointF(0, -24) << QPointF(170, 124);
        QTest::newRow("upper right, to the side")
            << QRectF(324, 12, 112, 84) << QRectF(320, 40, 40, 20) << QPointF(44, 0) << QPointF(170, 124);
        QTest::newRow("upper left, to below")
            << QRectF(12, 12, 112, 84) << QRectF(40, 80, 40, 20) << QPointF(0, -24) << QPointF(278, 124);
        QTest::newRow("lower left, to the side")
            << QRectF(12, 152, 112, 84) << QRectF(100, 170, 40, 20) << QPointF(-32, 0) << QPointF(278, 124);
    }

    void aLongSceneStartsBesideWhatIsOverThePictureWhereItCanBeReadThere()
    {
        Viewport view = covered();
        view.showStart({0, 0, 280, 10'000});
        QCOMPARE(view.zoom(), 1.0);
        QCOMPARE(view.toScreen(QPointF(280, 0)), QPointF(316, 24));
        view.showStart({0, 0, 320, 10'000});
        QCOMPARE(view.zoom(), 0.9125);
        QCOMPARE(view.toScreen(QPointF(320, 0)), QPointF(316, 24));
        view.showStart({0, 0, 100, 10'000}); // in the middle it is clear
        QCOMPARE(view.toScreen(QPointF(50, 0)), QPointF(224, 24));
        view.showStart({0, 0, 400, 10'000}); // would be too small there
        QCOMPARE(view.zoom(), 1.0);
        QCOMPARE(view.toScreen(QPointF(200, 0)), QPointF(224, 24));
        QCOMPARE(view.columnsClear(24), 292.0);
        QCOMPARE(view.columnsClear(220), 204.0); // as much as is seen: less than half of it is clear
    }

    void theSceneIsNeverLost()
    {
        Viewport view;
        view.setSize({400, 200});
        view.panBy({-10'000, 10'000});
        view.keepInSight({0, 0, 300, 300});
        QCOMPARE(view.origin(), QPointF(240, -140));
    }
};

PIPESCOPE_TEST(TestViewport)
#include "tst_viewport.moc"
