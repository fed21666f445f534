#include "plan/propose_inputs.h"

#include "support/graph_builder.h"

#include <QtTest>

using namespace pipescope;
using plan::proposeInputs;

namespace {

/// The graph with these sizes for its first parameter.
graph::ModelGraph sized(const std::string &text, const std::vector<std::int64_t> &sizes)
{
    graph::ModelGraph graph = tests::graphFromText(text);
    graph.parameters[0].tensor.sizes = sizes;
    return graph;
}

std::string proposed(const graph::ModelGraph &graph)
{
    std::string text;
    for (const plan::InputProposal &proposal : proposeInputs(graph))
        text += (text.empty() ? "" : " ") + toText(proposal.input);
    return text;
}

} // namespace

class TestInputProposals : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anEmbeddingGivesTheRangeOfItsIndicesThroughReshapes()
    {
        const auto graph =
            sized("in ids\nparam w wte.weight\na = aten::view ids\nb = aten::embedding w a\nreturn b", {50257, 768});
        QCOMPARE(proposed(graph), std::string("ids=int64[8,16]<50257"));
        QCOMPARE(proposeInputs(graph)[0].parameter, std::string("wte.weight"));
    }

    void aLinearLayerGivesTheLastDimension()
    {
        const std::string text = "in x\nparam w fc.weight\na = aten::linear x w\nreturn a";
        QCOMPARE(proposed(sized(text, {10, 512})), std::string("x=float32[8,512]"));
        QCOMPARE(
            proposed(sized("in x\nparam w fc.weight\nv = aten::view x\na = aten::linear v w\nreturn a", {10, 512})),
            std::string());
    }

    void aConvolutionGivesTheChannels()
    {
        QCOMPARE(proposed(sized("in x\nparam w conv.weight\na = aten::conv2d x w\nreturn a", {64, 3, 7, 7})),
                 std::string("x=float32[8,3,32,32]"));
        QCOMPARE(proposed(sized("in x\nparam w conv.weight\na = aten::conv1d x w\nreturn a", {64, 2, 5})),
                 std::string("x=float32[8,2,32]"));
    }

    void whatNothingIsKnownOfIsLeftToTheUser()
    {
        QCOMPARE(proposed(tests::graphFromText("in ids\nin mask : int\na = aten::add ids mask\nreturn a")),
                 std::string());
        auto graph = sized("in x\nparam w fc.weight\na = aten::linear x w\nreturn a", {10, 512});
        graph.arguments[0].hasDefault = true;
        QCOMPARE(proposed(graph), std::string());
        graph.arguments[0].hasDefault = false;
        graph.parameters[0].tensor.sizes = {};
        QCOMPARE(proposed(graph), std::string());
    }
};

QTEST_GUILESS_MAIN(TestInputProposals)
#include "tst_input_proposals.moc"
