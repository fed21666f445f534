#include "shard/placement.h"

#include "support/test_program.h"

#include <QTest>
#include <random>

using namespace pipescope;
using namespace pipescope::shard;

namespace {

std::string errorOf(std::string_view text)
{
    const auto placement = parsePlacement(text);
    return placement ? "no error" : placement.error().message;
}

std::string listErrorOf(std::string_view text)
{
    const auto placements = parsePlacements(text);
    return placements ? "no error" : placements.error().message;
}

const std::string Expected = "expected a placement (R, S0, S(-1), P, P(avg), SS(0,2) or NormP(2)), found ";

} // namespace

class TestPlacement : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void textsAreThoseOfPyTorch()
    {
        const Placements all{Shard{0}, Replicate{}, Partial{ReduceOp::Avg}, StridedShard{1, 2}, NormPartial{2}};
        QCOMPARE(text(all[0]), std::string("Shard(dim=0)"));
        QCOMPARE(text(all[1]), std::string("Replicate()"));
        QCOMPARE(text(all[2]), std::string("Partial(avg)"));
        QCOMPARE(text(all[3]), std::string("_StridedShard(dim=1, sf=2)"));
        QCOMPARE(text(all[4]), std::string("_NormPartial(2)"));
        QCOMPARE(shortText(all), std::string("S(0)RP(avg)_S(1, 2)_NormP(2)"));
        QCOMPARE(shortText(Placement{NormPartial{2.5}}), std::string("_NormP(2.5)"));
    }

    void placementsKnowWhatTheyAre()
    {
        QCOMPARE(*shardDim(Shard{3}), 3);
        const Placement strided = StridedShard{1, 2};
        QCOMPARE(*shardDim(strided), 1);
        QVERIFY(isSharded(strided) && !isPartial(strided));
        QVERIFY(!isSharded(Replicate{}) && !isPartial(Replicate{}));
        QVERIFY(isPartial(Partial{}) && isPartial(NormPartial{}) && !isSharded(Partial{}));
        QVERIFY((Placement{StridedShard{0, 1}} != Placement{Shard{0}}));
        QVERIFY(Placement{NormPartial{2}} != Placement{NormPartial{3}});
    }

    void theyReadAsUsersAndPyTorchWriteThem()
    {
        const std::vector<std::pair<const char *, Placement>> texts{
            {"R", Replicate{}},
            {" Replicate() ", Replicate{}},
            {"Replicate", Replicate{}},
            {"S0", Shard{0}},
            {"S12", Shard{12}},
            {"S(0)", Shard{0}},
            {"S-1", Shard{-1}},
            {"S 1", Shard{1}},
            {"S( -1 )", Shard{-1}},
            {"Shard(1)", Shard{1}},
            {"Shard(dim=1)", Shard{1}},
            {"P", Partial{}},
            {"P()", Partial{}},
            {"P(sum)", Partial{}},
            {"P(avg)", Partial{ReduceOp::Avg}},
            {"Pmax", Partial{ReduceOp::Max}},
            {"Partial(min)", Partial{ReduceOp::Min}},
            {"Partial(reduce_op=\"product\")", Partial{ReduceOp::Product}},
            {"Partial('sum')", Partial{}},
            {"SS(0,2)", StridedShard{0, 2}},
            {"_S(0, 2)", StridedShard{0, 2}},
            {"_StridedShard(dim=0, sf=2)", StridedShard{0, 2}},
            {"_StridedShard(-1, split_factor=9223372036854775807)", StridedShard{-1, 9223372036854775807}},
            {"NormP(2)", NormPartial{2}},
            {"_NormP(2.5)", NormPartial{2.5}},
            {"_NormPartial(-3)", NormPartial{-3}},
            {"NormP(p=+1e3)", NormPartial{1000}},
        };
        for (const auto &[written, placement] : texts) {
            const auto read = parsePlacement(written);
            QVERIFY2(read && *read == placement, read ? written : read.error().message.c_str());
        }
    }

    void listsReadWithAndWithoutBrackets()
    {
        const Placements two{Shard{0}, Replicate{}};
        for (const char *written : {"S0,R", " S(0) , R ", "[S(0), R]", "(Shard(dim=0), Replicate())", "[S0, R,]"})
            QVERIFY2(*parsePlacements(written) == two, written);
        QCOMPARE(*parsePlacements("SS(0,2),S0"), (Placements{StridedShard{0, 2}, Shard{0}}));
        QCOMPARE(*parsePlacements("P"), (Placements{Partial{}}));
        QCOMPARE(*parsePlacements("[]"), Placements{});
        QCOMPARE(parsePlacements("R,R,R,R,R,R,R,R,R,R,R,R,R,R,R,R")->size(), std::size_t{16});
    }

    void mistakesSayTheColumnAndWhatWasExpected()
    {
        QCOMPARE(errorOf(""), Expected + "the end at column 1.");
        QCOMPARE(errorOf("X"), Expected + "'X' at column 1.");
        QVERIFY(errorOf("Sharde(0)").starts_with(Expected + "'Sharde' at column 1. Did you mean Shard"));
        QCOMPARE(errorOf("S"), std::string("expected '(' or a dimension, found the end at column 2."));
        QCOMPARE(errorOf("S(x)"), std::string("expected a dimension, found 'x' at column 3."));
        QCOMPARE(errorOf("S(0"), std::string("expected ')', found the end at column 4."));
        QCOMPARE(errorOf("S(dom=0)"), std::string("expected dim=, found 'dom' at column 3."));
        QCOMPARE(errorOf("S0 S1"), std::string("expected the end, found 'S1' at column 4."));
        QCOMPARE(errorOf("S99999999999"), std::string("99999999999 is too large for a dimension at column 1"));
        QCOMPARE(errorOf("S(99999999999)"),
                 std::string("99999999999 is too large or too small for a dimension at column 3"));
        QCOMPARE(errorOf("SS(0)"), std::string("expected ',' and a split factor, found ')' at column 5."));
        QCOMPARE(errorOf("SS(0,0)"), std::string("the split factor 0 is below 1 at column 6"));
        QCOMPARE(errorOf("P(foo)"), std::string("expected sum, avg, max, min or product, found 'foo' at column 3."));
        QCOMPARE(errorOf("P(prod)"), std::string("expected sum, avg, max, min or product, found 'prod' at column 3. "
                                                 "Did you mean product?"));
        QVERIFY(errorOf("Pfoo").starts_with(Expected + "'Pfoo' at column 1."));
        QCOMPARE(parsePlacement("S(x)").error().where, std::string("column 3"));
        QCOMPARE(parsePlacement("S(x)").error().code, ErrorCode::InvalidArgument);
    }

    void aNormIsNeitherOfZeroNorOfInfinity()
    {
        for (const char *written :
             {"NormP(0)", "NormP(inf)", "NormP(-inf)", "NormP(nan)", "NormP(1e999)", "NormP()", "NormP(2x)"})
            QVERIFY2(errorOf(written).starts_with("expected a p that is neither 0 nor infinite (P(sum), P(max) and "
                                                  "P(min) stand for the norms of 0, inf and -inf), found "),
                     errorOf(written).c_str());
        QCOMPARE(errorOf("NormP"), std::string("expected '(', found the end at column 6."));
    }

    void mistakesInListsSayTheColumn()
    {
        QCOMPARE(listErrorOf(""), Expected + "the end at column 1.");
        QCOMPARE(listErrorOf("S0,"), Expected + "the end at column 4.");
        QCOMPARE(listErrorOf("S0 R"), std::string("expected ',' or the end, found 'R' at column 4."));
        QCOMPARE(listErrorOf("[S0, R"), std::string("expected ',' or ']', found the end at column 7."));
        QCOMPARE(listErrorOf("R,R,R,R,R,R,R,R,R,R,R,R,R,R,R,R,R"), std::string("more than 16 placements at column 33"));
        QVERIFY(listErrorOf("[" + std::string(100'000, ' ')).starts_with("the text is 97.7 KiB long"));
    }

    void noTextEndsInAnythingButAPlacementOrAnError()
    {
        constexpr std::string_view characters = "RSP()_0129-,=[] .einfd\"'\\\xff";
        for (unsigned seed = 1; seed <= 5000; ++seed) {
            std::mt19937 random(seed);
            std::string written;
            for (unsigned i = random() % 12; i > 0; --i)
                written += characters[random() % characters.size()];
            const auto read = parsePlacements(written);
            if (!read) {
                QVERIFY(!read.error().message.empty());
                continue;
            }
            for (const Placement &placement : *read) {
                const auto back = parsePlacement(shortText(placement));
                QVERIFY2(back && *back == placement, written.c_str());
                QVERIFY2(*parsePlacement(text(placement)) == placement, written.c_str());
            }
        }
    }
};

PIPESCOPE_TEST(TestPlacement)
#include "tst_placement.moc"
