#include "timeline/lanes_cache.h"

#include "support/qt_warnings.h"

#include <QtTest>

using namespace pipescope;
using timeline::LanesCache;

namespace {

LanesCache::Key keyOf(double beginNs, double ratio = 1)
{
    LanesCache::Key key;
    key.seen = {beginNs, 1000, 100};
    key.geometry.width = 244;
    key.geometry.height = 80;
    key.devicePixelRatio = ratio;
    return key;
}

} // namespace

class TestLanesCache : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void whatWasPaintedIsPaintedOnce()
    {
        LanesCache cache;
        int painted = 0;
        const auto paint = [&](QPixmap &pixmap) {
            pixmap.fill(Qt::black);
            ++painted;
        };
        for (const double begin : {0, 10, 0, 10, 20, 0, 10})
            QCOMPARE(cache.lanes(keyOf(begin), paint).size(), QSize(244, 80));
        QCOMPARE(painted, 3);
        cache.lanes(keyOf(30), paint); // in place of the one that was not asked for longest
        cache.lanes(keyOf(0), paint);
        cache.lanes(keyOf(20), paint);
        QCOMPARE(painted, 5);
    }

    void anotherResolutionOrAClearedCacheIsPaintedAnew()
    {
        LanesCache cache;
        int painted = 0;
        const auto paint = [&](QPixmap &pixmap) {
            pixmap.fill(Qt::black);
            ++painted;
        };
        cache.lanes(keyOf(0), paint);
        QCOMPARE(cache.lanes(keyOf(0, 2), paint).size(), QSize(488, 160));
        cache.clear();
        cache.lanes(keyOf(0), paint);
        QCOMPARE(painted, 3);
    }
};

QTEST_MAIN(TestLanesCache)
#include "tst_lanes_cache.moc"
