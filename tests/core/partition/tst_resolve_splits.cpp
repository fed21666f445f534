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

/// What is said of a split that makes no stage.
std::string left(const std::string &word)
{
    return "the split '" + word +
           "' makes no stage of its own (nothing runs before it, or after it, or it is where another one is) and was "
           "left out";
}

/// -1 where no number of stages is asked for.
int stagesOf(const ModelGraph &graph, const Words &words)
{
    const auto stages = stagesAskedFor(graph, words);
    return stages ? stages->value_or(-1) : -2;
}

ModelGraph sequential()
{
    return graphFromText("in x\ncall 0\na = aten::linear x\nend\ncall 1\nb = aten::relu a\nend");
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
        Words notes{"stale"};
        // Upstream keeps holes in the numbering for all of these.
        const auto result = resolveSplits(sample(), {"embed", "layers.0:end", "layers.1", " layers.1.fc "}, &notes);
        QVERIFY(bool(result));
        QCOMPARE(*result, (Positions{3}));
        QCOMPARE(notes, (Words{left("embed"), left("layers.1"), left("layers.1.fc")}));
    }

    void aSplitAtEveryCallSaysSo()
    {
        Words notes;
        QVERIFY(resolveSplits(sample(), {"shared"}, &notes));
        QCOMPARE(notes, Words{"the split 'shared' is 2 places, before each call of 'shared': each begins a stage"});
        const auto after = resolveSplits(sample(), {"shared:end"}, &notes);
        QVERIFY(bool(after));
        QCOMPARE(*after, Positions{7}); // nothing runs after the second call
        QCOMPARE(notes, Words{"the split 'shared:end' is 2 places, after each call of 'shared': 1 of these begins a "
                              "stage; the other makes none of its own (nothing runs before it, or after it, or it is "
                              "where another one is) and was left out"});
        QVERIFY(resolveSplits(sample(), {"/aten::sum", "shared/aten::cos#1", "shared"}, &notes));
        QCOMPARE(notes, Words{"the split 'shared' is 2 places, before each call of 'shared': 1 of these begins a "
                              "stage; the other makes none of its own (nothing runs before it, or after it, or it is "
                              "where another one is) and was left out"});
        QVERIFY(resolveSplits(sample(), {"shared", "shared"}, &notes));
        QVERIFY(notes.at(1).starts_with("the split 'shared' is 2 places, before each call of 'shared': none of these "
                                        "begin a stage; the others make none of their own "));
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
        Words notes;
        const auto result = resolveSplits(graph, {"markers"}, &notes);
        QVERIFY(bool(result));
        QCOMPARE(*result, (Positions{1, 2}));
        QCOMPARE(notes, Words{"the model has 3 markers: 2 of these begin a stage; the other makes none of its own "
                              "(nothing runs before it, or after it, or it is where another one is) and was left out"});
        QCOMPARE(resolved(graph, {":markers"}), (Positions{1, 2}));
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
        const Error error = errorOf(sample(), {"4", "layers.1"});
        QCOMPARE(error.code, ErrorCode::InvalidArgument);
        QCOMPARE(error.message,
                 std::string("'4' is a number of stages, not a place to split at; give it alone to have the "
                             "stages balanced, or name modules or nodes"));
        QCOMPARE(errorOf(sample(), {"4"}).message,
                 std::string("'4' asks for so many stages, and no place for them has been found yet; balance the "
                             "stages, or name modules or nodes"));
    }

    void aLoneNumberAsksForStages()
    {
        QCOMPARE(stagesOf(sample(), {"4"}), 4);
        QCOMPARE(stagesOf(sample(), {" :4 "}), 4);
        QCOMPARE(stagesOf(sample(), {"layers.1"}), -1);
        QCOMPARE(stagesOf(sample(), {"4", "layers.1"}), -1);
        QCOMPARE(stagesOf(sample(), {}), -1);
        for (const char *none : {"0", "99999999999999999999"}) {
            const auto refused = stagesAskedFor(sample(), {none});
            QVERIFY(!refused);
            QCOMPARE(refused.error().code, ErrorCode::InvalidArgument);
            QCOMPARE(refused.error().message,
                     std::string("expected a number of stages from 1 to as many as there are nodes, found ") + none);
        }
    }

    void aNumberThatIsAModulesNameIsTheModule()
    {
        const ModelGraph graph = sequential();
        Words notes;
        const auto result = resolveSplits(graph, {"1"}, &notes);
        QVERIFY(bool(result));
        QCOMPARE(*result, Positions{1});
        QCOMPARE(notes, Words{"the split '1' is the module of that name; :1 asks for so many stages, balanced"});
        QCOMPARE(stagesOf(graph, {"1"}), -1);
        QCOMPARE(stagesOf(graph, {":1"}), 1);
        QCOMPARE(stagesOf(graph, {"3"}), 3); // no module is called so
        QVERIFY(resolveSplits(graph, {"\"1\"", "1/aten::relu"}, &notes));
        QCOMPARE(notes, Words{left("1/aten::relu")}); // quotes leave no doubt
        QCOMPARE(resolved(graph, {"0:end"}), (Positions{1}));
        // One that the method does not call is no place.
        const ModelGraph uncalled = graphFromText("in x\nunused 1.weight 8\na = aten::sin x\nb = aten::cos a");
        QCOMPARE(stagesOf(uncalled, {"1"}), 1);
        QVERIFY(
            errorOf(uncalled, {"1", "/aten::cos"}).message.find("forward does not call the module of that name; ") !=
            std::string::npos);
    }

    void namesOfTheModelGoFirst()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            call actor/actor/1/Elu
            a = aten::elu x
            end
            call a,b
            b = aten::sin a
            end
            call lin
            c = aten::cos b
            end
            call lin:end
            d = aten::tan c
            end
            call markers
            e = aten::sin d
            end
            marker
            f = aten::cos e
            call "q"
            g = aten::exp f
            end
        )");
        QCOMPARE(resolved(graph, {"actor/actor/1/Elu:end"}), Positions{1});
        QCOMPARE(resolved(graph, {"a,b"}), Positions{1});
        QCOMPARE(resolved(graph, {"a,b:end"}), Positions{2});
        QCOMPARE(resolved(graph, {"a,b/aten::sin"}), Positions{1});
        QCOMPARE(resolved(graph, {"\"a,b\"", "'a,b':end"}), (Positions{1, 2}));
        QCOMPARE(resolved(graph, {"\"a,b/aten::sin\""}), Positions{1});
        QCOMPARE(resolved(graph, {"\"q\""}), Positions{6}); // so called
        QCOMPARE(resolved(graph, {"\"\\\"q\\\"\""}), Positions{6});

        Words notes;
        QCOMPARE(*resolveSplits(graph, {"lin:end"}, &notes), Positions{3});
        QCOMPARE(notes, Words{"the split 'lin:end' is the module of that name; \"lin\":end is after the module 'lin'"});
        QCOMPARE(resolved(graph, {"lin:end:end"}), Positions{4});
        QCOMPARE(resolved(graph, {"\"lin\":end"}), Positions{3});
        QCOMPARE(*resolveSplits(graph, {"markers"}, &notes), Positions{4});
        QCOMPARE(notes, Words{"the split 'markers' is the module of that name; :markers are the author's markers"});
        QCOMPARE(resolved(graph, {":markers"}), Positions{5});
    }

    void aNameThatBeginsWithAColonIsAName()
    {
        const ModelGraph graph = graphFromText("in x\na = aten::sin x\ncall :2\nb = aten::elu a\nend");
        Words notes;
        QCOMPARE(*resolveSplits(graph, {":2"}, &notes), Positions{1});
        QCOMPARE(notes, Words{});
        QCOMPARE(stagesOf(graph, {":2"}), -1);
        QCOMPARE(stagesOf(graph, {"2"}), 2);
    }

    void anUnknownNameWithASlashMayBeAModule()
    {
        const ModelGraph graph = graphFromText("in x\na = aten::sin x\ncall up/0,1\nb = aten::elu a\nend");
        QCOMPARE(errorOf(graph, {"up/0,2"}).message,
                 std::string("there is no module or node 'up/0,2'. Did you mean \"up/0,1\"?"));
    }

    void quotesThatDoNotCloseAreRefused()
    {
        QCOMPARE(errorOf(sample(), {"\"layers.1"}).message,
                 std::string("the name that begins with \" has no end: \"layers.1"));
        QCOMPARE(errorOf(sample(), {"'layers.1':begin"}).message,
                 std::string("after a quoted name only :end can stand: 'layers.1':begin"));
        QCOMPARE(errorOf(sample(), {"'layers\\.1'"}).message,
                 std::string("after a backslash in a quoted name \\, ', \", n, r, t or xHH is expected: "
                             "'layers\\.1'"));
        QCOMPARE(errorOf(sample(), {"''"}).code, ErrorCode::InvalidArgument);
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
