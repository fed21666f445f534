#include "exec/keyed_random.h"

#include "support/test_program.h"
#include <ATen/ATen.h>

#include <QTest>
#include <atomic>
#include <set>
#include <thread>

using namespace pipescope;
using namespace pipescope::exec;

class TestKeyedRandom : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aKeyDependsOnSeedNodeAndMicrobatch()
    {
        std::set<std::uint32_t> low; // the generator takes 32 bits
        for (const std::uint64_t seed : {0ULL, 1ULL, 1ULL << 40})
            for (const char *node : {"", "a", "b", "fc/aten::dropout", "fc/aten::dropout#1"})
                for (int microbatch = -1; microbatch < 20; ++microbatch)
                    low.insert(static_cast<std::uint32_t>(randomKey(seed, node, MicrobatchId{microbatch})));
        QCOMPARE(low.size(), std::size_t(3 * 5 * 21));
    }

    void aKeyIsTheSameInEveryVersion()
    {
        QCOMPARE(randomKey(0, "", MicrobatchId{0}), std::uint64_t(0xa6bbc8dcbe30928cULL));
        QCOMPARE(randomKey(7, "fc/aten::dropout", MicrobatchId{3}), std::uint64_t(0x327681af1fdcd856ULL));
    }

    void theGeneratorIsPutBack()
    {
        at::manual_seed(5);
        const at::Tensor expected = at::rand({4});
        at::manual_seed(5);
        at::Tensor first;
        {
            KeyedRandom random;
            random.begin(1);
            first = at::rand({4});
            random.begin(2); // ends the one before
            QVERIFY(!at::rand({4}).equal(first));
            random.begin(1);
            QVERIFY(at::rand({4}).equal(first));
        }
        QVERIFY(at::rand({4}).equal(expected));
    }

    void threadsTakeTurns()
    {
        KeyedRandom alone;
        alone.begin(9);
        const at::Tensor expected = at::rand({64});
        alone.end();
        std::atomic<int> wrong{0};
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&] {
                for (int i = 0; i < 200; ++i) {
                    KeyedRandom random;
                    random.begin(9);
                    wrong += at::rand({64}).equal(expected) ? 0 : 1;
                }
            });
        threads.clear();
        QCOMPARE(wrong.load(), 0);
    }
};

PIPESCOPE_TEST(TestKeyedRandom)
#include "tst_keyed_random.moc"
