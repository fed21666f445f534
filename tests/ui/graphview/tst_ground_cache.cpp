#include "graphview/ground_cache.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QColor>
#include <QImage>
#include <QPainter>
#include <QTest>

using namespace pipescope::graphview;

namespace {

// A scene of squares in a pattern that tells every place from the next.
void drawScene(QPainter &painter, const Viewport &part)
{
    const QRectF seen = part.visible();
    for (int x = static_cast<int>(seen.left() / 10) - 1; x * 10 < seen.right(); ++x) {
        for (int y = static_cast<int>(seen.top() / 10) - 1; y * 10 < seen.bottom(); ++y)
            painter.fillRect(QRectF(part.toScreen(QPointF(x * 10, y * 10)), QSizeF(7, 7)),
                             QColor((x * 37) & 255, (y * 53) & 255, 128));
    }
}

QImage blank(const Viewport &viewport, double ratio)
{
    QImage image((viewport.size() * ratio).toSize(), QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::white);
    return image;
}

QImage shot(GroundCache &cache, const Viewport &viewport, const GroundCache::Draw &draw, double ratio = 1)
{
    QImage image = blank(viewport, ratio);
    QPainter painter(&image);
    cache.paint(painter, viewport, 4, draw);
    return image;
}

} // namespace

class TestGroundCache : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { pipescope::tests::failOnWarnings(); }

    void aPannedPictureIsTheSameAsOneDrawnAnew_data()
    {
        QTest::addColumn<double>("ratio"); // of the screen's pixels
        QTest::newRow("1") << 1.0;
        QTest::newRow("2") << 2.0;
    }

    void aPannedPictureIsTheSameAsOneDrawnAnew()
    {
        QFETCH(const double, ratio);
        GroundCache cache;
        Viewport viewport;
        viewport.setSize({120, 90});
        shot(cache, viewport, drawScene, ratio);
        for (const QPointF by :
             {QPointF(5, 0), QPointF(0, -7), QPointF(-13, 9), QPointF(60, 40), QPointF(500, 0), QPointF(2.5, -1.5)}) {
            viewport.panBy(by);
            GroundCache fresh;
            const QImage panned = shot(cache, viewport, drawScene, ratio);
            QCOMPARE(panned, shot(fresh, viewport, drawScene, ratio));
            QImage direct = blank(viewport, ratio);
            QPainter painter(&direct);
            drawScene(painter, viewport);
            QCOMPARE(panned, direct);
        }
    }

    void whatIsUnderItShowsThrough()
    {
        GroundCache cache;
        Viewport viewport;
        viewport.setSize({120, 90});
        viewport.hold({0, 0}, {0, 0});
        for (int pan = 0; pan < 2; ++pan) {
            QCOMPARE(shot(cache, viewport, drawScene).pixelColor(8, 8), QColor(Qt::white)); // between squares
            viewport.panBy({10, 10});
        }
    }

    void onlyTheBordersAreDrawnWhenItPans()
    {
        GroundCache cache;
        Viewport viewport;
        viewport.setSize({120, 90});
        double drawn = 0;
        const auto draw = [&](QPainter &painter, const Viewport &part) {
            drawn += part.size().width() * part.size().height();
            drawScene(painter, part);
        };
        shot(cache, viewport, draw);
        QVERIFY(drawn >= 120 * 90);
        drawn = 0;
        shot(cache, viewport, draw);
        QCOMPARE(drawn, 0.0);
        viewport.panBy({10, 0});
        shot(cache, viewport, draw);
        QVERIFY(drawn > 0 && drawn < 120 * 90 / 4);
    }

    void anotherZoomOrSizeOrContentIsDrawnAnew()
    {
        GroundCache cache;
        Viewport viewport;
        viewport.setSize({120, 90});
        int calls = 0;
        const auto draw = [&](QPainter & /*painter*/, const Viewport & /*part*/) { ++calls; };
        shot(cache, viewport, draw);
        viewport.zoomAt({60, 45}, 1.5);
        shot(cache, viewport, draw);
        viewport.setSize({100, 90});
        shot(cache, viewport, draw);
        cache.reset();
        shot(cache, viewport, draw);
        QCOMPARE(calls, 4);
        viewport.panBy({0.5, 0}); // no way of whole pixels
        shot(cache, viewport, draw);
        QCOMPARE(calls, 5);
    }
};

PIPESCOPE_WIDGET_TEST(TestGroundCache)
#include "tst_ground_cache.moc"
