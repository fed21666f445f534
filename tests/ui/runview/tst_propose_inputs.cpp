#include "runview/propose_inputs.h"

#include "support/graph_builder.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using runview::proposeInputs;

namespace {

/// The graph with these sizes for its first parameter.
graph::ModelGraph sized(const std::string &text, const std::vector<std::int64_t> &sizes)
{
    graph::ModelGraph graph = tests::graphFromText(text);
    graph.parameters[0].tensor.sizes = sizes;
    return graph;
}

} // namespace

class TestProposeInputs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void eachProposalSaysWhatTellsItAndWhatIsAGuess()
    {
        const auto reason = [](const std::string &text, const std::vector<std::int64_t> &sizes) {
            return proposeInputs(sized(text, sizes)).at(0).reason;
        };
        QCOMPARE(reason("in ids\nparam w wte.weight\na = aten::embedding w ids\nreturn a", {50257, 768}),
                 QString("ids is an index into wte.weight, which has 50\u202f257 rows; 8 x 16 is a guess"));
        QCOMPARE(reason("in x\nparam w fc.weight\na = aten::linear x w\nreturn a", {10, 512}),
                 QString("x ends in 512, as fc.weight wants it; 8 rows are a guess"));
        QCOMPARE(reason("in x\nparam w conv.weight\na = aten::conv2d x w\nreturn a", {64, 3, 7, 7}),
                 QString("x has 3 channels, as conv.weight wants it (without groups); 8 rows and sides of 224 are a "
                         "guess"));
    }

    void theInputsAreThoseOfThePlan()
    {
        const auto graph = sized("in x\nparam w fc.weight\na = aten::linear x w\nreturn a", {10, 512});
        QCOMPARE(toText(proposeInputs(graph).at(0).input), std::string("x=float32[8,512]"));
    }
};

PIPESCOPE_TEST(TestProposeInputs)
#include "tst_propose_inputs.moc"
