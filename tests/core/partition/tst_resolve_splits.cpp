#include "partition/split_point.h"

#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::partition;
using graph::ModelGraph;
using pipescope::tests::graphFromText;
using Words = std::vector<std::string>;
using Positions = std::vector<int>;

namespace {

// Positions: 0 embed, 1 and 2 layers.0, 3 and 4 layers.1, 5 the if, 6 shared, 7 sum, 8 shared.
ModelGraph sample()
{
    return graphFromText(R"(
        in x
        param w unused.weight 8
        call embed
        e = aten::embedding x
        end
        call layers.0
        call layers.0.fc
        a = aten::linear e
        end
        b = aten::relu a
        end
        call layers.1
        call layers.1.fc
        c = aten::linear b
        end
        d~c = aten::relu_ !c
        end
        i = prim::If d {
        call gate
        g = aten::sin d
        end
        }
        call shared
        s = aten::cos i
        end
        t = aten::sum s
        call shared
        u = aten::cos t
        end
        return u
    )");
}

Positions resolved(const ModelGraph &graph, const Words &words)
{
    const auto result = resolveSplits(graph, words);
    return result ? *result : Positions{-1};
}

Error errorOf(const ModelGraph &graph, const Words &words)
{
    const auto result = resolveSplits(graph, words);
    return result ? Error{ErrorCode::Internal, "no error", {}, {}} : result.error();
}

} // namespace

