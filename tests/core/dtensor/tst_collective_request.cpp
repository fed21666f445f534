#include "dtensor/collective_request.h"

#include "core/dtensor/on_ranks.h"

#include "support/test_program.h"

#include <QTest>
#include <limits>

using namespace pipescope;
using namespace pipescope::dtensor;
using namespace pipescope::tests;
using shard::ReduceOp;
using shard::Sizes;

namespace {

std::string textOf(const CollectiveRequest &request, const comm::Line &line)
{
    const auto call = checkRequest(request, line);
    return call ? text(*call) : call.error().message;
}

ErrorCode codeOf(const CollectiveRequest &request)
{
    const auto call = checkRequest(request, lineOf({0, 1}));
    return call ? ErrorCode::Internal : call.error().code;
}

} // namespace

class TestCollectiveRequest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aCallIsWrittenInWords()
    {
        const comm::Line line = lineOf({0, 1, 2, 3});
        const at::Tensor x = at::zeros({3, 8});
        QCOMPARE(textOf(allGather(x, -1), line), std::string("all_gather of float32[3, 8] along dimension 1"));
        QCOMPARE(textOf(allReduce(x, ReduceOp::Max), line), std::string("all_reduce(max) of float32[3, 8]"));
        QCOMPARE(textOf(reduceScatter(x, 0, ReduceOp::Sum), line),
                 std::string("reduce_scatter(sum) of float32[3, 8] along dimension 0 in pieces of 1, 1, 1, 0"));
        QCOMPARE(textOf(allToAll(x, 0, 1, Sizes{0, 8, 0, 0}), line),
                 std::string("all_to_all of float32[3, 8] from dimension 0 to dimension 1 in pieces of 0, 8, 0, 0"));
        QCOMPARE(textOf(broadcast(x.to(at::kBool), RankId{2}), line),
                 std::string("broadcast of bool[3, 8] from rank 2"));
        QCOMPARE(textOf(scatter(x, 1, RankId{3}), line),
                 std::string("scatter of float32[3, 8] along dimension 1 in pieces of 2, 2, 2, 2 from rank 3"));
        QCOMPARE(textOf(barrier(), line), std::string("barrier"));
        QCOMPARE(textOf(allReduce(at::empty({}, at::TensorOptions(at::kMeta)), ReduceOp::Sum), line),
                 std::string("all_reduce(sum) of float32[] on meta"));
    }

    void piecesAreThoseOfChunk()
    {
        QCOMPARE(chunkSizes(10, 4), (Sizes{3, 3, 3, 1}));
        QCOMPARE(chunkSizes(9, 4), (Sizes{3, 3, 3, 0}));
        QCOMPARE(chunkSizes(2, 4), (Sizes{1, 1, 0, 0}));
        QCOMPARE(chunkSizes(0, 2), (Sizes{0, 0}));
    }

    void onlyTheSizeAlongTheJoinedDimensionMayDiffer()
    {
        const comm::Line line = lineOf({0, 1});
        const auto same = [&line](const CollectiveRequest &a, const CollectiveRequest &b) {
            return *checkRequest(a, line) == *checkRequest(b, line);
        };
        QVERIFY(same(allGather(at::zeros({3, 2}), 0), allGather(at::zeros({0, 2}), 0)));
        QVERIFY(!same(allGather(at::zeros({3, 2}), 0), allGather(at::zeros({3, 1}), 0)));
        QVERIFY(!same(allGather(at::zeros({3, 2}), 0), allGather(at::zeros({3, 2}), 1)));
        QVERIFY(!same(allGather(at::zeros({3, 2}), 0), allGather(at::zeros({3, 2, 1}), 0)));
        QVERIFY(!same(allReduce(at::zeros({2}), ReduceOp::Sum), allReduce(at::zeros({3}), ReduceOp::Sum)));
        QVERIFY(!same(allReduce(at::zeros({2}), ReduceOp::Sum), allReduce(at::zeros({2}), ReduceOp::Avg)));
        QVERIFY(!same(allReduce(at::zeros({2}), ReduceOp::Sum),
                      allReduce(at::zeros({2}, at::TensorOptions(at::kInt)), ReduceOp::Sum)));
        QVERIFY(!same(broadcast(at::zeros({2}), RankId{0}), broadcast(at::zeros({2}), RankId{1})));
        QVERIFY(!same(scatter(at::zeros({2}), 0, RankId{0}, Sizes{0, 2}),
                      scatter(at::zeros({2}), 0, RankId{0}, Sizes{1, 1})));
        QVERIFY(!same(barrier(), broadcast(at::zeros({2}), RankId{0})));
    }

    void whatCannotBeDoneIsRefused()
    {
        const comm::Line line = lineOf({0, 1});
        const at::Tensor x = at::zeros({3, 4});
        QCOMPARE(textOf(allGather({}, 0), line), std::string("all_gather: there is no tensor; give one on every rank"));
        QCOMPARE(textOf(allGather(x, 2), line), std::string("all_gather: Dimension out of range (expected to be in "
                                                            "range of [-2, 1], but got 2)"));
        QCOMPARE(textOf(reduceScatter(x, -3, ReduceOp::Sum), line),
                 std::string("reduce_scatter: Dimension out of range (expected to be in range of [-2, 1], but got "
                             "-3)"));
        QCOMPARE(textOf(allGather(at::zeros({}), 0), line),
                 std::string("all_gather: a tensor of no dimensions cannot be cut or joined along one"));
        QCOMPARE(textOf(allToAll(x, 1, -1), line),
                 std::string("all_to_all: both dimensions are dimension 1; give two"));
        QCOMPARE(textOf(scatter(x, 0, RankId{0}, Sizes{3}), line),
                 std::string("scatter: 1 pieces for 2 ranks; give one size per rank"));
        QCOMPARE(textOf(scatter(x, 0, RankId{0}, Sizes{4, -1}), line),
                 std::string("scatter: pieces of 4, -1 do not make up 3 elements"));
        QCOMPARE(textOf(scatter(x, 0, RankId{0}, Sizes{1, 1}), line),
                 std::string("scatter: pieces of 1, 1 do not make up 3 elements; 1 are left over"));
        const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
        QCOMPARE(codeOf(scatter(x, 0, RankId{0}, Sizes{huge, huge})), ErrorCode::InvalidArgument);
        QCOMPARE(textOf(broadcast(x, RankId{2}), line),
                 std::string("broadcast: rank 2 shall give the values and is not among ranks 0 and 1"));
        QCOMPARE(textOf(broadcast(x, RankId{}), line),
                 std::string("broadcast: rank -1 shall give the values and is not among ranks 0 and 1"));
        QCOMPARE(codeOf(allReduce(x.to_sparse(), ReduceOp::Sum)), ErrorCode::Unsupported);
        QCOMPARE(codeOf(allReduce(at::quantize_per_tensor(x, 0.1, 0, at::kQInt8), ReduceOp::Sum)),
                 ErrorCode::Unsupported);
    }

    void reductionsThatADtypeHasNotAreRefused()
    {
        const comm::Line line = lineOf({0, 1});
        for (const at::ScalarType dtype : {at::kLong, at::kInt, at::kByte, at::kBool}) {
            const at::Tensor x = at::zeros({2}, at::TensorOptions(dtype));
            QCOMPARE(codeOf(allReduce(x, ReduceOp::Avg)), ErrorCode::Unsupported);
            QCOMPARE(codeOf(reduceScatter(x, 0, ReduceOp::Avg)), ErrorCode::Unsupported);
        }
        for (const ReduceOp op : {ReduceOp::Max, ReduceOp::Min})
            QCOMPARE(codeOf(allReduce(at::zeros({2}, at::TensorOptions(at::kComplexFloat)), op)),
                     ErrorCode::Unsupported);
        QCOMPARE(textOf(allReduce(at::zeros({2}, at::TensorOptions(at::kLong)), ReduceOp::Avg), line),
                 std::string("all_reduce: the average of int64 tensors need not be of that type; reduce with sum and "
                             "divide, or convert the tensor to a floating type before"));
        QCOMPARE(textOf(allReduce(at::zeros({2}, at::TensorOptions(at::kComplexDouble)), ReduceOp::Min), line),
                 std::string("all_reduce: complex128 tensors have no min: complex numbers have no order; reduce the "
                             "real part, the imaginary part or the magnitude"));
    }
};

PIPESCOPE_TEST(TestCollectiveRequest)
#include "tst_collective_request.moc"
