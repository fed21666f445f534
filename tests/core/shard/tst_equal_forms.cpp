#include "shard/equal_forms.h"

#include "shard/geometry.h"
#include "support/plan_text.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::shard;
using tests::layoutOf;

namespace {

std::vector<std::string> formTexts(const Layout &layout)
{
    std::vector<std::string> texts;
    for (const Layout &form : equalForms(layout))
        texts.push_back(form.text());
    return texts;
}

} // namespace

class TestEqualForms : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void splitFactorsStandForTheCutsMadeBefore()
    {
        QCOMPARE(*asOrder(layoutOf("2,2", "SS(0,2),S0", {8})), layoutOf("2,2", "S0,S0", {8}, "0:1,0"));
        QCOMPARE(*asOrder(layoutOf("4,3,2", "SS(0,2),SS(0,2),S0", {48})),
                 layoutOf("4,3,2", "S0,S0,S0", {48}, "0:2,0,1"));
        QCOMPARE(*asOrder(layoutOf("4,3,2", "SS(0,6),S0,S0", {48})), layoutOf("4,3,2", "S0,S0,S0", {48}, "0:1,2,0"));
        QCOMPARE(*asOrder(layoutOf("2,2", "SS(1,2),S1", {8, 8})), layoutOf("2,2", "S1,S1", {8, 8}, "1:1,0"));
        QCOMPARE(*asOrder(layoutOf("4", "SS(0,1)", {8})), layoutOf("4", "S0", {8}));
        QCOMPARE(*asOrder(layoutOf("2,2", "S0,R", {8})), layoutOf("2,2", "S0,R", {8}));
    }

    void otherSplitFactorsStandForNoOrder()
    {
        for (const char *placements : {"SS(0,3),S0", "S0,SS(0,2)", "SS(0,2),R", "SS(0,2),S1", "SS(0,4),S0"})
            QVERIFY2(!asOrder(layoutOf("2,2", placements, {8, 8})), placements);
    }

    void formsSayTheSameElementsInTurn()
    {
        const std::vector<std::string> both{"_S(0, 2)S(0)", "S(0)[1]S(0)[0]"};
        QCOMPARE(formTexts(layoutOf("2,2", "SS(0,2),S0", {8})), both);
        QCOMPARE(formTexts(layoutOf("2,2", "S0,S0", {8}, "0:1,0")), (std::vector<std::string>{both[1], both[0]}));
        QCOMPARE(formTexts(layoutOf("2,2", "S0,S0", {8})), std::vector<std::string>{"S(0)[0]S(0)[1]"});
        QCOMPARE(formTexts(layoutOf("2,2", "SS(0,3),R", {8})), std::vector<std::string>{"_S(0, 3)R"});
        // Of two tensor dimensions each has two.
        QCOMPARE(formTexts(layoutOf("2,2,2,2", "SS(0,2),S0,SS(1,2),S1", {8, 8})).size(), std::size_t{4});
    }

    void unevenSizesPartThem()
    {
        QCOMPARE(formTexts(layoutOf("3,2", "SS(0,2),S0", {7})), std::vector<std::string>{"_S(0, 2)S(0)"});
        QCOMPARE(formTexts(layoutOf("3,2", "SS(0,2),S0", {12})).size(), std::size_t{2});
    }

    void allOrdersOfThreeDimensionsAreStridesThatReadBack()
    {
        for (const char *order : {"0:0,2,1", "0:1,0,2", "0:1,2,0", "0:2,0,1", "0:2,1,0"}) {
            const Layout layout = layoutOf("4,3,2", "S0,S0,S0", {48}, order);
            const std::vector<Layout> forms = equalForms(layout);
            QCOMPARE(forms.size(), std::size_t{2});
            QVERIFY(forms[1].order().empty());
            QVERIFY(holdTheSame(forms[1], layout));
            QCOMPARE(*asOrder(forms[1]), layout);
        }
    }
};

PIPESCOPE_TEST(TestEqualForms)
#include "tst_equal_forms.moc"
