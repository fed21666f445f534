#include "inspector/histogram.h"

#include "inspector/leaf_facts.h"
#include "known.h"
#include "support/qt_warnings.h"

#include <QPainter>
#include <QtTest>
#include <limits>

using namespace pipescope;
using namespace pipescope::inspector;

namespace {

Bins bins()
{
    return {{1, 0, 4, 1000}, -2, 2};
}

} // namespace

class TestHistogram : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void barsShareTheWidthAndRareOnesAreStillSeen()
    {
        const QSizeF size(80, 120);
        QCOMPARE(barOf(bins(), 3, size, 20), QRectF(60, 0, 19, 100));
        QCOMPARE(barOf(bins(), 0, size, 20), QRectF(0, 99, 19, 1));
        QCOMPARE(barOf(bins(), 1, size, 20).height(), 0.0);
    }

    void aBinTellsItsRangeAndItsShare()
    {
        QCOMPARE(binText(bins(), 3), QString("1 … 2: 1\u202f000 (100 %)"));
        QCOMPARE(binText(bins(), 0), QString("−2 … −1: 1 (0.1 %)"));
    }

    void theArrowKeysGoFromBinToBin()
    {
        Histogram histogram;
        histogram.resize(80, 100);
        histogram.show(bins());
        histogram.QWidget::show();
        QVERIFY2(histogram.accessibleDescription().startsWith("4 bins from −2 to 2"),
                 qPrintable(histogram.accessibleDescription()));
        QTest::keyClick(&histogram, Qt::Key_Left);
        QCOMPARE(histogram.accessibleDescription(), binText(bins(), 3));
        QTest::keyClick(&histogram, Qt::Key_Right);
        QCOMPARE(histogram.accessibleDescription(), binText(bins(), 3));
        QTest::mouseClick(&histogram, Qt::LeftButton, {}, QPoint(5, 50));
        QCOMPARE(histogram.accessibleDescription(), binText(bins(), 0));
    }

    void itIsDrawnElsewhereAsOnTheScreen()
    {
        Histogram histogram;
        QVERIFY(histogram.drawnSize().isEmpty());
        histogram.resize(80, 100);
        histogram.show(bins());
        QCOMPARE(histogram.drawnSize(), QSizeF(80, 100));
        QImage image(80, 100, QImage::Format_RGB32);
        QPainter painter(&image);
        histogram.draw(painter);
        QCOMPARE(image.pixelColor(70, 10), histogram.palette().color(QPalette::Link));
        QCOMPARE(image.pixelColor(10, 10), histogram.palette().color(QPalette::Window));
    }

    void theNumbersOfATensorAreFacts()
    {
        report::LeafStatistics leaf;
        leaf.dtype = "float32";
        leaf.sizes = {2, 3};
        leaf.bytes = 24;
        leaf.count = 6;
        leaf.zeros = 3;
        leaf.nans = 1;
        leaf.mean = 0.00210049;
        leaf.deviation = 0.731;
        leaf.smallest = -3.91;
        leaf.largest = 4.02;
        leaf.histogram = {1, 2, 2};
        FactSheet sheet;
        sheet.facts = leafFacts(leaf);
        QCOMPARE(tests::fact(sheet, "shape"), QString("float32[2, 3]"));
        QCOMPARE(tests::fact(sheet, "mean"), QString("0.0021"));
        QCOMPARE(tests::fact(sheet, "range"), QString("−3.91 … 4.02"));
        QCOMPARE(tests::fact(sheet, "NaN, Inf"), QString("1, 0"));
        QCOMPARE(tests::fact(sheet, "zeros"), QString("3 (50 %)"));
        QCOMPARE(binsOf(leaf), (Bins{{1, 2, 2}, -3.91, 4.02}));
        leaf.smallest.reset();
        QCOMPARE(binsOf(leaf), Bins());
    }
};

QTEST_MAIN(TestHistogram)
#include "tst_histogram.moc"
