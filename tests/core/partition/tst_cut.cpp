#include "partition/cut.h"

#include "core/partition/legality.h"
#include "core/partition/slow_cuts.h"
#include "support/graph_builder.h"
#include "support/random_graph.h"
#include "support/test_program.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace pipescope;
using namespace pipescope::partition;
using graph::ModelGraph;
using graph::Node;
using graph::Value;
using graph::ValueKind;
using pipescope::tests::graphFromText;
using pipescope::tests::legality;
using pipescope::tests::namesOf;
using pipescope::tests::reasonAt;
using pipescope::tests::SlowCuts;

class TestCut : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aGraphOfNNodesHasNMinusOneCuts()
    {
        QCOMPARE(allCuts(graphFromText("in x\na = aten::relu x\nb = aten::relu a\nreturn b")).size(), std::size_t(1));
        QCOMPARE(allCuts(graphFromText("in x\na = aten::relu x")).size(), std::size_t(0));
        QCOMPARE(allCuts(graphFromText("in x")).size(), std::size_t(0));
    }

    void whatCrossesIsMadeBeforeAndUsedAfter()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            in late
            param w fc.weight 64
            const one : int
            a = aten::mm x w one
            b = aten::relu a
            skip = aten::sin x
            c = aten::add b late w one
            d = aten::mul c skip
            return d
        )");
        const std::vector<Cut> cuts = allCuts(graph);
        QCOMPARE(namesOf(graph, cuts[0].crossing), std::string("/aten::mm:0"));
        QCOMPARE(namesOf(graph, cuts[1].crossing), std::string("/aten::relu:0"));
        QCOMPARE(namesOf(graph, cuts[2].crossing), std::string("/aten::relu:0 /aten::sin:0"));
        QCOMPARE(namesOf(graph, cuts[3].crossing), std::string("/aten::sin:0 /aten::add:0"));
        QCOMPARE(legality(graph), std::string("++++"));
        QVERIFY(cuts[0].reason.empty());
    }

    void aReturnedValueDoesNotCross()
    {
        const ModelGraph graph = graphFromText("in x\na = aten::relu x\nb = aten::sin x\nreturn a b");
        QCOMPARE(namesOf(graph, allCuts(graph)[0].crossing), std::string());
    }

    void aFutureIsRefusedByNameAndType()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            f : Future[Tensor] = prim::fork x
            b = aten::relu x
            c = aten::wait f
            d = aten::add b c
        )");
        QCOMPARE(legality(graph), std::string("--+"));
        QCOMPARE(reasonAt(graph, 2),
                 std::string("'/prim::fork:0' crosses here, and a value of type Future[Tensor] cannot "
                             "be sent to another stage"));
    }

    void anArgumentThatCannotBeSentBelongsToTheFirstStage()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            in g : Generator
            a = aten::relu x
            b = aten::rand a g
            c = aten::sin b
        )");
        QCOMPARE(legality(graph), std::string("-+"));
        QCOMPARE(reasonAt(graph, 1),
                 std::string("the argument 'g' is used after the cut, and a value of type Generator "
                             "cannot be sent to another stage"));
    }

    void aCrossingValueMustNotBeWrittenAfterTheCut()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            call layers.0
            a = aten::linear x
            end
            call layers.1
            b~a = aten::relu_ !a
            end
            c = aten::sin b
        )");
        QCOMPARE(legality(graph), std::string("-+"));
        QCOMPARE(reasonAt(graph, 1),
                 std::string("'layers.0/aten::linear:0' crosses here and is written in place by "
                             "layers.1/aten::relu_ after the cut; the stage before would see that or "
                             "not, depending on the device"));
    }

    void aWriteThroughAViewIsFound()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            a = aten::linear x
            v~a = aten::view a
            s = aten::sin a
            u~v = aten::add_ !v s
            b = aten::mul a u
        )");
        QCOMPARE(legality(graph), std::string("---+"));
        // At the first cut only `a` crosses, and what is written is its view.
        QCOMPARE(reasonAt(graph, 1),
                 std::string("'/aten::linear:0' crosses here and may share memory with "
                             "'/aten::view:0', which is written in place by /aten::add_ after the "
                             "cut; the stage before would see that or not, depending on the device"));
    }

    void aWriteToAnElementOfAListIsFound()
    {
        QCOMPARE(legality(graphFromText(R"(
            in x
            a = aten::sin x
            list~a : List[Tensor] = prim::ListConstruct a
            e~list = aten::__getitem__ list
            f~e = aten::relu_ !e
            b = aten::cat list
        )")),
                 std::string("---+"));
    }

    void aWriteThroughAListReachesItsOldestItem()
    {
        QCOMPARE(legality(graphFromText(R"(
            in x
            a = aten::sin x
            b = aten::cos x
            c~b = aten::view b
            list~c~a : List[Tensor] = prim::ListConstruct c a
            e~list = aten::__getitem__ list
            f~e = aten::relu_ !e
            g = aten::sin f
        )")),
                 std::string("-----+"));
    }

    void anAppendChangesTheListButNoTensor()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            a = aten::sin x
            list : List[Tensor] = prim::ListConstruct
            b = aten::cos a
            l~list~a~x : List[Tensor] = prim::Loop &list a x
            c = aten::add x a
            d~l : List[Tensor] = prim::TupleConstruct l c
        )");
        QCOMPARE(legality(graph), std::string("+++++"));
    }

    void aWriteOfTheTensorsInsideAListIsOne()
    {
        QCOMPARE(legality(graphFromText(R"(
            in x
            a = aten::sin x
            list~a : List[Tensor] = prim::ListConstruct a
            b = aten::cos a
            aten::_foreach_add_ !list
            c = aten::add b a
        )")),
                 std::string("---+"));
    }

    void aResultPutIntoStateIsWrittenByTheNextCall()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            attr l state : List[Tensor]
            k~l = aten::__getitem__ l
            u~k = aten::add_ !k
            h = aten::mul x
            a~l~h : List[Tensor] = aten::append &l h
            d = aten::sin h
            e = aten::add d h
        )");
        QCOMPARE(legality(graph), std::string("-----"));
        QVERIFY(reasonAt(graph, 5).starts_with("the attribute 'state' is written in place by /aten::add_"));
    }

    /// The view is kept: the next call writes the buffer through it.
    void aBufferWhoseViewIsPutIntoStateIsWrittenByTheNextCall()
    {
        QCOMPARE(legality(graphFromText(R"(
            in x
            buffer b stays 4
            attr l state : List[Tensor]
            g = aten::add x b
            k~l = aten::__getitem__ l
            u~k = aten::add_ !k
            v~b = aten::view b
            a~l~v : List[Tensor] = aten::append &l v
            d = aten::sin g
        )")),
                 std::string("----+"));
    }

    void aListThatIsMadeAfterTheWriteDoesNotMatter()
    {
        // As in Inception: branches with in-place activations that are joined later.
        QCOMPARE(legality(graphFromText(R"(
            in x
            a = aten::conv x
            a2~a = aten::relu_ !a
            b = aten::conv x
            b2~b = aten::relu_ !b
            list~a2~b2 : List[Tensor] = prim::ListConstruct a2 b2
            c = aten::cat list
        )")),
                 std::string("-+-++"));
    }

    void plainConstantsDoNotTieUnrelatedLists()
    {
        QCOMPARE(legality(graphFromText(R"(
            in x
            const none : NoneType
            a = aten::sin x
            l1~a~none : List[Optional[Tensor]] = prim::ListConstruct a none
            b = aten::cos x
            l2~b~none : List[Optional[Tensor]] = prim::ListConstruct b none
            c~b = aten::relu_ !b
            d = aten::cat l1 l2
        )")),
                 std::string("++--+"));
    }

    void aBufferThatIsWrittenBelongsToOneStage()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            buffer n bn.count 8
            call bn
            z = aten::sin x
            a = aten::add_ !n
            b = aten::cos z
            c = aten::mul b n
            end
            d = aten::sin c
        )");
        QCOMPARE(legality(graph), std::string("+--+"));
        QCOMPARE(reasonAt(graph, 2),
                 std::string("the buffer 'bn.count' is written in place by bn/aten::add_ and used on "
                             "both sides of the cut, by bn/aten::add_ and by bn/aten::mul; state "
                             "belongs to one stage"));
    }

    void aReadBeforeTheWriteIsAUseOfTheBufferToo()
    {
        QCOMPARE(
            legality(graphFromText("in x\nbuffer n count\na = aten::mul x n\nb = aten::sin a\nc = aten::add_ !n b")),
            std::string("--"));
    }

    void aParameterThatIsOnlyReadMayBeUsedOnBothSides()
    {
        QCOMPARE(legality(graphFromText("in x\nparam w w\nv~w = aten::t w\na = aten::mm x v\nb = aten::mm a w")),
                 std::string("++"));
    }

    void anArgumentThatIsWrittenBelongsToOneStage()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            y~x = aten::relu_ !x
            a = aten::sin y
            b = aten::add a x
            c = aten::sin b
        )");
        QCOMPARE(legality(graph), std::string("--+"));
        QVERIFY(reasonAt(graph, 2).starts_with("the argument 'x' is written in place by /aten::relu_"));
    }

    void aWriteBeforeABufferJoinedDoesNotMakeItState()
    {
        QCOMPARE(legality(graphFromText(R"(
            in x
            param w w
            a = aten::mm x w
            b~a = aten::relu_ !a
            list~b~w : List[Tensor] = prim::ListConstruct b w
            c = aten::cat list
            d = aten::mm c w
        )")),
                 std::string("-+++"));
    }

    void aWrittenBufferThatJoinsOthersKeepsItsFirstUse()
    {
        QCOMPARE(legality(graphFromText(R"(
            in x
            param w w
            buffer n count
            v~w = aten::view w
            u~v = aten::view v
            a = aten::add_ !n
            b = aten::sin x
            list~u~n : List[Tensor] = prim::ListConstruct u n
            c = aten::cat list
        )")),
                 std::string("++---"));
    }

    void anAssignedAttributeBelongsToOneStage()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            a = aten::sin x
            b = prim::GetAttr a +h
            c = aten::add a b
            prim::SetAttr c -h
            d = aten::sin c
        )");
        QCOMPARE(legality(graph), std::string("+--+"));
        QCOMPARE(reasonAt(graph, 3),
                 std::string("the attribute 'h' is read by /prim::GetAttr before the cut and assigned "
                             "by /prim::SetAttr after it; state belongs to one stage"));
    }

    void anAttributeThatAnIfAssignsIsFoundInside()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            a = aten::sin x +h
            prim::If x {
            b = aten::cos x
            prim::SetAttr b -h
            }
            c = aten::add a x +h
        )");
        QCOMPARE(legality(graph), std::string("--"));
        QCOMPARE(
            reasonAt(graph, 2),
            std::string("the attribute 'h' is read by /aten::sin before the cut and read by /aten::add after it, and "
                        "assigned by /prim::SetAttr; state belongs to one stage"));
    }

    void anAttributeWrittenInPlaceIsNamedByItsOwnNameNotItsObjects()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            attr self root : __torch__.Model
            c~self = prim::GetAttr self +counter.c
            d~c = aten::add_ !c
            prim::SetAttr self d -counter.c
            y = aten::sin x
            z = aten::add y d
        )");
        QCOMPARE(reasonAt(graph, 4),
                 std::string("the attribute 'counter.c' is written in place by /aten::add_ and used "
                             "on both sides of the cut, by /prim::GetAttr and by /aten::add; state "
                             "belongs to one stage"));
    }

    void twoAttributesOfOneModuleAreTwoMemories()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            attr self root : __torch__.Model
            u~self = prim::GetAttr self +u
            a~u = aten::add_ !u
            s~self~a = prim::SetAttr self a -u
            t~self = prim::GetAttr self +t
            b~t = aten::add_ !t
            r~self~b = prim::SetAttr self b -t
        )");
        QCOMPARE(legality(graph), std::string("--+--"));
        QVERIFY(reasonAt(graph, 1).starts_with("the attribute 'u' is written in place by /aten::add_ and used on"));
        QVERIFY(reasonAt(graph, 5).starts_with("the attribute 't' is written in place by /aten::add_#1 and used on"));
    }

    void anIfTouchesTheAttributesThatItsBlocksTouch()
    {
        QCOMPARE(legality(graphFromText(R"(
            in x
            attr self root : __torch__.Model
            a = aten::sin x
            i~self = prim::If a !self +u -u {
            u~self = prim::GetAttr self +u
            v~u = aten::add_ !u
            s~self~v = prim::SetAttr self v -u
            }
            w~self = prim::GetAttr self +u
            t~self = prim::GetAttr self +t
            b~t = aten::add_ !t
        )")),
                 std::string("+-+-"));
    }

    void attributesOfAnObjectThatIsTakenWholeAreOneMemory()
    {
        const std::string text = R"(
            in x
            attr self root : __torch__.Model
            u~self = prim::GetAttr self +u
            a~u = aten::add_ !u
            t~self = prim::GetAttr self +t
            c = aten::sin t
        )";
        QCOMPARE(legality(graphFromText(text)), std::string("-++"));
        QCOMPARE(legality(graphFromText(text + "d~self = prim::CallMethod self c")), std::string("----"));
        ModelGraph shared = graphFromText(text); // two of them begin as one tensor
        const ValueId self = shared.at(0).operands[0];
        shared.nodes[0].aliases.push_back({self, self});
        QCOMPARE(legality(shared), std::string("---"));
    }

    void anAttributeIsNotApartFromWhatItBecomes()
    {
        QCOMPARE(legality(graphFromText(R"(
            in x
            attr self root : __torch__.Model
            u~self = prim::GetAttr self +u
            s~self~u = prim::SetAttr self u -t
            t~self = prim::GetAttr self +t
            b~t = aten::add_ !t
            c = aten::sin u
        )")),
                 std::string("----"));
    }

    void anAttributeThatIsOnlyReadIsNoState()
    {
        QCOMPARE(legality(graphFromText("in x\na = aten::sin x +h\nb = aten::sin a +h")), std::string("+"));
    }

    void bytesNeedEveryCrossingTensorMeasured()
    {
        ModelGraph graph = graphFromText(R"(
            in x
            a = aten::sin x *64
            n : int = aten::size x
            b = aten::cos x
            c = aten::add a b n
        )");
        const std::vector<Cut> cuts = allCuts(graph);
        QCOMPARE(crossingBytes(graph, cuts[1]), std::optional<std::int64_t>(64));
        QCOMPARE(crossingBytes(graph, cuts[2]), std::optional<std::int64_t>());
        graph.values[graph.node(NodeId{2}).outputs[0].index()].tensor = graph::TensorMeta{"float32", {4}, 16, false};
        QCOMPARE(crossingBytes(graph, cuts[2]), std::optional<std::int64_t>(80));
    }

    void randomGraphsAgreeWithTheRulesReadSlowly()
    {
        int refused = 0;
        int legal = 0;
        for (unsigned seed = 1; seed <= 600; ++seed) {
            tests::RandomGraph random(seed);
            const std::string text = seed <= 300 ? random.text() : random.text({"l", "k"});
            const ModelGraph graph = graphFromText(text);
            const SlowCuts slow(graph);
            for (const Cut &cut : allCuts(graph)) {
                const Cut expected = slow.at(cut.position);
                const bool same =
                    cut.legal == expected.legal && cut.crossing == expected.crossing && cut.reason.empty() == cut.legal;
                QVERIFY2(same, qPrintable(QString("seed %1, cut %2 (%3)\n%4")
                                              .arg(seed)
                                              .arg(cut.position)
                                              .arg(QString::fromStdString(cut.reason), QString::fromStdString(text))));
                ++(cut.legal ? legal : refused);
            }
        }
        QVERIFY2(refused > 500 && legal > 500, qPrintable(QString("%1 refused, %2 legal").arg(refused).arg(legal)));
    }

    void tenThousandOverlappingBansAreAllFound()
    {
        std::string text = "in x\nv0 = aten::sin x\n";
        for (int i = 1; i < 10000; ++i)
            text += "v" + std::to_string(i) + "~v0 = aten::relu_ !v0\n";
        const ModelGraph graph = graphFromText(text);
        const std::vector<Cut> cuts = allCuts(graph);
        QCOMPARE(cuts.size(), std::size_t(9999));
        QVERIFY(std::none_of(cuts.begin(), cuts.end(), [](const Cut &cut) { return cut.legal; }));
    }
};

PIPESCOPE_TEST(TestCut)
#include "tst_cut.moc"
