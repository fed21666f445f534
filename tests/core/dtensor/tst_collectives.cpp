#include "dtensor/collectives.h"

#include "core/dtensor/on_ranks.h"
#include "plan/dtypes.h"
#include "tensor/ivalue_tree.h"

#include "support/test_program.h"

#include <QTest>
#include <atomic>
#include <limits>
#include <mutex>
#include <random>
#include <thread>

using namespace pipescope;
using namespace pipescope::dtensor;
using namespace pipescope::tests;
using shard::ReduceOp;
using shard::Sizes;

namespace {

using Tensors = std::vector<at::Tensor>;

constexpr ReduceOp Ops[] = {ReduceOp::Sum, ReduceOp::Avg, ReduceOp::Max, ReduceOp::Min, ReduceOp::Product};

std::vector<at::ScalarType> allDtypes()
{
    std::vector<at::ScalarType> types;
    for (const std::string &name : plan::dtypeNames())
        types.push_back(*tensor::dtypeFromName(name));
    return types;
}

bool isReal(at::ScalarType type)
{
    return at::isFloatingType(type);
}

// Those that LibTorch computes with on the CPU.
std::vector<at::ScalarType> reducibleDtypes()
{
    return {at::kFloat, at::kDouble, at::kHalf,  at::kBFloat16, at::kComplexFloat, at::kComplexDouble,
            at::kLong,  at::kInt,    at::kShort, at::kChar,     at::kByte,         at::kBool};
}

bool isRefused(at::ScalarType type, ReduceOp op)
{
    if (op == ReduceOp::Avg)
        return !isReal(type) && !at::isComplexType(type);
    return (op == ReduceOp::Max || op == ReduceOp::Min) && at::isComplexType(type);
}

// In the order given, one after another.
at::Tensor reduced(const Tensors &tensors, ReduceOp op)
{
    at::Tensor result = tensors.front().clone();
    for (std::size_t i = 1; i < tensors.size(); ++i) {
        switch (op) {
        case ReduceOp::Sum:
        case ReduceOp::Avg:
            result = at::add(result, tensors[i]);
            break;
        case ReduceOp::Max:
            result = at::maximum(result, tensors[i]);
            break;
        case ReduceOp::Min:
            result = at::minimum(result, tensors[i]);
            break;
        case ReduceOp::Product:
            result = at::mul(result, tensors[i]);
            break;
        }
    }
    return op == ReduceOp::Avg ? at::div(result, static_cast<std::int64_t>(tensors.size())) : result;
}

// Of rank r: r + 1 rows, none for every third rank.
at::Tensor unevenRows(int rank, at::ScalarType dtype = at::kFloat)
{
    return counted(rank, {rank % 3 == 2 ? 0 : rank + 1, 4}, dtype);
}

Tensors perRank(int ranks, const std::function<at::Tensor(int)> &make)
{
    Tensors tensors;
    for (int rank = 0; rank < ranks; ++rank)
        tensors.push_back(make(rank));
    return tensors;
}

std::string faultOf(const Tensors &results, const std::function<at::Tensor(std::size_t)> &expected)
{
    if (results.empty())
        return "the run ended in an error";
    for (std::size_t rank = 0; rank < results.size(); ++rank) {
        if (!sameBits(results[rank], expected(rank)))
            return "rank " + std::to_string(rank) + " has something else";
    }
    return "";
}

void pauseAtRandom(std::mt19937 &random)
{
    std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution(0, 300)(random)));
}

} // namespace

#define VERIFY_RESULTS(...)                                                                                            \
    do {                                                                                                               \
        const std::string fault = faultOf(__VA_ARGS__);                                                                \
        QVERIFY2(fault.empty(), fault.c_str());                                                                        \
    } while (false)

