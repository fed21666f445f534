#include "tensor/large_blocks.h"

#include "base/resident_memory.h"
#include "support/test_program.h"
#include "tensor/memory_watch.h"

#include <ATen/ATen.h>
#include <QTest>
#include <atomic>
#include <c10/core/CPUAllocator.h>
#include <thread>
#include <vector>

using namespace pipescope;
using namespace pipescope::tensor;

namespace {

constexpr std::int64_t BytesOfMiB = 1 << 20;

at::Tensor bytesOf(std::int64_t mebibytes)
{
    return at::full({mebibytes * BytesOfMiB}, 7, at::kByte);
}

} // namespace

class TestLargeBlocks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        mapLargeBlocks();
        mapLargeBlocks(); // once more changes nothing
    }

    void memoryDoesNotFollowTheNumberOfSmallTensorsThatStay()
    {
        bytesOf(8);
        const std::int64_t before = residentMemory();
        if (before == 0)
            QSKIP("the system does not tell how much memory is resident");
        std::vector<at::Tensor> small;
        {
            std::vector<at::Tensor> large;
            for (int i = 0; i < 40; ++i) {
                large.push_back(bytesOf(8));
                small.push_back(at::ones({1000}));
            }
            QVERIFY(residentMemory() - before > 300 * BytesOfMiB);
        }
        const std::int64_t after = residentMemory();
        QVERIFY2(after - before < static_cast<std::int64_t>(MostKeptBytes) + 16 * BytesOfMiB,
                 qPrintable(QString::number(after - before)));
    }

    void aBlockThatIsFreeIsTheNextOfItsSize()
    {
        const void *first = nullptr;
        {
            const at::Tensor one = bytesOf(5);
            first = one.data_ptr();
        }
        const std::size_t kept = keptBytes();
        QVERIFY(kept >= std::size_t(5 * BytesOfMiB));
        const at::Tensor next = at::empty({5 * BytesOfMiB - 1000}, at::kByte);
        QCOMPARE(static_cast<const void *>(next.data_ptr()), first);
        QVERIFY(keptBytes() <= kept - std::size_t(5 * BytesOfMiB));
        const at::Tensor other = at::empty({3 * BytesOfMiB}, at::kByte);
        QVERIFY(other.data_ptr() != first);
    }

    void noMoreIsKeptThanIsSaid()
    {
        {
            std::vector<at::Tensor> many;
            for (int i = 0; i < 30; ++i)
                many.push_back(at::empty({16 * BytesOfMiB}, at::kByte));
        }
        QVERIFY2(keptBytes() <= MostKeptBytes, qPrintable(QString::number(keptBytes())));
        const std::size_t kept = keptBytes();
        at::empty({64 * BytesOfMiB}, at::kByte); // too long to be kept
        QCOMPARE(keptBytes(), kept);
    }

    void whatIsKeptCanBeGivenBack()
    {
        const at::Tensor inUse = bytesOf(5);
        bytesOf(16);
        QVERIFY(keptBytes() >= std::size_t(16 * BytesOfMiB));
        const std::int64_t before = residentMemory();
        giveBackKeptBytes();
        QCOMPARE(keptBytes(), std::size_t(0));
        QVERIFY(before == 0 || before - residentMemory() > 15 * BytesOfMiB);
        QCOMPARE(inUse[0].item<int>(), 7); // which stays
    }

    void allocationsAreReportedAsBefore()
    {
        MemoryLedger ledger(1);
        const MemoryWatch watch(ledger, RankId{0});
        at::Tensor large = at::empty({8 * BytesOfMiB}, at::kByte);
        QCOMPARE(ledger.bytes(RankId{0}), 8 * BytesOfMiB);
        at::Tensor small = at::empty({1024}, at::kByte);
        QCOMPARE(ledger.bytes(RankId{0}), 8 * BytesOfMiB + 1024);
        large.reset();
        QCOMPARE(ledger.bytes(RankId{0}), 1024);
        small.reset();
        QCOMPARE(ledger.bytes(RankId{0}), 0);
    }

    void rawBlocksOfAnySizeAreFreedToo()
    {
        c10::Allocator &allocator = *c10::GetCPUAllocator();
        for (const std::size_t bytes : {std::size_t(100), std::size_t(2 * BytesOfMiB)}) {
            void *const memory = allocator.raw_allocate(bytes);
            QVERIFY(memory != nullptr);
            allocator.raw_deallocate(memory);
        }
    }

    void moreThanTheMachineHasIsLibTorchsError()
    {
        QVERIFY_THROWS_EXCEPTION(c10::Error, at::empty({std::int64_t(1) << 50}, at::kByte));
    }

    void threadsTakeAndGiveAtOnce()
    {
        std::vector<std::jthread> threads;
        std::atomic<int> wrong = 0;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&wrong, t] {
                for (int i = 0; i < 100; ++i) {
                    const at::Tensor mine = at::full({2 * BytesOfMiB}, t * 10 + i % 7, at::kByte);
                    wrong += mine[0].item<int>() != t * 10 + i % 7 || mine[-1].item<int>() != t * 10 + i % 7 ? 1 : 0;
                }
            });
        threads.clear();
        QCOMPARE(wrong.load(), 0);
    }
};

PIPESCOPE_TEST(TestLargeBlocks)
#include "tst_large_blocks.moc"
