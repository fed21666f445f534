#include "tensor/build_tree.h"
#include "tensor/chunks.h"
#include "tensor/compare.h"
#include "tensor/ivalue_tree.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Functions.h>
#include <ATen/core/Dict.h>
#include <fmt/format.h>
#include <limits>
#include <random>

#include "support/test_program.h"
#include "tensor_support.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::tensor;
using microbatch::ChunkSpec;
using microbatch::Reducer;
using tests::Columns;
using tests::random;
using tests::Rows;
using tests::Same;

namespace {

std::string mergeErrorOf(const Result<c10::IValue> &result)
{
    return result ? "no error" : result.error().message;
}

ChunkSpec reducer(Reducer kind)
{
    return {kind};
}

/// A random tree of tensors with `rows` rows and plain values, and the spec that cuts and joins it.
std::pair<c10::IValue, ChunkSpec> randomTree(std::mt19937 &random, std::int64_t rows, int depth)
{
    const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
    if (depth == 0 || below(3) == 0) {
        if (below(4) == 0)
            return {c10::IValue(below(100)), Same};
        const std::int64_t width = 1 + below(3);
        const int dim = below(2) == 0 ? 0 : -1;
        const at::Tensor numbers = at::randn({rows, width}, at::detail::createCPUGenerator(random()));
        return {dim == 0 ? numbers : numbers.t(), {microbatch::TensorChunkSpec{dim}}};
    }
    std::vector<c10::IValue> values;
    ChunkSpec::Children specs;
    const int kind = below(3);
    for (int i = below(4); i >= 0; --i) {
        auto [value, spec] = randomTree(random, rows, depth - 1);
        values.push_back(std::move(value));
        specs.push_back(std::move(spec));
    }
    if (kind == 0)
        return {makeTuple(values), {ChunkSpec::Tuple{specs}}};
    if (kind == 1)
        return {makeList(values), {ChunkSpec::List{specs}}};
    std::vector<std::pair<std::string, c10::IValue>> entries;
    ChunkSpec::Entries specEntries;
    for (std::size_t i = 0; i < values.size(); ++i) {
        entries.emplace_back("k" + std::to_string(i), values[i]);
        specEntries.insert(specEntries.begin(), {"k" + std::to_string(i), specs[i]});
    }
    return {makeDict(entries), {ChunkSpec::Dict{specEntries}}};
}

} // namespace

