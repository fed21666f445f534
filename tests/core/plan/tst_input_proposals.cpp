#include "plan/propose_inputs.h"

#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

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
                 std::string("x=float32[8,3,224,224]"));
        QCOMPARE(proposed(sized("in x\nparam w conv.weight\na = aten::conv1d x w\nreturn a", {64, 2, 5})),
                 std::string("x=float32[8,2,32]"));
    }

    void sizesThatNothingTellsAreThoseOfRealUse()
    {
        QCOMPARE(proposed(sized("in x\nparam w conv.weight\na = aten::conv1d x w\nreturn a", {64, 1, 80})),
                 std::string("x=float32[8,1,16000]"));
        QCOMPARE(proposed(sized("in x\nparam w conv.weight\na = aten::conv2d x w\nreturn a", {6, 1, 5, 5})),
                 std::string("x=float32[8,1,32,32]"));
        QCOMPARE(proposed(sized("in x\nparam w conv.weight\na = aten::conv3d x w\nreturn a", {6, 3, 3, 3, 3})),
                 std::string("x=float32[8,3,32,32,32]"));
    }

    void whatIsAGuessIsSaid()
    {
        const auto guess = [](const std::string &text, const std::vector<std::int64_t> &sizes) {
            return plan::guessedSizes(proposeInputs(sized(text, sizes)).at(0));
        };
        QCOMPARE(guess("in ids\nparam w e.weight\na = aten::embedding w ids\nreturn a", {10, 4}),
                 std::string("8 x 16"));
        QCOMPARE(guess("in x\nparam w fc.weight\na = aten::linear x w\nreturn a", {10, 47}), std::string("8 rows"));
        QCOMPARE(guess("in x\nparam w c.weight\na = aten::conv2d x w\nreturn a", {6, 3, 5, 5}),
                 std::string("8 rows and sides of 224"));
        QCOMPARE(guess("in x\nparam w c.weight\na = aten::conv1d x w\nreturn a", {6, 1, 5}),
                 std::string("8 rows and a length of 16000"));
    }

    void operatorsThatKeepTheShapeMayComeBefore_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("expected");
        const std::string linear = "l = aten::linear b w\nreturn l";
        QTest::newRow("normalised by what the model holds")
            << "a = aten::sub x mean\nb = aten::div a mean\n" + linear << std::string("x=float32[8,47]");
        QTest::newRow("clamped") << "b = aten::clamp x\n" + linear << std::string("x=float32[8,47]");
        QTest::newRow("added to what was computed")
            << "a = aten::sin mean\nb = aten::add x a\n" + linear << std::string();
        QTest::newRow("turned") << "b = aten::transpose x\n" + linear << std::string();
    }
    void operatorsThatKeepTheShapeMayComeBefore()
    {
        QFETCH(std::string, text);
        QTEST(proposed(sized("in x\nparam w fc.weight\nbuffer mean\n" + text, {8, 47})), "expected");
    }

    void aProductWithAWeightGivesTheLastDimension_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<std::string>("expected");
        QTest::newRow("turned, as traced layers have it")
            << std::string("t = aten::t w\na = aten::addmm bias x t") << std::string("x=float32[8,47]");
        QTest::newRow("as it is") << std::string("a = aten::matmul x w") << std::string("x=float32[8,10]");
        QTest::newRow("from the left") << std::string("a = aten::mm w x") << std::string();
    }
    void aProductWithAWeightGivesTheLastDimension()
    {
        QFETCH(std::string, text);
        QTEST(proposed(sized("in x\nparam w fc.weight\nbuffer bias\n" + text + "\nreturn a", {10, 47})), "expected");
    }

    void indicesKeepTheirValuesOnTheWayToTheTable()
    {
        const std::string text = "in ids\nparam w e.weight\nconst one\na = aten::add ids one\nb = aten::embedding w a\n"
                                 "return b";
        QCOMPARE(proposed(sized(text, {10, 4})), std::string());
    }

    void aTransposedConvolutionGivesTheChannelsThatGoIn()
    {
        QCOMPARE(proposed(sized("in x\nparam w up.weight\na = aten::conv_transpose2d x w\nreturn a", {100, 512, 4, 4})),
                 std::string("x=float32[8,100,32,32]"));
    }

    void aTracedConvolutionGivesWhatItsModulesClassSays_data()
    {
        QTest::addColumn<std::string>("className");
        QTest::addColumn<std::string>("expected");
        QTest::newRow("convolution") << std::string("Conv2d") << std::string("x=float32[8,512,32,32]");
        QTest::newRow("transposed") << std::string("ConvTranspose2d") << std::string("x=float32[8,100,32,32]");
        QTest::newRow("neither") << std::string("Generator") << std::string();
    }
    void aTracedConvolutionGivesWhatItsModulesClassSays()
    {
        QFETCH(std::string, className);
        auto graph = sized("in x\nparam w up.weight\na = aten::_convolution x w\nreturn a", {100, 512, 4, 4});
        graph.nodes[0].className = className;
        QTEST(proposed(graph), "expected");
    }

    void aLayerNormGivesTheLastDimensions_data()
    {
        QTest::addColumn<std::string>("op");
        QTest::newRow("layer norm") << std::string("aten::layer_norm");
        QTest::newRow("RMS norm") << std::string("aten::rms_norm");
    }
    void aLayerNormGivesTheLastDimensions()
    {
        QFETCH(std::string, op);
        const std::string text = "in x\nparam w norm.weight\nconst shape\na = " + op + " x shape w\nreturn a";
        QCOMPARE(proposed(sized(text, {768})), std::string("x=float32[8,768]"));
        QCOMPARE(proposed(sized(text, {4, 8})), std::string("x=float32[8,4,8]"));
    }

    void onlyTheDataOfAnOperatorIsToldOf_data()
    {
        QTest::addColumn<std::string>("call");
        QTest::addColumn<std::string>("expected");
        QTest::newRow("indices of a bag")
            << std::string("aten::embedding_bag w x other") << std::string("x=int64[8,16]<10");
        QTest::newRow("offsets of a bag") << std::string("aten::embedding_bag w other x") << std::string();
        QTest::newRow("bias of a linear layer") << std::string("aten::linear other w x") << std::string();
        QTest::newRow("bias of a convolution") << std::string("aten::conv1d other w x") << std::string();
        QTest::newRow("weight of a linear layer") << std::string("aten::linear w x other") << std::string();
    }
    void onlyTheDataOfAnOperatorIsToldOf()
    {
        QFETCH(std::string, call);
        QTEST(proposed(sized("in x\nparam w some.weight\nbuffer other\na = " + call + "\nreturn a", {10, 4})),
              "expected");
    }

    void indicesOfSeveralEmbeddingsFitTheSmallest()
    {
        auto graph = sized("in ids\nparam a first.weight\nparam b second.weight\nx = aten::embedding a ids\n"
                           "y = aten::embedding b ids\nreturn y",
                           {10, 4});
        graph.parameters[1].tensor.sizes = {5, 4};
        QCOMPARE(proposed(graph), std::string("ids=int64[8,16]<5"));
        QCOMPARE(proposeInputs(graph)[0].parameter, std::string("second.weight"));
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

PIPESCOPE_TEST(TestInputProposals)
#include "tst_input_proposals.moc"
