#include "inspector/histogram.h"

#include "inspector/bin_table_model.h"
#include "inspector/leaf_facts.h"
#include "known.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"
#include "widgets/export.h"

#include <QAbstractItemModelTester>
#include <QColor>
#include <QImage>
#include <QPainter>
#include <QPalette>
#include <QTest>
#include <QWidget>
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
        Histogram histogram;
        histogram.resize(80, 120);
        histogram.show(bins());
        QImage image(80, 120, QImage::Format_RGB32);
        QPainter painter(&image);
        histogram.draw(painter);
        const QColor bar = histogram.palette().color(QPalette::Link);
        const auto heightAt = [&](int x) {
            int height = 0;
            for (int y = 0; y < image.height(); ++y)
                height += image.pixelColor(x, y) == bar ? 1 : 0;
            return height;
        };
        const int whole = heightAt(70);
        QVERIFY(whole > 80 && whole < 120);
        for (int x = 61; x < 79; ++x)
            QCOMPARE(heightAt(x), whole);
        for (int x = 1; x < 19; ++x)
            QCOMPARE(heightAt(x), 1);
        for (int x = 21; x < 39; ++x)
            QCOMPARE(heightAt(x), 0);
    }

    void theChosenBinStandsOutOnTheScreenOnly()
    {
        Histogram histogram;
        histogram.resize(80, 120);
        histogram.show(bins());
        QTest::mouseClick(&histogram, Qt::LeftButton, {}, QPoint(70, 50));
        QCOMPARE(histogram.grab().toImage().pixelColor(70, 50), histogram.palette().color(QPalette::Text));
        QImage image(80, 120, QImage::Format_RGB32);
        QPainter painter(&image);
        histogram.draw(painter);
        QCOMPARE(image.pixelColor(70, 50), histogram.palette().color(QPalette::Link));
        QTest::keyClick(&histogram, Qt::Key_Escape);
        QCOMPARE(histogram.grab().toImage().pixelColor(70, 50), histogram.palette().color(QPalette::Link));
    }

    void anythingThatATensorHoldsIsPlotted_data()
    {
        QTest::addColumn<double>("smallest");
        QTest::addColumn<double>("largest");
        QTest::newRow("one value") << 3.0 << 3.0;
        QTest::newRow("as far apart as can be")
            << std::numeric_limits<double>::lowest() << std::numeric_limits<double>::max();
        QTest::newRow("as near as can be") << 0.0 << std::numeric_limits<double>::denorm_min();
        QTest::newRow("far from zero") << 1e15 << 1e15 + 1;
    }
    void anythingThatATensorHoldsIsPlotted()
    {
        QFETCH(double, smallest);
        QFETCH(double, largest);
        Histogram histogram;
        histogram.resize(80, 120);
        histogram.show({{5, 5}, smallest, largest});
        const QColor bar = histogram.palette().color(QPalette::Link);
        for (const int x : {10, 30, 50, 70})
            QCOMPARE(histogram.grab().toImage().pixelColor(x, 50), bar);
    }

    void aBinTellsItsRangeAndItsShare()
    {
        QCOMPARE(binText(bins(), 3), QString("1 … 2: 1\u202f000 (100 %)"));
        QCOMPARE(binText(bins(), 0), QString("−2 … −1: 1 (0.1 %)"));
        constexpr double most = std::numeric_limits<double>::max();
        QCOMPARE(binText({{1, 1}, -most, most}, 0), QString("−1.8e+308 … 0: 1 (50 %)"));
    }

    void theBinsAreATableThatProgramsRead()
    {
        BinTableModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        model.show({{1, 0, 12'345}, -2, 1});
        QCOMPARE(widgets::csvOf(model), QString("from,to,count\r\n-2,-1,1\r\n-1,0,0\r\n0,1,12345\r\n"));
        QCOMPARE(model.index(2, BinTableModel::Count).data().toString(), QString("12\u202f345"));
        model.show({{7}, 0.1, 0.1});
        QCOMPARE(widgets::csvOf(model), QString("from,to,count\r\n0.1,0.1,7\r\n"));
    }

    void edgesOfANarrowRangeAreToldApart_data()
    {
        QTest::addColumn<double>("smallest");
        QTest::addColumn<double>("largest");
        QTest::addColumn<QString>("second"); // of 64 bins
        QTest::newRow("wide") << -3.2 << 3.2 << QStringLiteral("−3.1");
        QTest::newRow("narrow") << 1000.0 << 1000.001 << QStringLiteral("1000.000016");
        QTest::newRow("below zero") << -1000.001 << -1000.0 << QStringLiteral("−1000.000984");
        QTest::newRow("from zero") << 0.0 << 6.4e-9 << QStringLiteral("1e−10");
    }
    void edgesOfANarrowRangeAreToldApart()
    {
        QFETCH(double, smallest);
        QFETCH(double, largest);
        const Bins bins{std::vector<std::int64_t>(64, 1), smallest, largest};
        BinTableModel model;
        model.show(bins);
        QTEST(model.index(1, BinTableModel::From).data().toString(), "second");
        for (int row = 0; row < 64; ++row) {
            const QString from = model.index(row, BinTableModel::From).data().toString();
            const QString to = model.index(row, BinTableModel::To).data().toString();
            QVERIFY2(from != to, qPrintable(from));
            if (row > 0)
                QCOMPARE(from, model.index(row - 1, BinTableModel::To).data().toString());
            const QStringList both = binText(bins, static_cast<std::size_t>(row)).section(": ", 0, 0).split(" … ");
            QVERIFY2(both.at(0) != both.at(1), qPrintable(both.join(' ')));
        }
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

PIPESCOPE_WIDGET_TEST(TestHistogram)
#include "tst_histogram.moc"