class TestMergeChunks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void mergingRestoresWhatWasCut() // A6, the merge half
    {
        const std::vector<c10::IValue> args{random({128, 512}, 1), random({256, 512}, 2), random({512, 512}, 3)};
        const Kwargs kwargs{{"x0", args[0]}, {"x1", args[1]}, {"x2", args[2]}};
        const auto cut = splitArgsKwargsIntoChunks(args, kwargs, 2);
        QVERIFY(cut);
        std::vector<c10::IValue> chunks;
        std::vector<c10::IValue> namedChunks;
        for (std::size_t i = 0; i < 2; ++i) {
            chunks.push_back(makeTuple(cut->args[i]));
            namedChunks.push_back(makeDict(cut->kwargs[i]));
        }
        const auto merged = mergeChunks(chunks, microbatch::fromTuple({0, 0, 0}));
        QVERIFY2(merged, mergeErrorOf(merged).c_str());
        QVERIFY(compare(makeTuple(args), *merged).bitwise);
        const auto named = mergeChunks(namedChunks, microbatch::fromDict({{"x0", 0}, {"x1", 0}, {"x2", 0}}));
        QVERIFY2(named, mergeErrorOf(named).c_str());
        QVERIFY(compare(makeDict(kwargs), *named).bitwise);
    }

    void withoutASpecEveryLeafIsJoinedOnRows()
    {
        const at::Tensor x = random({5, 2});
        const auto part = [&](std::int64_t begin, std::int64_t end) {
            return makeTuple({x.slice(0, begin, end), c10::List<at::Tensor>({x.slice(0, begin, end) * 2})});
        };
        const auto merged = mergeChunks({part(0, 3), part(3, 5)});
        QVERIFY(merged);
        QVERIFY(compare(makeTuple({x, makeList({x * 2})}), *merged).bitwise);
        QVERIFY(merged->toTupleRef().elements()[1].isTensorList());
    }

    void theResultHasTheSpecsStructure()
    {
        const std::vector<c10::IValue> chunks{makeTuple({random({1, 2}), 7}), makeTuple({random({1, 2}), 7})};
        const auto merged = mergeChunks(chunks, ChunkSpec{ChunkSpec::Dict{{{"y", Rows}, {"n", Same}}}});
        QVERIFY2(merged, mergeErrorOf(merged).c_str());
        QVERIFY(merged->isGenericDict());
        QCOMPARE(leafPaths(*merged), (std::vector<std::string>{"['y']", "['n']"}));
        const auto list = mergeChunks(chunks, ChunkSpec{ChunkSpec::List{{Rows, Same}}});
        QVERIFY(list->isList());
    }

    void dictOutputsMatchByName()
    {
        const auto chunk = [](std::uint64_t seed) {
            return makeDict({{"wide", random({2, 3}, seed)}, {"tall", random({2, 3}, seed + 10)}});
        };
        const ChunkSpec spec{ChunkSpec::Dict{{{"tall", Rows}, {"wide", Columns}}}};
        const auto merged = mergeChunks({chunk(1), chunk(2)}, spec);
        QVERIFY2(merged, mergeErrorOf(merged).c_str());
        QCOMPARE(merged->toGenericDict().at("tall").toTensor().sizes(), at::IntArrayRef({4, 3}));
        QCOMPARE(merged->toGenericDict().at("wide").toTensor().sizes(), at::IntArrayRef({2, 6}));
    }

    void whatCannotBeJoinedHasTorchsWords()
    {
        QCOMPARE(mergeErrorOf(mergeChunks({at::scalar_tensor(1), at::scalar_tensor(2)})),
                 std::string("zero-dimensional tensor (at position 0) cannot be concatenated"));
        QCOMPARE(mergeErrorOf(mergeChunks({1, 2})),
                 std::string("expected Tensor as element 0 in argument 0, but got int"));
        QCOMPARE(mergeErrorOf(mergeChunks({c10::IValue(), c10::IValue()})),
                 std::string("expected Tensor as element 0 in argument 0, but got NoneType"));
        QCOMPARE(mergeErrorOf(mergeChunks({random({1}), 0.5})),
                 std::string("expected Tensor as element 1 in argument 0, but got float"));
        QCOMPARE(mergeErrorOf(mergeChunks({random({1}), "x"})),
                 std::string("expected Tensor as element 1 in argument 0, but got str"));
        QCOMPARE(mergeErrorOf(mergeChunks({true, true})),
                 std::string("expected Tensor as element 0 in argument 0, but got bool"));
        const auto sizes = mergeChunks({makeTuple({1, random({1, 2})}), makeTuple({1, random({1, 3})})},
                                       ChunkSpec{ChunkSpec::Tuple{{Same, Rows}}});
        QVERIFY2(mergeErrorOf(sizes).starts_with("Sizes of tensors must match except in dimension 0."),
                 mergeErrorOf(sizes).c_str());
        QCOMPARE(sizes.error().where, std::string("output[1]"));
    }

    void leafCountsThatDifferHaveUpstreamsWords()
    {
        const c10::IValue chunk = makeTuple({1, 2});
        QCOMPARE(mergeErrorOf(mergeChunks({chunk}, ChunkSpec{ChunkSpec::Tuple{{Same}}})),
                 std::string("Chunk (1, 2) did not match chunk spec (replicate,)"));
        QCOMPARE(mergeErrorOf(mergeChunks({makeTuple({random({1})}), makeTuple({})})),
                 std::string("Chunk () did not match chunk spec None"));
        QCOMPARE(mergeErrorOf(mergeChunks({makeTuple({}), makeTuple({3})})),
                 std::string("Chunk (3,) did not match chunk spec None"));
    }

    void replicatedValuesMustAgree()
    {
        QCOMPARE(mergeChunks({7, 7, 7}, Same)->toInt(), std::int64_t(7));
        QCOMPARE(mergeChunks({"a", "a"}, Same)->toStringRef(), std::string("a"));
        QVERIFY(mergeChunks({c10::IValue(), c10::IValue()}, Same)->isNone());
        QCOMPARE(mergeErrorOf(mergeChunks({3, 4}, Same)), std::string("Expected 3, got 4"));
        QCOMPARE(mergeErrorOf(mergeChunks({"a", "b"}, Same)), std::string("Expected a, got b"));
        QCOMPARE(mergeErrorOf(mergeChunks({true, c10::IValue()}, Same)), std::string("Expected True, got None"));
        QVERIFY(mergeChunks({1, 1.0}, Same));
        const double nan = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(mergeChunks({nan, nan}, Same));
    }

    void replicatedTensorsMustAgreeElementByElement()
    {
        const at::Tensor x = random({2, 2});
        QVERIFY(mergeChunks({x, x.clone()}, Same));
        QCOMPARE(mergeErrorOf(mergeChunks({x, x + 1}, Same)),
                 std::string("Expected Tensor(torch.Size([2, 2]), grad=False, dtype=torch.float32), got "
                             "Tensor(torch.Size([2, 2]), grad=False, dtype=torch.float32)"));
    }

    void reducersFoldOverTheMicrobatches()
    {
        const std::vector<c10::IValue> losses{at::scalar_tensor(1.0F), at::scalar_tensor(4.0F),
                                              at::scalar_tensor(1.0F)};
        QCOMPARE(mergeChunks(losses, reducer(Reducer::Sum))->toTensor().item<float>(), 6.0F);
        QCOMPARE(mergeChunks(losses, reducer(Reducer::Mean))->toTensor().item<float>(), 2.0F);
        QCOMPARE(mergeChunks(losses, reducer(Reducer::Max))->toTensor().item<float>(), 4.0F);
        QCOMPARE(mergeChunks(losses, reducer(Reducer::Min))->toTensor().item<float>(), 1.0F);
        const std::vector<c10::IValue> counts{at::tensor({1, 2}, at::kInt), at::tensor({3, 4}, at::kInt)};
        const at::Tensor total = mergeChunks(counts, reducer(Reducer::Sum))->toTensor();
        QCOMPARE(total.scalar_type(), at::kInt);
        QVERIFY(at::equal(total, at::tensor({4, 6}, at::kInt)));
    }

    void reducersFoldNumbers()
    {
        QCOMPARE(mergeChunks({1, 2, 4}, reducer(Reducer::Sum))->toInt(), std::int64_t(7));
        QCOMPARE(mergeChunks({1, 2.5}, reducer(Reducer::Sum))->toDouble(), 3.5);
        QCOMPARE(mergeChunks({1, 2}, reducer(Reducer::Mean))->toDouble(), 1.5);
        QCOMPARE(mergeChunks({3, -1}, reducer(Reducer::Min))->toInt(), std::int64_t(-1));
        QCOMPARE(mergeErrorOf(mergeChunks({"a", "b"}, reducer(Reducer::Sum))),
                 std::string("reducer 'sum' folds tensors or numbers, got str"));
    }

    void noChunksIsAnError()
    {
        const auto merged = mergeChunks({});
        QVERIFY(!merged);
        QCOMPARE(merged.error().code, ErrorCode::InvalidArgument);
        QVERIFY(mergeErrorOf(merged).find("list index out of range") != std::string::npos);
        QVERIFY(!mergeChunks({}, Rows));
    }

    void maskedResultsGiveTheirOwnSlices()
    {
        const at::Tensor x = random({5, 2});
        const auto cut = splitArgsKwargsIntoChunks({x}, {}, 3, {}, {}, SliceMode::Masked);
        std::vector<c10::IValue> outputs;
        for (const auto &chunk : cut->args)
            outputs.emplace_back(chunk[0].toTensor() + 1);
        const auto merged = mergeChunks(outputs, Rows, SliceMode::Masked);
        QVERIFY2(merged, mergeErrorOf(merged).c_str());
        QVERIFY(at::equal(merged->toTensor(), x + 1));
        QCOMPARE(mergeErrorOf(mergeChunks({random({4, 2}), random({3, 2})}, Rows, SliceMode::Masked)),
                 std::string("Expected shape torch.Size([4, 2]), got torch.Size([3, 2])"));
    }

    void maskedMicrobatchesGiveTheWholeBatchsBits() // pipelining.md 1.4, _debug_mask_minibatches
    {
        const at::Tensor x = random({7, 16}, 1);
        const at::Tensor weight = random({5, 16}, 2);
        const auto cut = splitArgsKwargsIntoChunks({x}, {}, 2, {}, {}, SliceMode::Masked);
        QVERIFY(cut);
        QCOMPARE(cut->rows, (std::vector<std::int64_t>{4, 3}));
        std::vector<c10::IValue> outputs;
        for (const auto &chunk : cut->args)
            outputs.emplace_back(at::linear(chunk[0].toTensor(), weight));
        const auto merged = mergeChunks(outputs, Rows, SliceMode::Masked);
        QVERIFY2(merged, mergeErrorOf(merged).c_str());
        QVERIFY(compare(at::linear(x, weight), *merged).bitwise);
    }

    void maskedMicrobatchesOfNestedDictsAreCutAlongTheirOwnDimensions()
    {
        const at::Tensor rows = random({5, 2}, 1);
        const at::Tensor columns = random({2, 5}, 2);
        const c10::IValue value = makeDict({{"tall", rows}, {"inner", makeDict({{"wide", columns}})}});
        const ChunkSpec inner{ChunkSpec::Dict{{{"wide", Columns}}}};
        const ChunkSpec spec{ChunkSpec::Dict{{{"inner", inner}, {"tall", Rows}}}};
        const auto cut = splitArgsKwargsIntoChunks({value}, {}, 2, std::vector<ChunkSpec>{spec}, {}, SliceMode::Masked);
        QVERIFY(cut);
        const auto wide = [&](std::size_t chunk) {
            return cut->args[chunk][0].toGenericDict().at("inner").toGenericDict().at("wide").toTensor();
        };
        QVERIFY(at::equal(wide(0).narrow(1, 0, 3), columns.narrow(1, 0, 3)));
        QVERIFY(at::equal(wide(0).narrow(1, 3, 2), at::zeros({2, 2})));
        QVERIFY(at::equal(wide(1).narrow(1, 0, 3), at::zeros({2, 3})));
        QVERIFY(at::equal(wide(1).narrow(1, 3, 2), columns.narrow(1, 3, 2)));
        const auto merged = mergeChunks({cut->args[0][0], cut->args[1][0]}, spec, SliceMode::Masked);
        QVERIFY2(merged, mergeErrorOf(merged).c_str());
        QVERIFY(compare(value, *merged).bitwise);
    }

    void badDimensionsHaveTorchsWords()
    {
        QCOMPARE(mergeErrorOf(mergeChunks({random({2}), random({2})}, Columns)),
                 std::string("Dimension out of range (expected to be in range of [-1, 0], but got 1)"));
    }

    void randomTreesSurviveCuttingAndJoining()
    {
        for (unsigned seed = 1; seed <= 200; ++seed) {
            std::mt19937 random(seed);
            const auto rows = static_cast<std::int64_t>(1 + random() % 9);
            const int chunks = static_cast<int>(1 + random() % 5);
            const auto [value, spec] = randomTree(random, rows, 3);
            const auto cut = splitArgsKwargsIntoChunks({value}, {}, chunks, std::vector<ChunkSpec>{spec});
            QVERIFY2(cut, fmt::format("seed {}: {}", seed, cut ? "" : cut.error().message).c_str());
            std::vector<c10::IValue> parts;
            for (const auto &args : cut->args)
                parts.push_back(args[0]);
            const auto merged = mergeChunks(parts, spec);
            QVERIFY2(merged, fmt::format("seed {}: {}", seed, mergeErrorOf(merged)).c_str());
            const Comparison result = compare(value, *merged);
            QVERIFY2(result.bitwise, fmt::format("seed {}: {}", seed, result.worst).c_str());
        }
    }

    void listsAreMergedOneAfterAnother()
    {
        const ChunkSpec byItems{microbatch::ListChunkSpec{}};
        const at::Tensor a = random({2});
        const at::Tensor b = random({3});
        const auto merged = mergeChunks({makeList({a}), makeList({b, a})}, byItems);
        QVERIFY(merged);
        QCOMPARE(merged->toTensorVector().size(), std::size_t(3));
        QVERIFY(merged->toTensorVector()[1].is_same(b));
        QVERIFY(!mergeChunks({a, b}, byItems));
        QVERIFY(!mergeChunks({makeTuple({makeList({a})}), makeTuple({makeList({b})})},
                             ChunkSpec{ChunkSpec::Tuple{{byItems}}}));
    }
};

PIPESCOPE_TEST(TestMergeChunks)
#include "tst_merge_chunks.moc"
