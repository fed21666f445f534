#include "tensor/memory_watch.h"

#include <ATen/Functions.h>
#include <algorithm>
#include <c10/core/Allocator.h>
#include <thread>

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::tensor;

namespace {

constexpr std::int64_t MiB = 1 << 20;

at::Tensor megabytes(std::int64_t count)
{
    return at::empty({count * MiB}, at::TensorOptions(at::kByte));
}

} // namespace

class TestMemoryWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void allocationsAndFreesOfTheThreadAreCounted()
    {
        const MemoryLedger ledger(1);
        const MemoryWatch watch(ledger, RankId{0});
        at::Tensor first = megabytes(4);
        const at::Tensor second = megabytes(1);
        QCOMPARE(ledger.bytes(RankId{0}), 5 * MiB);
        first.reset();
        QCOMPARE(ledger.bytes(RankId{0}), MiB);
        QCOMPARE(ledger.peakBytes(RankId{0}), 5 * MiB);
    }

    void nothingIsCountedOutsideAWatch()
    {
        const MemoryLedger ledger(1);
        {
            const MemoryWatch watch(ledger, RankId{0});
        }
        const at::Tensor tensor = megabytes(1);
        QCOMPARE(ledger.bytes(RankId{0}), std::int64_t(0));
    }

    void aBlockBelongsToTheRankThatAllocatedIt()
    {
        const MemoryLedger ledger(2);
        at::Tensor sent;
        std::thread([&] {
            const MemoryWatch watch(ledger, RankId{0});
            sent = megabytes(3);
        }).join();
        std::thread([&] {
            const MemoryWatch watch(ledger, RankId{1});
            const at::Tensor own = megabytes(2);
            QCOMPARE(ledger.bytes(RankId{0}), 3 * MiB);
            sent.reset();
            QCOMPARE(ledger.bytes(RankId{0}), std::int64_t(0));
            QCOMPARE(ledger.bytes(RankId{1}), 2 * MiB);
        }).join();
        QCOMPARE(ledger.bytes(RankId{1}), std::int64_t(0));
        QCOMPARE(ledger.peakBytes(RankId{1}), 2 * MiB);
    }

    void aThreadCanBeWatchedForNobody()
    {
        const MemoryLedger ledger(1);
        at::Tensor before;
        {
            const MemoryWatch nobody(ledger, RankId{});
            before = megabytes(2);
        }
        const MemoryWatch watch(ledger, RankId{0});
        before.reset();
        QCOMPARE(ledger.bytes(RankId{0}), std::int64_t(0));
        QCOMPARE(ledger.peakBytes(RankId{0}), std::int64_t(0));
    }

    void anUnseenFreeIsNoticedWhenTheAddressIsUsedAgain()
    {
        const MemoryLedger ledger(2);
        int block = 0;
        const auto report = [&](RankId rank, std::int64_t bytes) {
            const MemoryWatch watch(ledger, rank);
            c10::reportMemoryUsageToProfiler(&block, bytes, 0, 0, at::Device(at::kCPU));
        };
        report(RankId{0}, 1000);
        report(RankId{1}, 300);
        QCOMPARE(ledger.bytes(RankId{0}), std::int64_t(0));
        QCOMPARE(ledger.bytes(RankId{1}), std::int64_t(300));
        report(RankId{}, 200);
        QCOMPARE(ledger.bytes(RankId{1}), std::int64_t(0));
        report(RankId{0}, -200);
        QCOMPARE(ledger.bytes(RankId{0}), std::int64_t(0));
    }

    void samplesEndWithTheExactValueAndShowThePeak()
    {
        MemoryLedger ledger(1);
        const auto origin = std::chrono::steady_clock::now();
        const MemoryWatch watch(ledger, RankId{0});
        at::Tensor kept = megabytes(1);
        for (int i = 0; i < 1000; ++i)
            const at::Tensor passing = at::empty({MiB}, at::TensorOptions(at::kByte));
        const std::vector<trace::MemorySample> samples = ledger.drain(origin);
        QVERIFY(!samples.empty());
        QCOMPARE(samples.back().bytes, MiB);
        const auto largest = std::max_element(samples.begin(), samples.end(),
                                              [](const auto &a, const auto &b) { return a.bytes < b.bytes; });
        QCOMPARE(largest->bytes, 2 * MiB);
        QVERIFY(std::is_sorted(samples.begin(), samples.end(),
                               [](const auto &a, const auto &b) { return a.timeNs < b.timeNs; }));
        QVERIFY(samples.front().timeNs >= 0);
        QVERIFY(ledger.drain(origin).empty());
    }

    void samplesAreFewerThanOneIn20Microseconds()
    {
        MemoryLedger ledger(1);
        const auto origin = std::chrono::steady_clock::now();
        const MemoryWatch watch(ledger, RankId{0});
        for (int i = 0; i < 20000; ++i)
            const at::Tensor passing = at::empty({64}, at::TensorOptions(at::kByte));
        const std::vector<trace::MemorySample> samples = ledger.drain(origin);
        const std::int64_t microseconds = samples.back().timeNs / 1000;
        QVERIFY(static_cast<std::int64_t>(samples.size()) <= microseconds / 20 + 3);
    }

    void forgettingStartsAfresh()
    {
        MemoryLedger ledger(1);
        const MemoryWatch watch(ledger, RankId{0});
        at::Tensor tensor = megabytes(1);
        ledger.forget();
        QCOMPARE(ledger.bytes(RankId{0}), std::int64_t(0));
        QCOMPARE(ledger.peakBytes(RankId{0}), std::int64_t(0));
        tensor.reset();
        QCOMPARE(ledger.bytes(RankId{0}), std::int64_t(0));
        QVERIFY(ledger.drain(std::chrono::steady_clock::now()).empty());
    }

    void manyThreadsKeepTheBooksRight()
    {
        constexpr int ranks = 4;
        const MemoryLedger ledger(ranks);
        std::vector<at::Tensor> handedOver(ranks * 100);
        std::vector<std::thread> threads;
        for (int rank = 0; rank < ranks; ++rank)
            threads.emplace_back([&, rank] {
                const MemoryWatch watch(ledger, RankId{rank});
                for (int i = 0; i < 100; ++i)
                    handedOver[static_cast<std::size_t>(rank * 100 + i)] =
                        at::empty({1000}, at::TensorOptions(at::kByte));
            });
        for (std::thread &thread : threads)
            thread.join();
        for (int rank = 0; rank < ranks; ++rank)
            QCOMPARE(ledger.bytes(RankId{rank}), std::int64_t(100 * 1000));
        const MemoryWatch watch(ledger, RankId{0});
        handedOver.clear();
        for (int rank = 0; rank < ranks; ++rank)
            QCOMPARE(ledger.bytes(RankId{rank}), std::int64_t(0));
    }
};

PIPESCOPE_TEST(TestMemoryWatch)
#include "tst_memory_watch.moc"
