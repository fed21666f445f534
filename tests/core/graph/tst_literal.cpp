#include "graph/literal.h"

#include "support/literal_text.h"
#include "support/test_program.h"

#include <QTest>
#include <limits>

using namespace pipescope;
using graph::Literal;
using tests::literalFromText;

class TestLiteral : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aLiteralKnowsItsKind()
    {
        QVERIFY(Literal{}.kind() == Literal::Kind::None);
        QVERIFY(Literal{true}.kind() == Literal::Kind::Bool);
        QVERIFY(Literal{std::int64_t(1)}.kind() == Literal::Kind::Int);
        QVERIFY(Literal{1.0}.kind() == Literal::Kind::Float);
        QVERIFY(Literal{std::string("1")}.kind() == Literal::Kind::Text);
        QVERIFY(Literal{Literal::List{}}.kind() == Literal::Kind::List);
    }

    void oneOfAnotherKindIsAnother()
    {
        QVERIFY(!(Literal{std::int64_t(1)} == Literal{1.0}));
        QVERIFY(!(Literal{std::int64_t(1)} == Literal{true}));
        QVERIFY(!(Literal{} == Literal{Literal::List{}}));
    }

    void notANumberEqualsItselfAlsoInAList()
    {
        const double nan = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(Literal{nan} == Literal{nan});
        QVERIFY((Literal{Literal::List{{nan}, {2.0}}} == Literal{Literal::List{{nan}, {2.0}}}));
        QVERIFY(!(Literal{nan} == Literal{2.0}));
        QVERIFY(Literal{0.0} == Literal{-0.0});
    }

    void theTextOfTestsSaysEachKind()
    {
        const Literal expected{Literal::List{
            {std::int64_t(-1)}, {Literal::List{{true}, {0.5}}}, {std::string("a")}, {Literal::List{}}, {}}};
        QVERIFY(literalFromText("[-1,[true,0.5],\"a\",[],none]") == expected);
    }
};

PIPESCOPE_TEST(TestLiteral)
#include "tst_literal.moc"
