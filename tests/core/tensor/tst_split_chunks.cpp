#include "tensor/build_tree.h"
#include "tensor/chunks.h"
#include "tensor/compare.h"
#include "tensor/ivalue_tree.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Functions.h>
#include <ATen/core/Dict.h>
#include <ATen/core/grad_mode.h>
#include <cstddef>

#include "support/test_program.h"
#include "tensor_support.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::tensor;
using microbatch::ChunkSpec;
using tests::Columns;
using tests::random;
using tests::Rows;
using tests::Same;

namespace {

const ChunkSpec Sum{microbatch::Reducer::Sum};

std::vector<std::int64_t> rowsOf(const std::vector<std::vector<c10::IValue>> &chunks, std::size_t position,
                                 std::int64_t dim = 0)
{
    std::vector<std::int64_t> rows;
    for (const auto &chunk : chunks)
        rows.push_back(chunk[position].toTensor().size(dim));
    return rows;
}

/// Whether every byte `view` shows lies in the storage of `whole`.
bool isInside(const at::Tensor &view, const at::Tensor &whole)
{
    const auto *begin = static_cast<const std::byte *>(whole.storage().data());
    const auto *data = static_cast<const std::byte *>(view.const_data_ptr());
    return view.storage().is_alias_of(whole.storage()) && data >= begin && data < begin + whole.storage().nbytes();
}

std::string errorOf(const Result<ChunkedArguments> &result)
{
    return result ? "no error" : result.error().message;
}

using Rowcounts = std::vector<std::int64_t>;

} // namespace