class TestCollectives : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void allGatherJoinsUnevenAndEmptyTensorsOfAnyDtype()
    {
        for (const at::ScalarType dtype : allDtypes()) {
            const Tensors inputs = perRank(4, [dtype](int rank) { return unevenRows(rank, dtype); });
            Tensors bytes;
            for (const at::Tensor &input : inputs)
                bytes.push_back(input.view(at::kByte));
            const at::Tensor expected = at::cat(bytes, 0).view(dtype);
            VERIFY_RESULTS(onRanks(4,
                                   [&](const RankContext &self) {
                                       return self.run(self.everyone(), allGather(inputs[self.rank.index()], 0));
                                   }),
                           [&](std::size_t) { return expected; });
        }
    }

    void allGatherWorksOnOneToEightRanksAlongEveryDimension()
    {
        for (int ranks = 1; ranks <= 8; ++ranks) {
            for (const int dim : {0, 1, 2, -1}) {
                const Tensors inputs = perRank(ranks, [dim](int rank) {
                    Sizes sizes{2, 3, 4};
                    sizes[static_cast<std::size_t>(dim < 0 ? dim + 3 : dim)] = (rank + 1) % 4;
                    return counted(rank, sizes);
                });
                VERIFY_RESULTS(onRanks(ranks,
                                       [&](const RankContext &self) {
                                           return self.run(self.everyone(), allGather(inputs[self.rank.index()], dim));
                                       }),
                               [&](std::size_t) { return at::cat(inputs, dim); });
            }
        }
    }

    void allReduceReducesInTheOrderOfTheLineInEveryDtype()
    {
        for (const at::ScalarType dtype : reducibleDtypes()) {
            for (const ReduceOp op : Ops) {
                if (isRefused(dtype, op))
                    continue;
                const Tensors inputs = perRank(3, [dtype](int rank) { return counted(rank, {5, 3}, dtype); });
                VERIFY_RESULTS(onRanks(3,
                                       [&](const RankContext &self) {
                                           return self.run(lineOf({2, 0, 1}), allReduce(inputs[self.rank.index()], op));
                                       }),
                               [&](std::size_t) {
                                   return reduced({inputs[2], inputs[0], inputs[1]}, op);
                               });
            }
        }
    }

    void allReduceWorksOnOneToEightRanksAndForLongTensors()
    {
        for (int ranks = 1; ranks <= 8; ++ranks) {
            for (const std::int64_t size : {0, 1, 7, 4097, 200'003}) {
                const Tensors inputs = perRank(ranks, [size](int rank) { return counted(rank, {size}) * 0.1; });
                VERIFY_RESULTS(onRanks(ranks,
                                       [&](const RankContext &self) {
                                           return self.run(self.everyone(),
                                                           allReduce(inputs[self.rank.index()], ReduceOp::Sum));
                                       }),
                               [&](std::size_t) { return reduced(inputs, ReduceOp::Sum); });
            }
        }
    }

    void allReduceTakesATensorOfNoDimensions()
    {
        const Tensors results = onRanks(3, [](const RankContext &self) {
            return self.run(self.everyone(), allReduce(at::scalar_tensor(self.rank.value + 1), ReduceOp::Product));
        });
        VERIFY_RESULTS(results, [](std::size_t) { return at::scalar_tensor(6); });
    }

    void maximumAndMinimumKeepNan()
    {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        for (const ReduceOp op : {ReduceOp::Max, ReduceOp::Min}) {
            for (const int bad : {0, 1}) {
                const Tensors results = onRanks(2, [&](const RankContext &self) {
                    const at::Tensor own = at::full({3}, self.rank.value == bad ? nan : 1.0);
                    return self.run(self.everyone(), allReduce(own, op));
                });
                QCOMPARE(results.size(), std::size_t(2));
                for (const at::Tensor &result : results)
                    QVERIFY(result.isnan().all().item<bool>());
            }
        }
    }

    void reduceScatterGivesEachRankItsPiece()
    {
        for (int ranks = 1; ranks <= 8; ++ranks) {
            for (const int dim : {0, 1}) {
                const Tensors inputs = perRank(ranks, [](int rank) { return counted(rank, {9, 5}); });
                const Tensors chunks = [&] {
                    Tensors pieces;
                    std::int64_t at = 0;
                    const at::Tensor whole = reduced(inputs, ReduceOp::Sum);
                    for (const std::int64_t size : chunkSizes(dim == 0 ? 9 : 5, static_cast<std::size_t>(ranks))) {
                        pieces.push_back(whole.narrow(dim, at, size));
                        at += size;
                    }
                    return pieces;
                }();
                VERIFY_RESULTS(onRanks(ranks,
                                       [&](const RankContext &self) {
                                           return self.run(self.everyone(), reduceScatter(inputs[self.rank.index()],
                                                                                          dim, ReduceOp::Sum));
                                       }),
                               [&](std::size_t rank) { return chunks[rank]; });
            }
        }
    }

    void reduceScatterTakesPiecesOfAnySize()
    {
        const Sizes pieces{0, 5, 1, 2};
        const Tensors inputs = perRank(4, [](int rank) { return counted(rank, {8, 2}, at::kDouble); });
        const at::Tensor whole = reduced(inputs, ReduceOp::Max);
        const Tensors expected{whole.narrow(0, 0, 0), whole.narrow(0, 0, 5), whole.narrow(0, 5, 1),
                               whole.narrow(0, 6, 2)};
        VERIFY_RESULTS(onRanks(4,
                               [&](const RankContext &self) {
                                   return self.run(self.everyone(),
                                                   reduceScatter(inputs[self.rank.index()], 0, ReduceOp::Max, pieces));
                               }),
                       [&](std::size_t rank) { return expected[rank]; });
    }

    void allToAllTurnsShardsOfOneDimensionIntoShardsOfAnother()
    {
        for (int ranks = 1; ranks <= 8; ++ranks) {
            const auto count = static_cast<std::size_t>(ranks);
            const at::Tensor whole = counted(0, {7, 3, 5}, at::kLong).reshape({7, 3, 5}) + at::arange(5);
            const auto shardOf = [&](int dim, std::size_t rank) {
                const Sizes sizes = chunkSizes(whole.size(dim), count);
                std::int64_t at = 0;
                for (std::size_t i = 0; i < rank; ++i)
                    at += sizes[i];
                return whole.narrow(dim, at, sizes[rank]);
            };
            VERIFY_RESULTS(onRanks(ranks,
                                   [&](const RankContext &self) {
                                       return self.run(self.everyone(), allToAll(shardOf(0, self.rank.index()), 0, -1));
                                   }),
                           [&](std::size_t rank) { return shardOf(2, rank); });
        }
    }

    void broadcastGivesAllTheRootsTensorAndLeavesTheOthersAlone()
    {
        for (const at::ScalarType dtype : allDtypes()) {
            const Tensors inputs = perRank(3, [dtype](int rank) { return counted(rank, {2, 3}, dtype); });
            const Tensors before = perRank(3, [&](int rank) { return inputs[static_cast<std::size_t>(rank)].clone(); });
            const Tensors results = onRanks(3, [&](const RankContext &self) {
                return self.run(self.everyone(), broadcast(inputs[self.rank.index()], RankId{1}));
            });
            VERIFY_RESULTS(results, [&](std::size_t) { return inputs[1]; });
            VERIFY_RESULTS(inputs, [&](std::size_t rank) { return before[rank]; });
            QVERIFY(results[1].data_ptr() != inputs[1].data_ptr());
        }
    }

    void scatterGivesEachRankItsPieceOfTheRootsTensor()
    {
        for (const at::ScalarType dtype : allDtypes()) {
            const Tensors inputs = perRank(4, [dtype](int rank) { return counted(rank, {2, 9}, dtype); });
            VERIFY_RESULTS(onRanks(4,
                                   [&](const RankContext &self) {
                                       return self.run(self.everyone(),
                                                       scatter(inputs[self.rank.index()], 1, RankId{2}));
                                   }),
                           [&](std::size_t rank) {
                               const Sizes offsets{0, 3, 6, 9};
                               const Sizes sizes{3, 3, 3, 0};
                               return inputs[2].narrow(1, offsets[rank], sizes[rank]);
                           });
        }
    }

    void nobodyPassesABarrierBeforeAllAreThere()
    {
        std::atomic<int> there = 0;
        std::atomic<int> early = 0;
        const Tensors results = onRanks(5, [&](const RankContext &self) -> Result<at::Tensor> {
            ++there;
            auto result = self.run(self.everyone(), barrier());
            early += there == 5 ? 0 : 1;
            return result;
        });
        QCOMPARE(results.size(), std::size_t(5));
        QCOMPARE(early.load(), 0);
    }

    void linesOfAMeshOfTwoAndThreeDimensionsWorkAtTheSameTime()
    {
        for (const int dims : {2, 3}) {
            const int ranks = 1 << dims;
            const Tensors inputs = perRank(ranks, [](int rank) { return counted(rank, {3, 2}, at::kLong); });
            const Tensors results = onRanks(ranks, [&](const RankContext &self) -> Result<at::Tensor> {
                at::Tensor value = inputs[self.rank.index()];
                for (int dim = 0; dim < dims; ++dim) {
                    const int bit = 1 << dim;
                    const int low = self.rank.value & ~bit;
                    auto summed = self.run(lineOf({low, low | bit}), allReduce(value, ReduceOp::Sum));
                    if (!summed)
                        return summed.error();
                    value = *std::move(summed);
                }
                return value;
            });
            VERIFY_RESULTS(results, [&](std::size_t) { return reduced(inputs, ReduceOp::Sum); });
        }
    }

    void onAMeshOfTwoByTwoByTwoEachDimensionJoinsItsOwnLine()
    {
        for (const int bit : {1, 2, 4}) {
            const Tensors inputs = perRank(8, [](int rank) { return unevenRows(rank); });
            const auto lineOfRank = [bit](int rank) { return std::vector<int>{rank & ~bit, rank | bit}; };
            VERIFY_RESULTS(onRanks(8,
                                   [&](const RankContext &self) {
                                       return self.run(lineOf(lineOfRank(self.rank.value)),
                                                       allGather(inputs[self.rank.index()], 0));
                                   }),
                           [&](std::size_t rank) {
                               const std::vector<int> line = lineOfRank(static_cast<int>(rank));
                               return at::cat({inputs[static_cast<std::size_t>(line[0])],
                                               inputs[static_cast<std::size_t>(line[1])]});
                           });
        }
    }

    void ranksOutsideTheLineTakeNoPart()
    {
        const Tensors results = onRanks(4, [](const RankContext &self) -> Result<at::Tensor> {
            const at::Tensor own = counted(self.rank.value, {2});
            if (self.rank.value % 2 == 1)
                return own;
            return self.run(lineOf({0, 2}), allGather(own, 0));
        });
        const Tensors inputs = perRank(4, [](int rank) { return counted(rank, {2}); });
        VERIFY_RESULTS(results, [&](std::size_t rank) {
            return rank % 2 == 1 ? inputs[rank] : at::cat({inputs[0], inputs[2]});
        });
    }

    void theBitsAreTheSameOnAllRanksAndInEveryRun()
    {
        constexpr int ranks = 5;
        at::manual_seed(4);
        const Tensors inputs = perRank(ranks, [](int) { return at::randn({9001}) * at::exp(at::randn({9001}) * 8); });
        const at::Tensor expected = reduced(inputs, ReduceOp::Sum);
        QVERIFY(!sameBits(expected, reduced({inputs.rbegin(), inputs.rend()}, ReduceOp::Sum))); // the order is seen
        for (unsigned run = 0; run < 50; ++run) {
            const Tensors results = onRanks(ranks, [&](const RankContext &self) {
                std::mt19937 random(run * ranks + static_cast<unsigned>(self.rank.value));
                pauseAtRandom(random);
                return self.run(self.everyone(), allReduce(inputs[self.rank.index()], ReduceOp::Sum));
            });
            VERIFY_RESULTS(results, [&](std::size_t) { return expected; });
        }
    }

    void tensorsMayBeViewsOrLazyConjugates()
    {
        const Tensors inputs = perRank(3, [](int rank) {
            const at::Tensor plain = counted(rank, {4, 6}, at::kComplexFloat);
            return (plain * c10::complex<float>(1, 2)).t().slice(0, 1, 6, 2).conj();
        });
        QVERIFY(inputs[0].is_conj() && !inputs[0].is_contiguous());
        Tensors plain;
        for (const at::Tensor &input : inputs)
            plain.push_back(input.resolve_conj().contiguous());
        VERIFY_RESULTS(onRanks(3,
                               [&](const RankContext &self) {
                                   return self.run(self.everyone(), allGather(inputs[self.rank.index()], 1));
                               }),
                       [&](std::size_t) { return at::cat(plain, 1); });
        VERIFY_RESULTS(onRanks(3,
                               [&](const RankContext &self) {
                                   return self.run(self.everyone(),
                                                   allReduce(inputs[self.rank.index()], ReduceOp::Sum));
                               }),
                       [&](std::size_t) { return reduced(plain, ReduceOp::Sum); });
    }

    void resultsAreNewContiguousMemoryWithoutGradient()
    {
        const Tensors inputs = perRank(2, [](int rank) { return counted(rank, {2, 3}).t().requires_grad_(true); });
        const std::vector<CollectiveRequest (*)(const at::Tensor &)> requests{
            [](const at::Tensor &x) { return allGather(x, 0); },
            [](const at::Tensor &x) { return allReduce(x, ReduceOp::Avg); },
            [](const at::Tensor &x) { return reduceScatter(x, 1, ReduceOp::Sum); },
            [](const at::Tensor &x) { return allToAll(x, 0, 1); },
            [](const at::Tensor &x) { return broadcast(x, RankId{0}); },
            [](const at::Tensor &x) { return scatter(x, 0, RankId{0}); }};
        for (const auto &request : requests) {
            const Tensors results = onRanks(2, [&](const RankContext &self) {
                return self.run(self.everyone(), request(inputs[self.rank.index()]));
            });
            QCOMPARE(results.size(), std::size_t(2));
            for (std::size_t rank = 0; rank < 2; ++rank) {
                QVERIFY(results[rank].is_contiguous());
                QVERIFY(!results[rank].requires_grad());
                QVERIFY(results[rank].data_ptr() != inputs[rank].data_ptr());
            }
        }
    }

    void metaTensorsGetTheirSizesOnly()
    {
        const std::int64_t huge = std::int64_t{1} << 40;
        const Tensors results = onRanks(2, [huge](const RankContext &self) -> Result<at::Tensor> {
            const at::Tensor own = at::empty({huge, 3}, at::TensorOptions(at::kMeta));
            auto summed = self.run(self.everyone(), allReduce(own, ReduceOp::Sum));
            if (!summed)
                return summed.error();
            return self.run(self.everyone(), allGather(*summed, 0));
        });
        QCOMPARE(results.size(), std::size_t(2));
        QVERIFY(results[0].is_meta());
        QCOMPARE(results[0].sizes().vec(), (Sizes{2 * huge, 3}));
    }

    void severalCollectivesMayBeUnderWayAndAreAwaitedInAnyOrder()
    {
        const Tensors results = onRanks(3, [](const RankContext &self) -> Result<at::Tensor> {
            auto sum = self.begin(self.everyone(), allReduce(counted(self.rank.value, {3}), ReduceOp::Sum));
            auto joined = self.begin(self.everyone(), allGather(counted(self.rank.value, {2}), 0));
            if (!sum || !joined)
                return Error{};
            const bool sumFirst = self.rank.value == 1;
            const auto first = sumFirst ? sum->wait() : joined->wait();
            const auto second = sumFirst ? joined->wait() : sum->wait();
            if (!first || !second)
                return Error{};
            return sumFirst ? at::cat({*first, *second}) : at::cat({*second, *first});
        });
        const at::Tensor expected =
            at::cat({reduced(perRank(3, [](int rank) { return counted(rank, {3}); }), ReduceOp::Sum),
                     at::cat(perRank(3, [](int rank) { return counted(rank, {2}); }))});
        VERIFY_RESULTS(results, [&](std::size_t) { return expected; });
    }

    void aResultIsAwaitedOnceOrDropped()
    {
        const Error error = errorOnRanks(2, [](const RankContext &self) -> Result<at::Tensor> {
            {
                const auto dropped = self.begin(self.everyone(), allReduce(at::ones({2}), ReduceOp::Sum));
            }
            auto pending = self.begin(self.everyone(), allGather(at::ones({2}), 0));
            if (!pending)
                return pending.error();
            if (const auto result = pending->wait(); !result)
                return result.error();
            if (self.rank.value == 1)
                return at::Tensor();
            return pending->wait();
        });
        QCOMPARE(error.message,
                 std::string("rank 0: the result of this collective was awaited before; keep what it gave"));
    }

    void eachRanksPartIsAnEvent()
    {
        std::vector<CollectiveEvent> events;
        std::mutex mutex;
        CollectiveOptions options;
        options.listener = [&](const CollectiveEvent &event) {
            const std::lock_guard lock(mutex);
            events.push_back(event);
        };
        const Status status = runSpmd(
            2,
            [](const RankContext &self) -> Status {
                auto first = allGather(counted(0, {self.rank.value == 0 ? 3 : 1, 2}), 0);
                first.meshDims = "tp";
                if (auto done = self.run(lineOf({1, 0}), first); !done)
                    return done.error();
                if (auto done = self.run(self.everyone(), broadcast(at::ones({5}), RankId{1})); !done)
                    return done.error();
                return Success{};
            },
            std::move(options));
        QVERIFY(status);
        QCOMPARE(events.size(), std::size_t(4));
        QCOMPARE(events[0].kind, CollectiveKind::AllGather);
        QCOMPARE(events[0].line, lineOf({1, 0}));
        QCOMPARE(events[0].meshDims, std::string("tp"));
        QCOMPARE(events[0].rank, RankId{1});
        QCOMPARE(events[0].number, 1);
        QCOMPARE(events[0].bytesIn, std::int64_t(8));
        QCOMPARE(events[0].bytesOut, std::int64_t(32));
        QCOMPARE(events[1].rank, RankId{0});
        QCOMPARE(events[1].bytesIn, std::int64_t(24));
        QCOMPARE(events[2].kind, CollectiveKind::Broadcast);
        QCOMPARE(events[2].number, 2);
        QCOMPARE(events[2].bytesIn, std::int64_t(0)); // of rank 0, which is not the root
        QCOMPARE(events[3].bytesIn, std::int64_t(20));
        for (const CollectiveEvent &event : events) {
            QVERIFY(event.begin < event.end);
            QCOMPARE(event.bytesOut, event.kind == CollectiveKind::AllGather ? std::int64_t(32) : std::int64_t(20));
            for (const CollectiveEvent &other : events) // the last to come began last
                QVERIFY(other.number != event.number || other.rank != event.last || other.begin >= event.begin);
        }
    }
};

PIPESCOPE_TEST(TestCollectives)
#include "tst_collectives.moc"
