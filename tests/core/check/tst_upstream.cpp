#include "check/upstream.h"

#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using check::outputValue;
using check::upstreamOf;
using tests::graphFromText;

namespace {

/// The names of the nodes upstream of what the graph returns at these places.
QStringList upstream(const std::string &text, const std::vector<std::size_t> &places = {})
{
    const graph::ModelGraph graph = graphFromText(text);
    const std::vector<bool> found = upstreamOf(graph, outputValue(graph, 0, places));
    QStringList names;
    for (int i = 0; i < graph.size(); ++i)
        if (found[static_cast<std::size_t>(i)])
            names << QString::fromStdString(graph.at(i).op);
    return names;
}

} // namespace

class TestUpstream : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatIsNotUsedForAValueIsNotUpstream()
    {
        QCOMPARE(upstream(R"(
            in x
            a = aten::relu x
            b = aten::neg x
            c = aten::mul a a
            return c
        )"),
                 (QStringList{"aten::relu", "aten::mul"}));
    }

    void oneItemOfAContainerHasNothingOfTheOthers()
    {
        const std::string tuple = R"(
            in x
            a = aten::relu x
            b = aten::neg x
            t~a : Tuple[Tensor,Tensor] = prim::TupleConstruct a b
            return t
        )";
        QCOMPARE(upstream(tuple, {0}), (QStringList{"aten::relu"}));
        QCOMPARE(upstream(tuple, {1}), (QStringList{"aten::neg"}));
        QCOMPARE(upstream(tuple), (QStringList{"aten::relu", "aten::neg", "prim::TupleConstruct"}));
        QCOMPARE(upstream(R"(
            in x
            const k
            const l
            a = aten::relu x
            b = aten::neg x
            d : Dict[str,Tensor] = prim::DictConstruct k a l b
            return d
        )",
                          {1}),
                 (QStringList{"aten::neg"}));
    }

    void aValueThatIsInAContainerTwiceKeepsTheOthersPlaces()
    {
        const std::string text = R"(
            in x
            a = aten::relu x
            b = aten::neg x
            t : Tuple[Tensor,Tensor,Tensor] = prim::TupleConstruct a a b
            return t
        )";
        QCOMPARE(upstream(text, {1}), (QStringList{"aten::relu"}));
        QCOMPARE(upstream(text, {2}), (QStringList{"aten::neg"}));
    }

    void aContainerThatIsNotPutTogetherHereIsOneThing()
    {
        QCOMPARE(upstream(R"(
            in x
            l : List[Tensor] = aten::chunk x
            return l
        )",
                          {1}),
                 (QStringList{"aten::chunk"}));
        QCOMPARE(upstream(R"(
            in x
            l : List[Tensor] = prim::ListConstruct
            a = aten::relu x
            aten::append &l a
            return l
        )",
                          {0}),
                 (QStringList{"prim::ListConstruct", "aten::relu", "aten::append"}));
    }

    void whatWritesIntoAValueIsUpstream()
    {
        QCOMPARE(upstream(R"(
            in x
            a = aten::relu x
            v~a = aten::view a
            b = aten::neg x
            aten::add_ !v b
            return a
        )"),
                 (QStringList{"aten::relu", "aten::view", "aten::neg", "aten::add_"}));
    }

    void soIsWhatAssignsAnAttributeThatIsReadLater()
    {
        QCOMPARE(upstream(R"(
            in x
            a = aten::relu x
            prim::SetAttr a -s
            b = aten::neg x
            h = prim::GetAttr +s
            c = aten::mul h h
            return c
        )"),
                 (QStringList{"aten::relu", "prim::SetAttr", "prim::GetAttr", "aten::mul"}));
    }
};

PIPESCOPE_TEST(TestUpstream)
#include "tst_upstream.moc"
