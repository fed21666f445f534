#include "layout_output.h"

#include "support/contains.h"
#include "support/layouts.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QFloat16>
#include <QTest>
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

using namespace pipescope;
using app::Detail;
using app::LayoutLimits;
using tests::contains;
using tests::layoutOf;

namespace {

std::string textOf(const shard::Layout &layout, Detail detail = Detail::Short)
{
    return app::layoutText(layout, {}, detail, {});
}

std::string pictureOf(const shard::Layout &layout, const app::PictureAxes &axes)
{
    return app::layoutPicture(layout, axes, app::limitsOf(Detail::Short));
}

std::string axesError(std::string_view text, int ndim)
{
    const auto axes = app::parseAxes(text, ndim);
    return axes ? "no error" : axes.error().message;
}

} // namespace

class TestTextLayout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void aLayoutIsToldInWordsInATableAndInAPicture()
    {
        QCOMPARE(textOf(layoutOf("dp=2,tp=2", "S0,R", {5, 4})),
                 std::string("Spec(f32[5, 4](S(0)R)) over DeviceMesh((dp=2, tp=2), 'cpu', stride=(2, 1))\n"
                             "dp: 2 ranks share dimension 0\n"
                             "tp: 2 ranks hold copies\n"
                             "each element is on 2 of 4 ranks; a rank holds at most 48 B\n"
                             "\n"
                             "rank  coordinate  shape   dim 0  dim 1  bytes\n"
                             "   0  (0, 0)      [3, 4]  0:3    0:4     48 B\n"
                             "   1  (0, 1)      [3, 4]  0:3    0:4     48 B\n"
                             "   2  (1, 0)      [2, 4]  3:5    0:4     32 B\n"
                             "   3  (1, 1)      [2, 4]  3:5    0:4     32 B\n"
                             "\n"
                             "rows: dimension 0, columns: dimension 1; cells: ranks\n"
                             "rows  0:4\n"
                             "0:3   0,1\n"
                             "3:5   2,3\n"
                             "a,b: copies\n"));
    }

    void everyPlacementHasItsWords()
    {
        QCOMPARE(app::meshDimText(layoutOf("2,4", "S0,R", {8}), 0),
                 std::string("mesh dimension 0: 2 ranks share dimension 0"));
        QCOMPARE(app::meshDimText(layoutOf("2,4", "S0,S0", {8}, "0:1,0"), 0),
                 std::string("mesh dimension 0: 2 ranks share dimension 0, cut 2 of 2"));
        QCOMPARE(
            app::meshDimText(layoutOf("a=2,b=4", "SS(0,4),S0", {8}), 0),
            std::string("a: 2 ranks share dimension 0, cut 1 of 2, in strides: cut in 4 pieces, a rank has a chunk "
                        "of each"));
        QCOMPARE(app::meshDimText(layoutOf("a=2", "P(avg)", {8}), 0),
                 std::string("a: 2 ranks hold partial values; the tensor is their average"));
        QCOMPARE(app::meshDimText(layoutOf("a=2", "NormP(2)", {8}), 0),
                 std::string("a: 2 ranks hold partial norms; the tensor is the 2-norm of them"));
        QCOMPARE(app::meshDimText(layoutOf("a=1", "S0", {8}), 0), std::string("a: 1 rank, which has all"));
    }

    void emptyShardsAreNamed()
    {
        const std::string text = textOf(layoutOf("4", "S0", {2}));
        QVERIFY(contains(text, "2 ranks hold nothing: 2, 3\n"));
        QVERIFY(contains(text, "   3  (3)         [0]    none     0 B\n"));
        QVERIFY(contains(textOf(layoutOf("4", "S0", {5})), "1 rank holds nothing: 3\n"));
        QVERIFY(!contains(textOf(layoutOf("4", "S0", {8})), "nothing"));
        const std::string large = textOf(layoutOf("64", "S0", {2}));
        QVERIFY(contains(large, "62 ranks hold nothing: 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17 and 46 "
                                "more\n"));
    }

    void stridedShardsAreDrawnInBands()
    {
        const shard::Layout layout = layoutOf("2", "SS(0,2)", {9, 3});
        QVERIFY(contains(textOf(layout), "   0  (0)         [5, 3]  0:3, 5:7  0:3     60 B\n"));
        QCOMPARE(pictureOf(layout, {0, 1}), std::string("rows: dimension 0, columns: dimension 1; cells: ranks\n"
                                                        "rows  0:3\n"
                                                        "0:3   0\n"
                                                        "3:5   1\n"
                                                        "5:7   0\n"
                                                        "7:9   1\n"));
    }

    void manyStridesAreCutAfterAFew()
    {
        const std::string text = textOf(layoutOf("2", "SS(0,1000)", {4000}));
        QVERIFY(contains(text, "0:2, 4:6, 8:10, 12:14 and 1992 more indices"));
        QVERIFY(contains(text, "rows 32:4000 are left out\n"));
    }

    void copiesAndPartialValuesAreToldApart()
    {
        QCOMPARE(pictureOf(layoutOf("2,2,2", "S0,P(max),R", {4, 6}), {0, 1}),
                 std::string("rows: dimension 0, columns: dimension 1; cells: ranks\n"
                             "rows  0:6\n"
                             "0:2   0,1 + 2,3\n"
                             "2:4   4,5 + 6,7\n"
                             "a,b: copies\n"
                             "a + b: partial values, Partial(max)\n"));
        QVERIFY(contains(pictureOf(layoutOf("16", "R", {4}), {0}), "0:4   0,1,..,15\n"));
    }

    void aTensorOfOneDimensionIsAColumn()
    {
        QCOMPARE(pictureOf(layoutOf("2,2", "S0,S0", {7}), {0}), std::string("rows: dimension 0; cells: ranks\n"
                                                                            "rows  ranks\n"
                                                                            "0:2   0\n"
                                                                            "2:4   1\n"
                                                                            "4:6   2\n"
                                                                            "6:7   3\n"));
    }

    void twoDimensionsOfManyAreChosen()
    {
        const shard::Layout layout = layoutOf("2,2", "S0,S2", {4, 5, 6});
        QVERIFY(textOf(layout).ends_with("\n--axes 0,1 draws a picture of two dimensions\n"));
        QCOMPARE(pictureOf(layout, {2, 0}),
                 std::string("rows: dimension 2, columns: dimension 0; the others at index 0; cells: ranks\n"
                             "rows  0:2  2:4\n"
                             "0:3   0    2\n"
                             "3:6   1    3\n"));
        QVERIFY(contains(app::layoutText(layout, {1}, Detail::Short, {}), "rows  ranks\n0:5   0\n"));
    }

    void axesAreDimensionsOfTheTensor()
    {
        QCOMPARE(*app::parseAxes("0,2", 3), (app::PictureAxes{0, 2}));
        QCOMPARE(*app::parseAxes("-1", 3), (app::PictureAxes{2}));
        QCOMPARE(axesError("3", 3), std::string("there is no dimension 3: the tensor has 3 dimensions at column 1"));
        QCOMPARE(axesError("0", 0), std::string("there is no dimension 0: the tensor has 0 dimensions at column 1"));
        QCOMPARE(axesError("0,1,2", 3), std::string("more than two dimensions at column 5"));
        QCOMPARE(axesError("1,-2", 3), std::string("dimension 1 is named twice at column 3"));
        QCOMPARE(axesError("", 3), std::string("expected a dimension of the tensor, found the end at column 1."));
        QCOMPARE(axesError("0 1", 3), std::string("expected ',' or the end, found '1' at column 3."));
    }

    void aTensorWithoutElementsOrDimensionsHasNoPicture()
    {
        QVERIFY(
            textOf(layoutOf("2", "S0", {0, 3})).ends_with("\nthe tensor has no elements, so there is no picture\n"));
        QCOMPARE(textOf(layoutOf("2", "P", {})),
                 std::string("Spec(f32[](P(sum))) over DeviceMesh((2,), 'cpu', "
                             "stride=(1,))\n"
                             "mesh dimension 0: 2 ranks hold partial values; the tensor "
                             "is their sum\n"
                             "each element is on 2 of 2 ranks; a rank holds at most 4 "
                             "B\n"
                             "\n"
                             "rank  coordinate  shape  bytes\n"
                             "   0  (0)         []       4 B\n"
                             "   1  (1)         []       4 B\n"));
    }

    void aLargeMeshIsCutAfterAFewRanks()
    {
        const shard::Layout layout = layoutOf("64,64", "S0,S1", {1 << 20, 1 << 20});
        const std::string text = textOf(layout);
        QVERIFY(contains(text, "and 4064 more ranks; --all lists them\n"));
        QVERIFY(contains(text, "columns 131072:1048576 are left out\n"));
        QVERIFY(std::count(text.begin(), text.end(), '\n') < 80);
        QVERIFY(contains(textOf(layout, Detail::All), "\n4095  (63, 63)"));
        QCOMPARE(app::toJson(layout, Detail::Short).at("ranks").size(), std::size_t{32});
        QCOMPARE(app::toJson(layout, Detail::Short).at("ranks_left_out").get<int>(), 4064);
        QCOMPARE(app::toJson(layout, Detail::All).at("ranks").size(), std::size_t{4096});
    }

    void theLongestTensorIsShown()
    {
        shard::LayoutRequest request{tests::meshOf("4"),
                                     {shard::StridedShard{0, std::int64_t{1} << 40}},
                                     {std::numeric_limits<std::int64_t>::max()},
                                     {},
                                     {},
                                     "int8"};
        const shard::Layout layout = *shard::Layout::make(request);
        QVERIFY(contains(textOf(layout), "0:2097152, 8388608:10485760, "));
        QVERIFY(contains(textOf(layout, Detail::All), "more indices"));
        QCOMPARE(app::toJson(layout, Detail::Short).at("ranks").at(0).at("ranges_complete").get<bool>(), false);
    }

    void theJsonSaysTheSame()
    {
        const nlohmann::json object = app::toJson(layoutOf("dp=2,tp=2", "S0,S0", {5, 4}, "0:1,0"), Detail::Short);
        QCOMPARE(object.at("shape"), (nlohmann::json{5, 4}));
        QCOMPARE(object.at("dtype"), nlohmann::json("float32"));
        QCOMPARE(object.at("bytes"), nlohmann::json(80));
        QCOMPARE(object.at("mesh"),
                 (nlohmann::json{{"shape", {2, 2}}, {"names", {"dp", "tp"}}, {"device_type", "cpu"}, {"ranks", 4}}));
        QCOMPARE(object.at("placements"), (nlohmann::json{"S(0)", "S(0)"}));
        QCOMPARE(object.at("order").dump(), std::string(R"([{"mesh_dims":[1,0],"tensor_dim":0}])"));
        QCOMPARE(object.at("layout"), nlohmann::json("S(0)[1]S(0)[0]"));
        QCOMPARE(object.at("copies"), nlohmann::json(1));
        QCOMPARE(object.at("largest_bytes"), nlohmann::json(32));
        QCOMPARE(object.at("ranks").size(), std::size_t{4});
        QCOMPARE(object.at("ranks").at(2).dump(),
                 std::string(R"({"bytes":16,"coordinate":[1,0],"offset":[2,0],"ranges":[[[2,3]],[[0,4]]],)"
                             R"("ranges_complete":true,"rank":2,"shape":[1,4]})"));
        QCOMPARE(app::toJson(layoutOf("4", "S0", {2}), Detail::Short).at("empty_ranks"), (nlohmann::json{2, 3}));
        QVERIFY(app::toJson(layoutOf("4", "S0", {2}), Detail::Short).at("mesh").at("names").is_null());
    }
};

PIPESCOPE_TEST(TestTextLayout)
#include "tst_text_layout.moc"
