#include "dtensor/spmd.h"

#include "core/dtensor/on_ranks.h"

#include "support/test_program.h"

#include <ATen/Parallel.h>
#include <QTest>
#include <set>
#include <stdexcept>
#include <thread>

using namespace pipescope;
using namespace pipescope::dtensor;
using namespace pipescope::tests;

class TestSpmd : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyRankRunsOnAThreadOfItsOwn()
    {
        std::vector<std::thread::id> threads(4);
        QVERIFY(runSpmd(4, [&threads](const RankContext &self) -> Status {
            threads[self.rank.index()] = std::this_thread::get_id();
            if (self.ranks() != 4 || self.everyone() != lineOf({0, 1, 2, 3}))
                return Error{ErrorCode::Internal, "wrong ranks", {}, {}};
            return Success{};
        }));
        QCOMPARE((std::set<std::thread::id>(threads.begin(), threads.end()).size()), std::size_t(4));
    }

    void ranksHaveTheirThreadsAndTheCallerKeepsItsOwn()
    {
        const int before = at::get_num_threads();
        for (const int width : {1, 2}) {
            auto world = RankWorld::make(2, width);
            QVERIFY(world);
            std::vector<int> widths(2);
            QVERIFY((*world)->run([&widths](const RankContext &self) -> Status {
                widths[self.rank.index()] = at::get_num_threads();
                return Success{};
            }));
            QCOMPARE(widths, (std::vector<int>{width, width}));
            QCOMPARE(at::get_num_threads(), before);
        }
    }

    void aWorldRunsAgainAfterAnError()
    {
        auto world = RankWorld::make(2);
        QVERIFY(world);
        const Status failed = (*world)->run([](const RankContext &self) -> Status {
            if (self.rank.value == 0)
                throw std::runtime_error("once");
            if (auto done = self.run(self.everyone(), barrier()); !done)
                return done.error();
            return Success{};
        });
        QVERIFY(!failed);
        QCOMPARE(failed.error().message, std::string("rank 0: once"));
        QVERIFY((*world)->run([](const RankContext &self) -> Status {
            const auto sum = self.run(self.everyone(), allReduce(at::ones({1}), shard::ReduceOp::Sum));
            if (!sum)
                return sum.error();
            if (sum->item<float>() != 2)
                return Error{ErrorCode::Internal, "wrong sum", {}, {}};
            return Success{};
        }));
    }

    void theFirstErrorIsToldAlsoWhereARankHidesIt()
    {
        const Status status = runSpmd(2, [](const RankContext &self) -> Status {
            if (self.rank.value == 1)
                return Error{ErrorCode::NotFound, "no file", "weights.pt", {}};
            if (const auto result = self.run(self.everyone(), barrier()); result)
                return Error{ErrorCode::Internal, "the barrier opened", {}, {}};
            return Success{};
        });
        QVERIFY(!status);
        QCOMPARE(status.error().message, std::string("rank 1: no file"));
        QCOMPARE(status.error().where, std::string("weights.pt"));
        QCOMPARE(status.error().code, ErrorCode::NotFound);
    }

    void anExceptionOfAnyTypeIsAnError()
    {
        const Status status = runSpmd(1, [](const RankContext &) -> Status { throw 5; });
        QVERIFY(!status);
        QCOMPARE(status.error().message, std::string("rank 0: an exception of an unknown type was thrown"));
    }

    void wrongNumbersOfRanksAndThreadsAreRefused()
    {
        const auto messageOf = [](int ranks, int threads) {
            const auto world = RankWorld::make(ranks, threads);
            return world ? std::string("fine") : world.error().message;
        };
        QCOMPARE(messageOf(0, 1), std::string("0 ranks in one process; give 1 to 1024"));
        QCOMPARE(messageOf(1025, 1), std::string("1025 ranks in one process; give 1 to 1024"));
        QCOMPARE(messageOf(2, 0), std::string("0 threads per rank; a rank needs at least one"));
        QVERIFY(!runSpmd(-1, [](const RankContext &) -> Status { return Success{}; }));
    }

    void aRunThatIsCancelledBeforeItBeginsCallsNothing()
    {
        std::stop_source stop;
        stop.request_stop();
        const Status status = runSpmd(
            2,
            [](const RankContext &self) -> Status {
                if (!self.stop.stop_requested() || self.run(self.everyone(), barrier()))
                    return Error{ErrorCode::Internal, "it ran", {}, {}};
                return Success{};
            },
            {}, stop.get_token());
        QVERIFY(!status);
        QCOMPARE(status.error().code, ErrorCode::Cancelled);
    }
};

PIPESCOPE_TEST(TestSpmd)
#include "tst_spmd.moc"
