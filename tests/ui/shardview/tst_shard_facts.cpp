#include "shardview/shard_facts.h"

#include "scenes.h"
#include "shardview/shard_words.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::shardview;
using tests::layoutOf;
using tests::sceneOf;

namespace {

QString textOfRanks(const std::vector<int> &numbers)
{
    std::vector<RankId> ranks;
    for (const int number : numbers)
        ranks.push_back(RankId{number});
    return ranksText(ranks);
}

} // namespace

class TestShardFacts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ranksAreNamedInGroups()
    {
        QCOMPARE(textOfRanks({4}), QString("rank 4"));
        QCOMPARE(textOfRanks({0, 1}), QString("ranks 0 and 1"));
        QCOMPARE(textOfRanks({0, 1, 2, 3, 6, 9, 10}), QString("ranks 0 to 3, 6, 9 and 10"));
        QCOMPARE(textOfRanks({0, 2, 4, 6, 8, 10, 12, 14}), QString("ranks 0, 2, 4, 6, 8, 10 and 2 more"));
    }

    void aRankTellsWhatItHoldsWhereAndHowMuch()
    {
        const auto scene = sceneOf("dp=2,tp=4", "R,S1", {8, 128, 256});
        QCOMPARE(rankFacts(*scene, RankId{6}),
                 (QStringList{"rank 6 (dp 1, tp 2)", "holds [:, 64:96, :]", "local shape [8, 32, 256], 256 KiB",
                              "offset [0, 64, 0]", "each of 2 ranks holds the same"}));
        QCOMPARE(rankFacts(*scene, RankId{8}), QStringList());
    }

    void aSmallerShardTellsWhatItIsPaddedTo()
    {
        const auto scene = sceneOf("4", "S0", {10, 4});
        QCOMPARE(rankFacts(*scene, RankId{3}),
                 (QStringList{"rank 3 (3)", "holds [9:10, :]", "local shape [1, 4], 16 B", "offset [9, 0]",
                              "collectives of equal sizes pad it to [3, 4]"}));
        QVERIFY(!rankFacts(*scene, RankId{2}).join('\n').contains("pad"));
    }

    void anEmptyShardHoldsNothingAndStandsAtTheEnd()
    {
        const auto scene = sceneOf("4", "S0", {2, 4});
        const QStringList facts = rankFacts(*scene, RankId{3});
        QCOMPARE(facts[1], QString("holds nothing"));
        QCOMPARE(facts[2], QString("local shape [0, 4], 0 B"));
        QCOMPARE(facts[3], QString("offset [2, 0]"));
    }

    void ofAStridedShardTheFirstBandsAreTold()
    {
        const shard::Layout few = layoutOf("2", "SS(0,2)", {8});
        QCOMPARE(heldText(few, {1}), QString("[2:4 + 6:8]"));
        const shard::Layout many = layoutOf("2", "SS(0,8)", {32});
        QCOMPARE(heldText(many, {0}), QString("[0:2 + 4:6 + 8:10 + …]"));
    }

    void thePlaceUnderThePointerIsNamed()
    {
        const auto scene = sceneOf("2,2", "R,S0", {4, 3});
        const QStringList facts = spotFacts(*scene, {{1, 2}, {0, 1}}, 1);
        QCOMPARE(facts.first(), QString("rank 3 (1, 1)"));
        QCOMPARE(facts[1], QString("here is element [2, 1]"));
        QCOMPARE(facts.last(), QString("also here: rank 1"));
        const auto uneven = sceneOf("2", "S0", {3, 2});
        QCOMPARE(spotFacts(*uneven, {{1, std::nullopt}, {0, 1}}, 0)[1], QString("here is padding, and no element"));
    }

    void theSenseInWhichSeveralRanksHaveAnElementIsTold_data()
    {
        QTest::addColumn<QByteArray>("placements");
        QTest::addColumn<QString>("sense");
        QTest::newRow("one each") << QByteArray("S0,S1") << QString();
        QTest::newRow("replicas") << QByteArray("R,S1") << QString("each of 2 ranks holds the same");
        QTest::newRow("sum") << QByteArray("S0,P") << QString("each of 3 ranks holds a summand");
        QTest::newRow("average") << QByteArray("S0,P(avg)") << QString("each of 3 ranks holds a value for the average");
        QTest::newRow("maximum") << QByteArray("S0,Pmax") << QString("each of 3 ranks holds a value for the maximum");
        QTest::newRow("product") << QByteArray("S0,P(product)") << QString("each of 3 ranks holds a factor");
        QTest::newRow("norm") << QByteArray("S0,NormP(2)") << QString("each of 3 ranks holds the norm of a part");
        QTest::newRow("both") << QByteArray("R,P")
                              << QString("each of 3 ranks holds a summand, and there are 2 of each");
    }
    void theSenseInWhichSeveralRanksHaveAnElementIsTold()
    {
        QFETCH(QByteArray, placements);
        QFETCH(QString, sense);
        QCOMPARE(senseText(*sceneOf("2,3", placements.toStdString(), {8, 8})), sense);
    }

    void notesTellWhatCannotBeDrawn()
    {
        QCOMPARE(notesOf(*sceneOf("4", "S0", {8, 8})), QStringList());
        QCOMPARE(notesOf(*sceneOf("4", "S0", {2, 8})), QStringList{"Ranks 2 and 3 hold nothing."});
        QCOMPARE(notesOf(*sceneOf("4", "S0", {9, 8})), QStringList{"Rank 3 holds nothing."});
        QVERIFY(notesOf(*sceneOf("4", "S0", {10, 8})).join(' ').contains("Dotted: padding"));
        QVERIFY(notesOf(*sceneOf("2", "SS(0,2)", {8, 8})).join(' ').contains("Strided"));
        QVERIFY(notesOf(*sceneOf("2", "R", {8, 8})).join(' ').contains("each of 2 ranks holds the same"));
        QVERIFY(notesOf(*sceneOf("2", "S0", {4, 8, 8})).join(' ').contains("Rank 1 holds other indices than these."));
        QCOMPARE(notesOf(*sceneOf("2", "S0", {0, 8})), QStringList{"The tensor has no elements: its shape is [0, 8]."});
    }

    void theViewIsTold()
    {
        QCOMPARE(viewText(*sceneOf("2", "R", {8, 4})), QString("rows: dimension 0, columns: dimension 1"));
        QCOMPARE(viewText(*sceneOf("2", "R", {3, 8, 4})),
                 QString("rows: dimension 1, columns: dimension 2, dimension 0 at 0 of 3"));
        QCOMPARE(viewText(*sceneOf("2", "R", {8})), QString("columns: dimension 0"));
        QCOMPARE(viewText(*sceneOf("2", "R", {})), QString("no dimensions"));
    }

    void bytesThatNobodyCountsAreUnknown()
    {
        QCOMPARE(bytesOf({2, 3}, 4).value_or(-1), 24);
        QCOMPARE(bytesOf({0, std::int64_t{1} << 62}, 8).value_or(-1), 0);
        QVERIFY(!bytesOf({std::int64_t{1} << 61}, 8));
        QCOMPARE(sizeText(std::nullopt), QString("unknown"));
    }
};

PIPESCOPE_TEST(TestShardFacts)
#include "tst_shard_facts.moc"
