#include "engine/chunk_hints.h"
#include "engine/chunking.h"
#include "engine/spread_spec.h"

#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using engine::cutArguments;
using engine::spreadSpec;
using microbatch::ChunkSpec;
using microbatch::parseChunkSpec;

namespace {

c10::IValue nested()
{
    c10::Dict<std::string, at::Tensor> dict;
    dict.insert("mask", at::ones({4, 2}));
    return c10::ivalue::Tuple::create({at::ones({4}), 7, dict});
}

std::vector<graph::Argument> arguments(const std::vector<std::string> &names)
{
    std::vector<graph::Argument> result;
    for (const std::string &name : names)
        result.push_back({name, "Tensor", {}, false, {}});
    return result;
}

} // namespace

class TestChunking : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void oneWordStandsForEveryTensorBelowIt()
    {
        QCOMPARE(toText(*spreadSpec(*parseChunkSpec("1"), nested())), std::string("(1, replicate, {mask: 1})"));
        QCOMPARE(toText(*spreadSpec(*parseChunkSpec("replicate"), nested())),
                 std::string("(replicate, replicate, {mask: replicate})"));
    }

    void aTreeIsTakenAsItIs()
    {
        const ChunkSpec tree = *parseChunkSpec("(0, replicate, {mask: -1})");
        QCOMPARE(*spreadSpec(tree, nested()), tree);
        QCOMPARE(*spreadSpec(*parseChunkSpec("1"), at::ones({4})), *parseChunkSpec("1"));
        const ChunkSpec other = *parseChunkSpec("(0, 0)"); // of another structure
        QCOMPARE(*spreadSpec(other, nested()), other);
    }

    void aWordInsideATreeStandsForAllBelowIt()
    {
        QCOMPARE(toText(*spreadSpec(*parseChunkSpec("(replicate, replicate, 1)"), nested())),
                 std::string("(replicate, replicate, {mask: 1})"));
        const c10::List<at::Tensor> two({at::ones({3}), at::ones({3})});
        QCOMPARE(toText(*spreadSpec(*parseChunkSpec("(list, 0)"), c10::ivalue::Tuple::create({two, nested()}))),
                 std::string("(list, (0, replicate, {mask: 0}))"));
    }

    void argumentsWithoutASpecAreCutInRows()
    {
        const auto cut = cutArguments(arguments({"x", "mask"}), {at::ones({6, 2}), at::ones({3, 6})},
                                      {{"mask", *parseChunkSpec("1")}}, 4);
        QVERIFY(cut);
        QCOMPARE(cut->rows, (std::vector<std::int64_t>{2, 2, 1, 1}));
        QCOMPARE(cut->args[0][1].toTensor().sizes().vec(), (std::vector<std::int64_t>{3, 2}));
        QCOMPARE(cut->args[3][0].toTensor().sizes().vec(), (std::vector<std::int64_t>{1, 2}));
        QVERIFY(cut->lowered.empty());
    }

    void inputsThatAreCutAndDifferInRowsAreTold_data()
    {
        QTest::addColumn<std::string>("chunk"); // of the mask
        QTest::addColumn<int>("rows");          // of the mask
        QTest::addColumn<int>("microbatches");
        QTest::addColumn<bool>("told");
        QTest::newRow("as many") << std::string() << 8 << 4 << false;
        QTest::newRow("more") << std::string() << 32 << 4 << true;
        QTest::newRow("more, in one microbatch") << std::string() << 32 << 1 << false;
        QTest::newRow("more, replicated") << std::string("replicate") << 32 << 4 << false;
        QTest::newRow("more, cut as the user says") << std::string("0") << 32 << 4 << false;
    }
    void inputsThatAreCutAndDifferInRowsAreTold()
    {
        QFETCH(std::string, chunk);
        QFETCH(int, rows);
        QFETCH(int, microbatches);
        QFETCH(bool, told);
        engine::NamedChunkSpecs specs;
        if (!chunk.empty())
            specs.emplace_back("mask", *parseChunkSpec(chunk));
        const std::string hint = engine::unlikeRows(arguments({"n", "tokens", "mask"}),
                                                    {3, at::ones({8, 2}), at::ones({rows, 32})}, specs, microbatches);
        QCOMPARE(hint,
                 told ? "input 'tokens' has 8 rows and 'mask' 32, and both are cut on dimension 0: one that is not "
                        "made of the batch's rows needs `replicate` as chunk spec, as in --chunk mask=replicate"
                      : std::string());
    }

    void aListIsCutBetweenItsItems()
    {
        const c10::List<at::Tensor> images({at::ones({3, 5, 4}), at::ones({3, 2, 2}), at::ones({3, 1, 1})});
        const auto cut =
            cutArguments(arguments({"images", "x"}), {images, at::ones({4})}, {{"images", *parseChunkSpec("list")}}, 2);
        QVERIFY(cut);
        QCOMPARE(cut->rows, (std::vector<std::int64_t>{2, 1}));
        QCOMPARE(cut->args[0][0].toTensorVector().size(), std::size_t(2));
        QCOMPARE(cut->args[1][0].toTensorVector().size(), std::size_t(1));
        QVERIFY(cut->args[1][0].toTensorVector().front().is_same(images.get(2)));
        QCOMPARE(cut->args[1][1].toTensor().size(0), std::int64_t(2));
    }

    void aListOfFewerItemsLowersTheCountAndSaysSo()
    {
        const c10::List<at::Tensor> two({at::ones({3}), at::ones({3})});
        const auto cut = cutArguments(arguments({"images"}), {two}, {{"images", *parseChunkSpec("list")}}, 8);
        QVERIFY(cut);
        QCOMPARE(cut->args.size(), std::size_t(2));
        QCOMPARE(cut->lowered, std::string("8 microbatches were asked for and 2 made: input 'images' has 2 items"));
    }

    void onlyAListIsCutBetweenItsItems()
    {
        const auto error = [](const c10::IValue &value, const char *spec) {
            const auto cut = cutArguments(arguments({"x"}), {value}, {{"x", *parseChunkSpec(spec)}}, 2);
            return cut ? std::string("none") : cut.error().where + ": " + cut.error().message;
        };
        QCOMPARE(error(at::ones({4}), "list"),
                 std::string("input 'x': the chunk spec 'list' is for a list, and this is Tensor(torch.Size([4]), "
                             "grad=False, dtype=torch.float32); give it a dimension, or 'replicate'"));
        const c10::List<at::Tensor> two({at::ones({3}), at::ones({3})});
        QCOMPARE(error(c10::ivalue::Tuple::create({two, at::ones({4})}), "(0, list)"),
                 std::string("input 'x': the chunk spec 'list' is for a list, and this is Tensor(torch.Size([4]), "
                             "grad=False, dtype=torch.float32); give it a dimension, or 'replicate'"));
        QVERIFY(QString::fromStdString(error(c10::List<at::Tensor>(), "list"))
                    .startsWith("input 'x': the list has no items, so that there is nothing to cut "));
    }

    void aListInsideAnInputIsCutBetweenItsItems()
    {
        const c10::List<at::Tensor> images({at::ones({3, 5}), at::ones({3, 2}), at::ones({3, 1})});
        c10::Dict<std::string, c10::List<at::Tensor>> dict;
        dict.insert("images", images);
        const c10::IValue batch = c10::ivalue::Tuple::create({dict, at::ones({3, 2}), 7, c10::List<at::Tensor>({})});
        const auto cut =
            cutArguments(arguments({"x"}), {batch}, {{"x", *parseChunkSpec("({images: list}, 0, replicate, [])")}}, 2);
        QVERIFY2(cut, cut ? "" : cut.error().message.c_str());
        QCOMPARE(cut->rows, (std::vector<std::int64_t>{2, 1}));
        const auto &second = cut->args[1][0].toTupleRef().elements();
        const c10::IValue part = second[0].toGenericDict().at("images");
        QCOMPARE(part.toTensorVector().size(), std::size_t(1));
        QVERIFY(part.toTensorVector().front().is_same(images.get(2)));
        QCOMPARE(second[0].type()->annotation_str(), std::string("Dict[str, List[Tensor]]"));
        QCOMPARE(second[1].toTensor().size(0), std::int64_t(1));
        QCOMPARE(second[2].toInt(), std::int64_t(7));
        const auto none = cutArguments(arguments({"x"}), {batch},
                                       {{"x", *parseChunkSpec("({images: list}, 0, replicate, list)")}}, 2);
        QVERIFY(!none);
        QCOMPARE(none.error().where, std::string("input 'x'[3]"));
        QVERIFY2(none.error().message.starts_with("the list has no items"), none.error().message.c_str());
    }

    void partsThatDoNotFitAreCounted()
    {
        const auto cut = cutArguments(arguments({"x"}), {nested()}, {{"x", *parseChunkSpec("(0, 0)")}}, 2);
        QVERIFY(!cut);
        QCOMPARE(cut.error().where, std::string("input 'x'"));
        QCOMPARE(cut.error().message, std::string("the chunk spec (0, 0) has 2 parts, and the value has 3 parts ([0], "
                                                  "[1], [2]['mask']); give it one for each"));
        const auto lists = [](const c10::IValue &value) {
            const auto made = cutArguments(arguments({"x"}), {value}, {{"x", *parseChunkSpec("(list, 0)")}}, 2);
            return made ? std::string("none") : made.error().message;
        };
        QCOMPARE(lists(nested()),
                 std::string("the chunk spec (list, 0) has 2 parts, and the value has 3 parts; give it "
                             "one for each"));
        QCOMPARE(lists(7), std::string("the chunk spec (list, 0) is for a tuple, list or dict, and this is 7"));
    }

    void tensorsOfAListThatDifferInSizeAreTold()
    {
        const c10::List<at::Tensor> unlike({at::ones({3, 5}), at::ones({3, 4})});
        const c10::List<at::Tensor> like({at::ones({3, 5}), at::ones({3, 5})});
        const auto told = [](const c10::IValue &images, const engine::NamedChunkSpecs &specs = {}) {
            return engine::unlikeRows(arguments({"images"}), {images}, specs, 2);
        };
        QCOMPARE(told(unlike),
                 std::string("the items of 'images' differ in size, and each tensor in it is cut on dimension 0: where "
                             "the items are samples, --chunk images=list cuts the list between them"));
        QCOMPARE(told(like), std::string());
        QCOMPARE(told(unlike, {{"images", *parseChunkSpec("list")}}), std::string());
    }

    void dictsOfAListThatDifferInSizeAreTold()
    {
        const auto sample = [](std::int64_t boxes) {
            c10::Dict<std::string, at::Tensor> dict;
            dict.insert("boxes", at::ones({boxes, 4}));
            dict.insert("labels", at::ones({boxes}));
            return dict;
        };
        const auto told = [&](std::int64_t boxes) {
            c10::impl::GenericList samples(c10::DictType::create(c10::StringType::get(), c10::TensorType::get()));
            samples.push_back(sample(3));
            samples.push_back(sample(boxes));
            return engine::unlikeRows(arguments({"targets"}), {samples}, {}, 2);
        };
        QVERIFY(told(2).ends_with("--chunk targets=list cuts the list between them"));
        QCOMPARE(told(3), std::string());
    }

    void anOutputThatIsAListOfAsManyIsTold()
    {
        const c10::List<at::Tensor> images({at::ones({3, 5}), at::ones({3, 5})});
        const auto told = [&](const c10::IValue &output) {
            return engine::listsOfSamples(arguments({"images"}), {images}, {}, {output});
        };
        const std::string hint = "'images' and an output are lists of 2: where these are samples, --chunk images=list "
                                 "cuts the list between them, and not each tensor";
        QCOMPARE(told(images), hint);
        QCOMPARE(told(c10::ivalue::Tuple::create({at::ones({3}), images})), hint);
        QCOMPARE(told(c10::List<at::Tensor>({at::ones({3})})), std::string());
        QCOMPARE(told(at::ones({2})), std::string());
    }

    void theDimensionThatIsAsLongAsTheBatchIsTold()
    {
        const auto told = [](const at::Tensor &h, const engine::NamedChunkSpecs &specs = {}) {
            return engine::otherDimensions(arguments({"x", "h"}), {at::ones({8, 5, 4}), h}, specs);
        };
        QCOMPARE(told(at::ones({1, 8, 16})),
                 std::string("; dimension 1 of 'h' is as long as the batch: --chunk h=1 cuts it there"));
        QCOMPARE(told(at::ones({1, 7, 16})), std::string());
        QCOMPARE(told(at::ones({8, 8})), std::string());
        QCOMPARE(told(at::ones({1, 8, 16}), {{"h", *parseChunkSpec("1")}}), std::string());
    }

    void aSpecForAnUnknownInputNamesTheNearest()
    {
        const auto cut =
            cutArguments(arguments({"x", "mask"}), {at::ones({6}), at::ones({6})}, {{"maks", *parseChunkSpec("0")}}, 2);
        QVERIFY(!cut);
        QVERIFY(cut.error().code == ErrorCode::NotFound);
        QCOMPARE(cut.error().message,
                 std::string("the method has no input 'maks' to cut. Did you mean mask? It has: x, mask."));
    }

    void oneMicrobatchNeedsNoRows()
    {
        const auto one = cutArguments(arguments({"x", "k", "none"}),
                                      {at::ones({6, 2}), at::scalar_tensor(3), at::ones({0, 8})}, {}, 1);
        QVERIFY(one);
        QCOMPARE(one->rows, (std::vector<std::int64_t>{6}));
        QCOMPARE(one->args[0][1].toTensor().item<float>(), 3.0F);
        QCOMPARE(one->args[0][2].toTensor().sizes().vec(), (std::vector<std::int64_t>{0, 8}));
    }

    void whatHasNoRowsToCutIsToldWhatToDo()
    {
        const auto number = cutArguments(arguments({"x", "k"}), {at::ones({6, 2}), at::scalar_tensor(3)}, {}, 2);
        QVERIFY(!number);
        QCOMPARE(number.error().where, std::string("input 'k'"));
        QCOMPARE(number.error().message,
                 std::string("Dimension specified as 0 but tensor has no dimensions; it is one value for the whole "
                             "batch: give it the chunk spec 'replicate'"));
        const auto empty = cutArguments(arguments({"x"}), {at::ones({0, 8})}, {}, 2);
        QVERIFY(!empty);
        QCOMPARE(empty.error().where, std::string("input 'x'"));
        QVERIFY(QString::fromStdString(empty.error().message).startsWith("it has no rows along dimension 0, "));
    }

    void tooFewRowsLowerTheCountAndSaySo()
    {
        const auto cut = cutArguments(arguments({"x"}), {at::ones({3, 2})}, {}, 8);
        QVERIFY(cut);
        QCOMPARE(cut->args.size(), std::size_t(3));
        QVERIFY(!cut->lowered.empty());
    }
};

PIPESCOPE_TEST(TestChunking)
#include "tst_chunking.moc"
