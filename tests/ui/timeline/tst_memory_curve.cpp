#include "timeline/memory_curve.h"

#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>
#include <random>

using pipescope::timeline::Coordinates;
using pipescope::timeline::MemoryCurve;

class TestMemoryCurve : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { pipescope::tests::failOnWarnings(); }

    void whatIsHeldStaysUntilTheNextSample()
    {
        const MemoryCurve curve({{100, 7}, {200, 3}, {300, -5}});
        QCOMPARE(curve.at(50), std::int64_t{0});
        QCOMPARE(curve.at(100), std::int64_t{7});
        QCOMPARE(curve.at(199), std::int64_t{7});
        QCOMPARE(curve.at(1e9), std::int64_t{0});
        QCOMPARE(curve.peakBytes(), std::int64_t{7});
        QCOMPARE(curve.mostBetween(150, 250), std::int64_t{7});
        QCOMPARE(curve.mostBetween(210, 250), std::int64_t{3});
    }

    void anEmptyCurveHoldsNothing()
    {
        const MemoryCurve curve;
        QVERIFY(curve.isEmpty());
        QCOMPARE(curve.peakBytes(), std::int64_t{0});
        QCOMPARE(curve.columns({0, 10, 3}), std::vector<std::int64_t>(3));
    }

    void aColumnShowsTheMostOfItsTime()
    {
        std::mt19937 random(3);
        std::vector<MemoryCurve::Sample> samples;
        for (int i = 0; i < 3000; ++i)
            samples.push_back(
                {static_cast<std::int64_t>(random() % 100'000), static_cast<std::int64_t>(random() % 1000)});
        const MemoryCurve curve(samples);
        std::stable_sort(samples.begin(), samples.end(),
                         [](const auto &a, const auto &b) { return a.timeNs < b.timeNs; });
        for (const Coordinates &seen : {Coordinates{0, 100'000, 64}, Coordinates{20'000, 500, 100}}) {
            const std::vector<std::int64_t> columns = curve.columns(seen);
            QCOMPARE(columns.size(), static_cast<std::size_t>(seen.width));
            for (std::size_t x = 0; x < columns.size(); ++x) {
                std::int64_t most = 0;
                for (const auto &sample : samples) {
                    const auto time = static_cast<double>(sample.timeNs);
                    if (time <= seen.toTime(static_cast<double>(x)))
                        most = sample.bytes;
                    else if (time <= seen.toTime(static_cast<double>(x + 1)))
                        most = std::max(most, sample.bytes);
                }
                QCOMPARE(columns[x], most);
            }
        }
    }
};

PIPESCOPE_TEST(TestMemoryCurve)
#include "tst_memory_curve.moc"
