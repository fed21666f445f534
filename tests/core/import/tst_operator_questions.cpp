#include "import/operator_questions.h"

#include "support/test_program.h"

#include <QTest>
#include <memory>

using namespace pipescope;
using torch::jit::Graph;
using torch::jit::Node;

namespace {

/// Of these operands, without a look at whether they fit.
Node *nodeOf(Graph &graph, const char *kind, std::initializer_list<torch::jit::Value *> operands)
{
    return graph.insertNode(graph.create(c10::Symbol::fromQualString(kind), operands, 1));
}

} // namespace

class TestOperatorQuestions : public QObject
{
    Q_OBJECT

    std::shared_ptr<Graph> m_graph = std::make_shared<Graph>();
    torch::jit::Value *m_tensor = m_graph->addInput();
    torch::jit::Value *m_none = m_graph->insertConstant(c10::IValue());
    torch::jit::Value *m_text = m_graph->insertConstant("text");

private Q_SLOTS:
    void anOperatorThatFitsAnswersForItself()
    {
        const Node *const relu = nodeOf(*m_graph, "aten::relu", {m_tensor});
        QVERIFY(import::operatorOf(*relu));
        QCOMPARE(import::schemaOf(*relu)->name(), std::string("aten::relu"));
        QVERIFY(import::aliasKindOf(*relu) == c10::AliasAnalysisKind::FROM_SCHEMA);
        QVERIFY(!import::hasSideEffects(*relu));
        QVERIFY(!import::isNondeterministic(*relu));
    }

    void anOperatorThatDrawsNumbersIsNondeterministic()
    {
        auto *const chance = m_graph->insertConstant(0.5);
        QVERIFY(import::isNondeterministic(*nodeOf(*m_graph, "aten::bernoulli", {m_tensor, chance, m_none})));
    }

    /// LibTorch asserts on each of these.
    void operandsThatNoOperatorTakesAreAnAnswer_data()
    {
        QTest::addColumn<QByteArray>("kind");
        QTest::newRow("of LibTorch") << QByteArray("aten::mul");
        QTest::newRow("of none") << QByteArray("nolib::mix");
    }
    void operandsThatNoOperatorTakesAreAnAnswer()
    {
        QFETCH(QByteArray, kind);
        const Node *const odd = nodeOf(*m_graph, kind.constData(), {m_text, m_none});
        QVERIFY_THROWS_EXCEPTION(std::exception, odd->hasSideEffects());
        QVERIFY(!import::operatorOf(*odd));
        QVERIFY(!import::schemaOf(*odd));
        QVERIFY(!import::aliasKindOf(*odd));
        QVERIFY(import::hasSideEffects(*odd));
        QVERIFY(import::isNondeterministic(*odd));
    }

    void aPartOfTheLanguageNeedsNoOperator()
    {
        Node *const test = nodeOf(*m_graph, "prim::isinstance", {m_text});
        test->tys_(c10::attr::types, {c10::StringType::get()});
        QVERIFY(!import::operatorOf(*test));
        QVERIFY(!import::hasSideEffects(*test));
        QVERIFY(!import::isNondeterministic(*test));
    }
};

PIPESCOPE_TEST(TestOperatorQuestions)
#include "tst_operator_questions.moc"
