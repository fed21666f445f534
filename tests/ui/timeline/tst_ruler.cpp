#include "timeline/ruler.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::timeline;

namespace {

QString textsOf(const Ruler &ruler)
{
    QStringList texts;
    for (const Tick &tick : ruler.ticks)
        texts << QString::fromStdString(tick.text);
    return texts.join(", ");
}

} // namespace

class TestRuler : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void ticksStandAtRoundTimes_data()
    {
        QTest::addColumn<double>("begin");
        QTest::addColumn<double>("span");
        QTest::addColumn<QString>("texts");
        QTest::newRow("seconds") << 0.0 << 5e9 << "0 s, 1 s, 2 s, 3 s, 4 s, 5 s";
        QTest::newRow("milliseconds") << 0.0 << 100e6 << "0 ms, 20 ms, 40 ms, 60 ms, 80 ms, 100 ms";
        QTest::newRow("fractions") << 0.0 << 2.4e6 << "0.0 ms, 0.5 ms, 1.0 ms, 1.5 ms, 2.0 ms";
        QTest::newRow("microseconds") << 5e3 << 40e3 << "10 µs, 20 µs, 30 µs, 40 µs";
        QTest::newRow("nanoseconds") << 0.0 << 100.0 << "0 ns, 20 ns, 40 ns, 60 ns, 80 ns, 100 ns";
        QTest::newRow("before the start") << -15e6 << 30e6 << "−10 ms, 0 ms, 10 ms";
    }
    void ticksStandAtRoundTimes()
    {
        QFETCH(double, begin);
        QFETCH(double, span);
        const Ruler ruler = rulerOf({begin, span, 500}, 90);
        QTEST(textsOf(ruler), "texts");
        QVERIFY(ruler.origin.empty());
    }

    void farFromTheStartTicksCountFromAnOrigin()
    {
        const Ruler ruler = rulerOf({123'456'700, 500, 500}, 90);
        QCOMPARE(QString::fromStdString(ruler.origin), QString("from 123.456 ms"));
        QCOMPARE(textsOf(ruler), QString("+0.7 µs, +0.8 µs, +0.9 µs, +1.0 µs, +1.1 µs, +1.2 µs"));
        QCOMPARE(ruler.ticks.front().ns, 123'456'700.0);
    }

    void ticksAreNeverNearerThanAsked()
    {
        for (double span = 100; span < 1e12; span *= 1.7)
            for (double begin = 0; begin < 1e12; begin = begin * 40 + 777) {
                const Ruler ruler = rulerOf({begin, span, 1000}, 90);
                QVERIFY(ruler.ticks.size() <= 12 && ruler.ticks.size() >= 3);
                for (std::size_t i = 1; i < ruler.ticks.size(); ++i) {
                    QVERIFY(ruler.ticks[i].pixel - ruler.ticks[i - 1].pixel > 89);
                    QVERIFY(ruler.ticks[i].text != ruler.ticks[i - 1].text);
                }
            }
    }
};

PIPESCOPE_TEST(TestRuler)
#include "tst_ruler.moc"