class TestResolveSplits : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aModuleIsSplitBeforeItsCall() { QCOMPARE(resolved(sample(), {"layers.1"}), (Positions{3})); }

    void endSplitsAfterTheCall() { QCOMPARE(resolved(sample(), {"layers.0:end"}), (Positions{3})); }

    void anyDepthOfModuleCanBeNamed()
    {
        QCOMPARE(resolved(sample(), {"layers.0.fc:end", "layers.1.fc"}), (Positions{2, 3}));
    }

    void aModuleCalledTwiceIsSplitAtEveryCall()
    {
        QCOMPARE(resolved(sample(), {"shared"}), (Positions{6, 8}));
        QCOMPARE(resolved(sample(), {"shared:end"}), (Positions{7}));
    }

    void aNodeIsSplitBefore()
    {
        QCOMPARE(resolved(sample(), {"/aten::sum"}), (Positions{7}));
        QCOMPARE(resolved(sample(), {"shared/aten::cos#1"}), (Positions{8}));
    }

    void positionsComeInOrderWhateverTheWords()
    {
        QCOMPARE(resolved(sample(), {"/aten::sum", " layers.1 ", "layers.0"}), (Positions{1, 3, 7}));
    }

    void emptyPartitionsAreDroppedAndReported()
    {
        Words dropped{"stale"};
        // Upstream keeps holes in the numbering for all of these.
        const auto result =
            resolveSplits(sample(), {"embed", "layers.0:end", "layers.1", "layers.1.fc", "shared:end"}, &dropped);
        QVERIFY(bool(result));
        QCOMPARE(*result, (Positions{3, 7}));
        QCOMPARE(dropped, (Words{"embed", "layers.1", "layers.1.fc", "shared:end"}));
    }

    void markersSplitWhereTheAuthorWroteThem()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            a = aten::sin x
            marker first
            b = aten::cos a
            marker
            marker
            c = aten::tan b
        )");
        Words dropped;
        const auto result = resolveSplits(graph, {"markers"}, &dropped);
        QVERIFY(bool(result));
        QCOMPARE(*result, (Positions{1, 2}));
        QCOMPARE(dropped, (Words{"markers"}));
    }

    void nMarkersGiveNPlusOneStagesAlsoInsideModules()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            call block.0
            a = aten::sin x
            marker
            b = aten::cos a
            end
            marker
            call block.1
            c = aten::sin b
            marker
            d = aten::cos c
            end
        )");
        QCOMPARE(resolved(graph, {"markers"}), (Positions{1, 2, 3}));
    }

    void aModelWithoutMarkersSaysSo()
    {
        const Error error = errorOf(sample(), {"markers"});
        QCOMPARE(error.code, ErrorCode::NotFound);
        QCOMPARE(error.message, std::string("the model has no split markers (pipe_split(), pipescope::split or "
                                            "pipescope::boundary); name modules or nodes instead"));
    }

    void aMarkerInsideAnIfIsRefusedWithItsPlace()
    {
        const ModelGraph graph =
            graphFromText("in x\na = aten::sin x\nb = prim::If a {\nmarker half\nc = aten::cos a\n}");
        const Error error = errorOf(graph, {"markers"});
        QCOMPARE(error.code, ErrorCode::Unsupported);
        QCOMPARE(error.message,
                 std::string("the split marker 'half' is inside /prim::If, where no cut can be; move it out "
                             "of the if or loop"));
    }

    void aCutInsideAnIfIsRefused()
    {
        const Error byModule = errorOf(sample(), {"gate"});
        QCOMPARE(byModule.code, ErrorCode::Unsupported);
        QCOMPARE(byModule.message,
                 std::string("'gate' is only called inside /prim::If, which runs as one piece; a model can "
                             "be split before or after that, not within it"));
        const Error byNode = errorOf(sample(), {"gate/aten::sin"});
        QCOMPARE(byNode.code, ErrorCode::Unsupported);
        QCOMPARE(byNode.message,
                 std::string("'gate/aten::sin' is inside /prim::If, which runs as one piece; a model can be "
                             "split before or after that, not within it"));
    }

    void aModuleThatIsNeverCalledIsRefused()
    {
        const Error list = errorOf(sample(), {"layers"});
        QCOMPARE(list.code, ErrorCode::Unsupported);
        QCOMPARE(list.message,
                 std::string("'layers' is never called by forward, so there is no place before or after it; "
                             "name one of its submodules, such as layers.0"));
        QCOMPARE(errorOf(sample(), {"unused"}).message,
                 std::string("'unused' is never called by forward, so there is no place before or after it"));
    }

    void anUnknownModuleGetsUpstreamsWordsAndTheNearestNames()
    {
        const Error error = errorOf(sample(), {"layers.0", "layer.1"});
        QCOMPARE(error.code, ErrorCode::NotFound);
        QCOMPARE(error.where, std::string("layer.1"));
        QCOMPARE(error.message,
                 std::string("Specified target layer.1 referenced nonexistent module layer. Did you mean "
                             "layers.1 or layers.0?"));
        QVERIFY(errorOf(sample(), {"layers.0.fd.w"})
                    .message.starts_with("Specified target layers.0.fd.w referenced nonexistent module layers.0.fd."));
        QVERIFY(errorOf(sample(), {"layers.7:end"})
                    .message.starts_with("Specified target layers.7 referenced nonexistent module layers.7."));
    }

    void anUnknownNodeGetsTheNearestNames()
    {
        const Error error = errorOf(sample(), {"shared/aten::cos#2"});
        QCOMPARE(error.code, ErrorCode::NotFound);
        QVERIFY2(error.message.starts_with("there is no node 'shared/aten::cos#2'. Did you mean shared/aten::cos#1"),
                 error.message.c_str());
    }

    void aNumberOfStagesIsNotAPlace()
    {
        const Error error = errorOf(sample(), {"4"});
        QCOMPARE(error.code, ErrorCode::InvalidArgument);
        QCOMPARE(error.message,
                 std::string("'4' is a number of stages, not a place to split at; give it alone to have the "
                             "stages balanced, or name modules or nodes"));
    }

    void aSequentialsNumberedChildrenAreNamedByTheirNodes()
    {
        const ModelGraph graph = graphFromText("in x\ncall 0\na = aten::linear x\nend\ncall 1\nb = aten::relu a\nend");
        QCOMPARE(
            errorOf(graph, {"1"}).message,
            std::string("'1' is a number of stages, not a place to split at; the submodule '1' has to be named by its "
                        "first node, '1/aten::relu'"));
        QCOMPARE(resolved(graph, {"1/aten::relu"}), (Positions{1}));
        QCOMPARE(resolved(graph, {"0:end"}), (Positions{1}));
    }

    void emptyWordsAreRefused()
    {
        QCOMPARE(errorOf(sample(), {"  "}).code, ErrorCode::InvalidArgument);
        QCOMPARE(errorOf(sample(), {":end"}).code, ErrorCode::NotFound);
        QCOMPARE(resolved(sample(), {}), Positions{});
    }

    void anIllegalCutGivesItsReason()
    {
        const Error error = errorOf(sample(), {"layers.1.fc:end"});
        QCOMPARE(error.code, ErrorCode::IllegalCut);
        QCOMPARE(error.where, std::string("layers.1.fc:end"));
        QCOMPARE(
            error.message,
            std::string("the model cannot be split before layers.1/aten::relu_: 'layers.1.fc/aten::linear:0' crosses "
                        "here and is written in place by layers.1/aten::relu_ after the cut; the stage before would "
                        "see that or not, depending on the device"));
    }
};

PIPESCOPE_TEST(TestResolveSplits)
#include "tst_resolve_splits.moc"