class TestSplitChunks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void argsAndKwargsAreCutInTwo() // A6, the split half
    {
        const at::Tensor x0 = random({128, 512}, 1);
        const at::Tensor x1 = random({256, 512}, 2);
        const at::Tensor x2 = random({512, 512}, 3);
        const auto result = splitArgsKwargsIntoChunks({x0, x1, x2}, {{"x0", x0}, {"x1", x1}, {"x2", x2}}, 2);
        QVERIFY(result);
        QCOMPARE(result->args.size(), std::size_t(2));
        QCOMPARE(result->kwargs.size(), std::size_t(2));
        QCOMPARE(rowsOf(result->args, 0), (Rowcounts{64, 64}));
        QCOMPARE(rowsOf(result->args, 1), (Rowcounts{128, 128}));
        QCOMPARE(rowsOf(result->args, 2), (Rowcounts{256, 256}));
        QCOMPARE(result->kwargs[0][0].first, std::string("x0"));
        QCOMPARE(result->kwargs[1][2].second.toTensor().sizes(), at::IntArrayRef({256, 512}));
        QVERIFY(at::equal(result->kwargs[1][1].second.toTensor(), x1.slice(0, 128)));
        QCOMPARE(result->rows, (Rowcounts{64, 64}));
        QCOMPARE(result->lowered, std::string());
    }

    void specsByTupleAndByNameDriveTheSplit() // A8
    {
        const at::Tensor x = random({256, 512}, 1);
        const at::Tensor y = random({256, 512}, 2);
        const ChunkSpec byTuple = microbatch::fromTuple({0});
        const ChunkSpec byName = microbatch::fromDict({{"y", 0}});
        const auto result =
            splitArgsKwargsIntoChunks({x}, {{"y", y}}, 4, std::get<ChunkSpec::Tuple>(byTuple.node).items,
                                      std::get<ChunkSpec::Dict>(byName.node).entries);
        QVERIFY(result);
        QCOMPARE(rowsOf(result->args, 0), (Rowcounts{64, 64, 64, 64}));
        QCOMPARE(result->kwargs[3][0].second.toTensor().sizes(), at::IntArrayRef({64, 512}));
    }

    void chunksAreViews()
    {
        const at::Tensor x = random({10, 3});
        const auto result = splitArgsKwargsIntoChunks({x}, {}, 4);
        QVERIFY(result);
        for (const auto &chunk : result->args)
            QVERIFY(isInside(chunk[0].toTensor(), x));
        QCOMPARE(result->args[1][0].toTensor().const_data_ptr<float>(), x.const_data_ptr<float>() + 3 * 3);
    }

    void unevenRowsGoToTheFirstMicrobatches()
    {
        QCOMPARE(rowsOf(splitArgsKwargsIntoChunks({random({10, 2})}, {}, 4)->args, 0), (Rowcounts{3, 3, 2, 2}));
        QCOMPARE(rowsOf(splitArgsKwargsIntoChunks({random({8, 2})}, {}, 3)->args, 0), (Rowcounts{3, 3, 2}));
    }

    void theScarcestTensorDecidesAndIsNamed()
    {
        const auto result = splitArgsKwargsIntoChunks({random({8, 2}), random({3, 2})}, {}, 4);
        QVERIFY(result);
        QCOMPARE(rowsOf(result->args, 0), (Rowcounts{3, 3, 2}));
        QCOMPARE(rowsOf(result->args, 1), (Rowcounts{1, 1, 1}));
        QCOMPARE(result->lowered,
                 std::string("4 microbatches were asked for and 3 made: args[1] has 3 rows along dimension 0"));
        QCOMPARE(result->rows, (Rowcounts{3, 3, 2}));
    }

    void fewerRowsInKwargsCutTheArgsAgain()
    {
        const auto result = splitArgsKwargsIntoChunks({random({8, 2})}, {{"mask", random({2, 2})}}, 4);
        QVERIFY(result);
        QCOMPARE(rowsOf(result->args, 0), (Rowcounts{4, 4}));
        QCOMPARE(result->kwargs.size(), std::size_t(2));
        QVERIFY(result->lowered.find("kwargs['mask'] has 2 rows") != std::string::npos);
        const auto plain = splitArgsKwargsIntoChunks({c10::IValue(5)}, {{"x", random({3})}}, 4);
        QCOMPARE(plain->args.size(), std::size_t(3));
        QCOMPARE(plain->args[2][0].toInt(), std::int64_t(5));
    }

    void everyMicrobatchSeesItsOwnMask() // C8
    {
        const at::Tensor x = random({4, 5});
        const at::Tensor mask = at::arange(4).reshape({4, 1});
        const auto cut = splitArgsKwargsIntoChunks({x, mask}, {}, 4);
        QVERIFY(cut);
        for (std::size_t i = 0; i < 4; ++i)
            QCOMPARE(cut->args[i][1].toTensor().item<std::int64_t>(), static_cast<std::int64_t>(i));
    }

    void aMaskOfOneRowCollapsesTheBatchAndReplicateIsProposed() // C8
    {
        const at::Tensor x = random({4, 5});
        const at::Tensor mask = at::ones({1, 5});
        const auto collapsed = splitArgsKwargsIntoChunks({x, mask}, {}, 4);
        QVERIFY(collapsed);
        QCOMPARE(collapsed->args.size(), std::size_t(1));
        QCOMPARE(
            collapsed->lowered,
            std::string("4 microbatches were asked for and 1 made: args[1] has 1 row along dimension 0; if it is one "
                        "value for the whole batch, give it the chunk spec 'replicate'"));
        const auto replicated = splitArgsKwargsIntoChunks({x, mask}, {}, 4, std::vector<ChunkSpec>{Rows, Same});
        QVERIFY(replicated);
        QCOMPARE(replicated->args.size(), std::size_t(4));
        for (const auto &chunk : replicated->args)
            QVERIFY(chunk[1].toTensor().is_same(mask));
    }

    void
    aMaskTensorOfSixIsCutInSix() // A7, as far as it is a tensor: BlockMask is a Python class and not in TorchScript
    {
        const at::Tensor q = random({6, 2, 8});
        const at::Tensor mask = at::arange(6 * 4 * 4).reshape({6, 1, 4, 4});
        const auto result = splitArgsKwargsIntoChunks({q, mask}, {}, 6);
        QVERIFY(result);
        for (std::size_t i = 0; i < 6; ++i)
            QVERIFY(at::equal(result->args[i][1].toTensor(), mask.narrow(0, static_cast<std::int64_t>(i), 1)));
        QCOMPARE(rowsOf(splitArgsKwargsIntoChunks({mask}, {}, 4)->args, 0), (Rowcounts{2, 2, 1, 1}));
    }

    void nestedInputsKeepTheirContainersAndTypes()
    {
        c10::Dict<std::string, at::Tensor> dict;
        dict.insert("k", random({4, 2}));
        const c10::IValue list = c10::List<at::Tensor>({random({4}), random({6})});
        const auto result = splitArgsKwargsIntoChunks({makeTuple({list, dict, 3, c10::IValue()})}, {}, 2);
        QVERIFY(result);
        const auto &items = result->args[1][0].toTupleRef().elements();
        QVERIFY(items[0].isTensorList());
        QCOMPARE(items[0].toTensorVector()[1].size(0), std::int64_t(3));
        QCOMPARE(items[1].type()->annotation_str(), std::string("Dict[str, Tensor]"));
        QCOMPARE(items[1].toGenericDict().at("k").toTensor().size(0), std::int64_t(2));
        QCOMPARE(items[2].toInt(), std::int64_t(3));
        QVERIFY(items[3].isNone());
    }

    void nestedSpecsFollowTheValue()
    {
        const c10::IValue value = makeTuple({random({4, 6}), makeList({random({4, 6}), random({2, 6})}), 7});
        const ChunkSpec spec{ChunkSpec::Tuple{{Columns, {ChunkSpec::List{{Rows, Same}}}, Same}}};
        const auto result = splitArgsKwargsIntoChunks({value}, {}, 2, std::vector<ChunkSpec>{spec});
        QVERIFY(result);
        const auto &items = result->args[0][0].toTupleRef().elements();
        QCOMPARE(items[0].toTensor().sizes(), at::IntArrayRef({4, 3}));
        QCOMPARE(items[1].toTensorVector()[0].sizes(), at::IntArrayRef({2, 6}));
        QCOMPARE(items[1].toTensorVector()[1].sizes(), at::IntArrayRef({2, 6}));
        QCOMPARE(result->rows, (Rowcounts{3, 3}));
    }

    void negativeDimensionsCountFromTheBack()
    {
        const auto result = splitArgsKwargsIntoChunks({random({4, 6})}, {}, 3,
                                                      std::vector<ChunkSpec>{{microbatch::TensorChunkSpec{-1}}});
        QVERIFY(result);
        QCOMPARE(rowsOf(result->args, 0, 1), (Rowcounts{2, 2, 2}));
    }

    void kwargsSpecsMatchByName()
    {
        const Kwargs kwargs{{"a", random({4, 6})}, {"b", random({4, 6})}};
        const auto result =
            splitArgsKwargsIntoChunks({}, kwargs, 2, {}, ChunkSpec::Entries{{"b", Rows}, {"a", Columns}});
        QVERIFY(result);
        QCOMPARE(result->kwargs[0][0].second.toTensor().sizes(), at::IntArrayRef({4, 3}));
        QCOMPARE(result->kwargs[0][1].second.toTensor().sizes(), at::IntArrayRef({2, 6}));
    }

    void dictsInsideMatchByName()
    {
        const c10::IValue dict = makeDict({{"a", random({4, 6})}, {"b", random({4, 6})}});
        const ChunkSpec spec{ChunkSpec::Dict{{{"b", Rows}, {"a", Columns}}}};
        const auto result = splitArgsKwargsIntoChunks({dict}, {}, 2, std::vector<ChunkSpec>{spec});
        QVERIFY(result);
        QCOMPARE(result->args[0][0].toGenericDict().at("a").toTensor().sizes(), at::IntArrayRef({4, 3}));
        const ChunkSpec wrong{ChunkSpec::Dict{{{"a", Rows}, {"c", Rows}}}};
        const std::string error = errorOf(splitArgsKwargsIntoChunks({dict}, {}, 2, std::vector<ChunkSpec>{wrong}));
        QVERIFY2(error.find("names 'c', which the dict does not have") != std::string::npos, error.c_str());
    }

    void whatIsReplicatedInsideAListIsTheSameInEveryMicrobatch()
    {
        const at::Tensor a = random({4});
        const at::Tensor b = random({3}, 2);
        const ChunkSpec spec{ChunkSpec::List{{Same, Same}}};
        const auto result =
            splitArgsKwargsIntoChunks({random({2}), makeList({a, b})}, {}, 2, std::vector<ChunkSpec>{Rows, spec});
        QVERIFY(result);
        QCOMPARE(result->args.size(), std::size_t(2));
        for (const auto &chunk : result->args) {
            QVERIFY(chunk[1].toTensorVector()[0].is_same(a));
            QVERIFY(chunk[1].toTensorVector()[1].is_same(b));
        }
        // The lists are each microbatch's own, as upstream's are: an append in one is not seen in the other.
        QVERIFY(!result->args[0][1].is(result->args[1][1]));
    }

    void aSpecThatLeavesAnArgumentOutIsRefused()
    {
        const at::Tensor x = random({4});
        QCOMPARE(errorOf(splitArgsKwargsIntoChunks({}, {{"a", x}, {"b", x}}, 2, {}, ChunkSpec::Entries{{"a", Rows}})),
                 std::string("args_dict.keys() = ['a', 'b'] args_chunk_spec.keys() = ['a']"));
    }

    void unknownNamesAreRefusedWithTheNearest()
    {
        const auto result =
            splitArgsKwargsIntoChunks({}, {{"mask", random({2})}}, 2, {}, ChunkSpec::Entries{{"masks", Rows}});
        QCOMPARE(errorOf(result),
                 std::string("args_dict.keys() = ['mask'] args_chunk_spec.keys() = ['masks']: there is no "
                             "argument 'masks'. Did you mean mask?"));
    }

    void countsThatDoNotFitHaveUpstreamsWords()
    {
        const at::Tensor x = random({4});
        QCOMPARE(errorOf(splitArgsKwargsIntoChunks({x, x}, {}, 2, std::vector<ChunkSpec>{Rows})),
                 std::string("args_dict.keys() = [0, 1] args_chunk_spec.keys() = [0]"));
        const auto shorter = splitArgsKwargsIntoChunks({makeTuple({x, x})}, {}, 2, std::vector<ChunkSpec>{Rows});
        QCOMPARE(errorOf(shorter), std::string("the chunk spec 0 has 1 part, and the value has 2 parts ([0], [1]); "
                                               "give it one for each"));
        QCOMPARE(shorter.error().details, std::string("zip() argument 2 is shorter than argument 1"));
        const ChunkSpec two{ChunkSpec::Tuple{{Rows, Rows}}};
        const auto longer = splitArgsKwargsIntoChunks({x}, {}, 2, std::vector<ChunkSpec>{two});
        QCOMPARE(errorOf(longer),
                 std::string("the chunk spec (0, 0) has 2 parts, and the value has 1 part; give it one for each"));
        QCOMPARE(longer.error().details, std::string("zip() argument 2 is longer than argument 1"));
    }

    void specsThatDoNotFitTheValueHaveUpstreamsWords()
    {
        QCOMPARE(errorOf(splitArgsKwargsIntoChunks({c10::IValue(3)}, {}, 2, std::vector<ChunkSpec>{Rows})),
                 std::string("Unsupported chunk spec: TensorChunkSpec(0) and value: 3 combination. It is no tensor: "
                             "give it 'replicate'"));
        QCOMPARE(errorOf(splitArgsKwargsIntoChunks({c10::IValue()}, {}, 2, std::vector<ChunkSpec>{Columns})),
                 std::string("Unsupported chunk spec: TensorChunkSpec(1) and value: None combination. It is no "
                             "tensor: give it 'replicate'"));
        QCOMPARE(errorOf(splitArgsKwargsIntoChunks({random({2})}, {}, 2, std::vector<ChunkSpec>{Sum})),
                 std::string("Expected TensorChunkSpec, got sum, which joins outputs; give it a dimension, or "
                             "'replicate'"));
        QCOMPARE(errorOf(splitArgsKwargsIntoChunks({c10::IValue(3)}, {}, 2, std::vector<ChunkSpec>{Sum})),
                 std::string("Unsupported chunk spec: sum and value: 3 combination. It is no tensor: give it "
                             "'replicate'"));
    }

    void badDimensionsHaveTorchsWords()
    {
        const auto zeroDim = splitArgsKwargsIntoChunks({at::scalar_tensor(1)}, {}, 2);
        QCOMPARE(errorOf(zeroDim), std::string("Dimension specified as 0 but tensor has no dimensions; it is one value "
                                               "for the whole batch: give it the chunk spec 'replicate'"));
        QCOMPARE(zeroDim.error().where, std::string("args[0]"));
        QCOMPARE(errorOf(splitArgsKwargsIntoChunks({random({2, 2})}, {}, 2,
                                                   std::vector<ChunkSpec>{{microbatch::TensorChunkSpec{5}}})),
                 std::string("Dimension out of range (expected to be in range of [-2, 1], but got 5)"));
    }

    void noChunksAndNoRowsHaveTorchsWords()
    {
        const at::Tensor x = random({4});
        QCOMPARE(errorOf(splitArgsKwargsIntoChunks({x}, {}, 0)),
                 std::string("number of sections must be larger than 0, got 0"));
        QCOMPARE(errorOf(splitArgsKwargsIntoChunks({x}, {}, -1)),
                 std::string("number of sections must be larger than 0, got -1"));
        const auto noRows = splitArgsKwargsIntoChunks({x, at::zeros({0, 3})}, {}, 2);
        QCOMPARE(
            errorOf(noRows),
            std::string("it has no rows along dimension 0, so that there is nothing to cut (number of sections must "
                        "be larger than 0, got 0); give it at least one row for each microbatch, or leave it whole "
                        "with the chunk spec 'replicate'"));
        QCOMPARE(noRows.error().where, std::string("args[1]"));
    }

    void nothingToCutIsTheSameInEveryMicrobatch()
    {
        const auto empty = splitArgsKwargsIntoChunks({}, {}, 3);
        QVERIFY(empty);
        QCOMPARE(empty->args.size(), std::size_t(3));
        QVERIFY(empty->args[2].empty());
        QVERIFY(empty->kwargs[2].empty());
        QCOMPARE(empty->rows, (Rowcounts{0, 0, 0}));
        const auto values = splitArgsKwargsIntoChunks({c10::IValue("a"), c10::IValue()}, {{"k", true}}, 2);
        QVERIFY(values);
        QCOMPARE(values->args[1][0].toStringRef(), std::string("a"));
        QVERIFY(values->kwargs[1][0].second.toBool());
    }

    void gradientsAreReadableOnViewsOfALeaf()
    {
        const at::Tensor x = random({4, 2}).requires_grad_();
        const auto result = splitArgsKwargsIntoChunks({x}, {}, 2);
        QVERIFY(result);
        for (const auto &chunk : result->args) {
            QVERIFY(chunk[0].toTensor().retains_grad());
            (chunk[0].toTensor() * 3).sum().backward();
        }
        QVERIFY(at::equal(result->args[1][0].toTensor().grad(), at::full({2, 2}, 3.0F)));
        QVERIFY(at::equal(x.grad(), at::full({4, 2}, 3.0F)));
    }

    void leavesThatRequireGradAreCutWithGradientsOff()
    {
        const at::NoGradGuard off;
        const auto result = splitArgsKwargsIntoChunks({random({4, 2}).requires_grad_()}, {}, 2);
        QVERIFY2(result, errorOf(result).c_str());
    }

    void maskedMicrobatchesAreFullSizeAndZeroOutsideTheirSlice()
    {
        const at::Tensor x = at::arange(1, 6).reshape({5, 1});
        const auto result = splitArgsKwargsIntoChunks({x}, {}, 2, {}, {}, SliceMode::Masked);
        QVERIFY(result);
        QVERIFY(at::equal(result->args[0][0].toTensor().flatten(), at::tensor({1, 2, 3, 0, 0}, at::kLong)));
        QVERIFY(at::equal(result->args[1][0].toTensor().flatten(), at::tensor({0, 0, 0, 4, 5}, at::kLong)));
        QCOMPARE(result->rows, (Rowcounts{3, 2}));
    }

    void aListIsCutBetweenItsItemsOfAnyKind()
    {
        const ChunkSpec byItems{microbatch::ListChunkSpec{}};
        const c10::List<std::string> words({"a", "b", "c", "d", "e"});
        const auto cut = splitArgsKwargsIntoChunks({random({6})}, {{"words", words}}, 3, {{Rows}},
                                                   ChunkSpec::Entries{{"words", byItems}});
        QVERIFY(cut);
        QCOMPARE(cut->kwargs[0][0].second.toListRef().size(), std::size_t(2));
        QCOMPARE(cut->kwargs[2][0].second.toListRef().size(), std::size_t(1));
        QCOMPARE(cut->kwargs[2][0].second.toListRef()[0].toStringRef(), std::string("e"));
        QVERIFY(*cut->kwargs[0][0].second.type() == *c10::IValue(words).type());
    }

    void valuesNestedTooDeeplyAreRefused()
    {
        c10::IValue value = random({2});
        for (int i = 0; i < 100; ++i)
            value = makeTuple({value});
        QVERIFY(errorOf(splitArgsKwargsIntoChunks({value}, {}, 2)).find("64 levels") != std::string::npos);
    }
};

PIPESCOPE_TEST(TestSplitChunks)
#include "tst_split_chunks.moc"
