#include "dtensor/collectives.h"

#include "core/dtensor/on_ranks.h"

#include "support/test_program.h"

#include <QTest>
#include <atomic>
#include <stdexcept>
#include <thread>

using namespace pipescope;
using namespace pipescope::dtensor;
using namespace pipescope::tests;
using shard::ReduceOp;
using shard::Sizes;

namespace {

constexpr const char *Advice = "; ranks that share collectives must call the same ones in the same order";

// Rank 2 of three asks for something else than the others.
Error errorOf(const CollectiveRequest &most, const CollectiveRequest &odd)
{
    return errorOnRanks(3, [&](const RankContext &self) -> Result<at::Tensor> {
        if (auto before = self.run(self.everyone(), barrier()); !before)
            return before.error();
        return self.run(self.everyone(), self.rank.value == 2 ? odd : most);
    });
}

} // namespace

class TestCollectiveFaults : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranksThatCallDifferentCollectivesEndInAnError_data()
    {
        QTest::addColumn<int>("row");
        const char *names[] = {"kind", "operation", "dtype", "sizes", "dimension", "pieces", "root", "device"};
        for (int row = 0; row < 8; ++row)
            QTest::newRow(names[row]) << row;
    }
    void ranksThatCallDifferentCollectivesEndInAnError()
    {
        struct Pair
        {
            CollectiveRequest most;
            CollectiveRequest odd;
            std::string mostText;
            std::string oddText;
        };
        const at::Tensor x = at::ones({3, 4});
        const std::string summed = "all_reduce(sum) of float32[3, 4]";
        const std::vector<Pair> pairs{
            {allReduce(x, ReduceOp::Sum), barrier(), summed, "barrier"},
            {allReduce(x, ReduceOp::Sum), allReduce(x, ReduceOp::Max), summed, "all_reduce(max) of float32[3, 4]"},
            {allReduce(x, ReduceOp::Sum), allReduce(x.to(at::kHalf), ReduceOp::Sum), summed,
             "all_reduce(sum) of float16[3, 4]"},
            {allGather(x, 0), allGather(at::ones({3, 5}), 0), "all_gather of float32[3, 4] along dimension 0",
             "all_gather of float32[3, 5] along dimension 0"},
            {allGather(x, 0), allGather(x, 1), "all_gather of float32[3, 4] along dimension 0",
             "all_gather of float32[3, 4] along dimension 1"},
            {scatter(x, 0, RankId{0}), scatter(x, 0, RankId{0}, Sizes{0, 0, 3}),
             "scatter of float32[3, 4] along dimension 0 in pieces of 1, 1, 1 from rank 0",
             "scatter of float32[3, 4] along dimension 0 in pieces of 0, 0, 3 from rank 0"},
            {broadcast(x, RankId{0}), broadcast(x, RankId{2}), "broadcast of float32[3, 4] from rank 0",
             "broadcast of float32[3, 4] from rank 2"},
            {broadcast(x, RankId{0}), broadcast(at::empty({3, 4}, at::TensorOptions(at::kMeta)), RankId{0}),
             "broadcast of float32[3, 4] from rank 0", "broadcast of float32[3, 4] on meta from rank 0"},
        };
        QFETCH(const int, row);
        const Pair &pair = pairs[static_cast<std::size_t>(row)];
        const Error error = errorOf(pair.most, pair.odd);
        QCOMPARE(error.message, "rank 2 called " + pair.oddText + " as its collective 2, where ranks 0 and 1 called " +
                                    pair.mostText + Advice);
        QCOMPARE(error.code, ErrorCode::InvalidArgument);
        QCOMPARE(error.where, std::string("rank 2"));
    }

    void linesInAnotherOrderEndInAnError()
    {
        const Error error = errorOnRanks(4, [](const RankContext &self) -> Result<at::Tensor> {
            const at::Tensor x = at::ones({2});
            const comm::Line row = self.rank.value < 2 ? lineOf({0, 1}) : lineOf({2, 3});
            const bool rowFirst = self.rank.value != 3;
            if (auto done = self.run(rowFirst ? row : self.everyone(), allReduce(x, ReduceOp::Sum)); !done)
                return done.error();
            return self.run(rowFirst ? self.everyone() : row, allReduce(x, ReduceOp::Sum));
        });
        QCOMPARE(
            error.message,
            std::string("rank 2 waits in its collective 1, all_reduce(sum) of float32[2] on ranks [2, 3], for rank "
                        "3, which waits in its collective 1, all_reduce(sum) of float32[2] on ranks [0, 1, 2, 3]") +
                Advice);
        QCOMPARE(error.code, ErrorCode::Deadlock);
    }

    void aRankThatLeavesEndsTheOthers()
    {
        const Error error = errorOnRanks(3, [](const RankContext &self) -> Result<at::Tensor> {
            for (int i = 0; i < 3; ++i) {
                if (self.rank.value == 1 && i == 2)
                    return at::Tensor();
                if (auto done = self.run(self.everyone(), allReduce(at::ones({2}), ReduceOp::Sum)); !done)
                    return done.error();
            }
            return at::Tensor();
        });
        QCOMPARE(error.message, std::string("rank 0 waits in its collective 3, all_reduce(sum) of float32[2] on ranks "
                                            "[0, 1, 2], for rank 1, which has ended after 2 collectives") +
                                    Advice);
        QCOMPARE(error.code, ErrorCode::Deadlock);
    }

    void aRankThatThrowsEndsTheOthersAndIsNamed()
    {
        std::atomic<int> letGo = 0;
        const Error error = errorOnRanks(4, [&letGo](const RankContext &self) -> Result<at::Tensor> {
            if (self.rank.value == 2)
                throw std::runtime_error("no more wood");
            auto result = self.run(self.everyone(), barrier());
            letGo += result ? 0 : 1;
            return result;
        });
        QCOMPARE(error.message, std::string("rank 2: no more wood"));
        QCOMPARE(error.code, ErrorCode::ModelFailed);
        QCOMPARE(letGo.load(), 3);
    }

    void anErrorOfLibTorchIsShort()
    {
        const Error error = errorOnRanks(2, [](const RankContext &self) -> Result<at::Tensor> {
            if (self.rank.value == 1)
                at::mm(at::ones({2, 3}), at::ones({4, 5}));
            return self.run(self.everyone(), barrier());
        });
        QVERIFY2(error.message.starts_with("rank 1: ") &&
                     error.message.ends_with("mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"),
                 error.message.c_str());
    }

    void aRankThatThrowsWhileItsTensorsAreReadEndsAll()
    {
        const Error error = errorOnRanks(2, [](const RankContext &self) -> Result<at::Tensor> {
            const auto pending = self.begin(self.everyone(), allReduce(at::ones({1 << 20}), ReduceOp::Sum));
            if (self.rank.value == 1)
                throw std::runtime_error("gone");
            return self.run(self.everyone(), barrier());
        });
        QCOMPARE(error.message, std::string("rank 1: gone"));
    }

    void aRequestThatIsRefusedEndsItsRankFirst()
    {
        const Error error = errorOnRanks(2, [](const RankContext &self) {
            return self.run(self.everyone(), allGather(at::ones({2}), self.rank.value));
        });
        QCOMPARE(error.message, std::string("rank 1: all_gather: Dimension out of range (expected to be in range of "
                                            "[-1, 0], but got 1)"));
        QCOMPARE(error.where, std::string("rank 1"));
    }

    void aDtypeThatLibTorchCannotAddEndsAll()
    {
        const Error error = errorOnRanks(2, [](const RankContext &self) {
            return self.run(self.everyone(), allReduce(at::ones({2}).to(at::kFloat8_e4m3fn), ReduceOp::Sum));
        });
        QVERIFY2(error.message.starts_with("all_reduce(sum) of float8_e4m3fn[2]: "), error.message.c_str());
    }

    void cancellingEndsRanksThatWaitAndStopsThoseThatAsk()
    {
        std::stop_source stop;
        std::atomic<bool> asked = false;
        const Status status = runSpmd(
            2,
            [&](const RankContext &self) -> Status {
                if (self.rank.value == 0) {
                    stop.request_stop();
                    if (auto done = self.run(self.everyone(), barrier()); !done)
                        return done.error();
                    return Success{};
                }
                while (!self.stop.stop_requested())
                    std::this_thread::yield();
                asked = true;
                return Success{};
            },
            {}, stop.get_token());
        QVERIFY(!status);
        QCOMPARE(status.error().code, ErrorCode::Cancelled);
        QCOMPARE(status.error().message, std::string("the run was cancelled"));
        QVERIFY(asked);
    }
};

PIPESCOPE_TEST(TestCollectiveFaults)
#include "tst_collective_faults.moc"
