#include "core/partition/legality.h"
#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using graph::ModelGraph;
using pipescope::tests::graphFromText;
using pipescope::tests::legality;
using pipescope::tests::reasonAt;

class TestCallContainers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// As import names each change: what uses the list later takes the newest name.
    void aDictOfTheCallGoesFromStageToStageBetweenItsChanges()
    {
        const ModelGraph graph = graphFromText(R"(
            in data : Dict[str,Tensor]
            a~data = aten::__getitem__ data
            h = aten::sin a
            aten::_set_item &data h
            v~data : Dict[str,Tensor] = prim::unchecked_cast data
            b~v = aten::__getitem__ v
            g = aten::cos b
            aten::_set_item &v g
            w~v : Dict[str,Tensor] = prim::unchecked_cast v
            n : int = aten::len w
            return w n
        )");
        QCOMPARE(legality(graph), std::string("++-+++-+"));
        QCOMPARE(reasonAt(graph, 3),
                 std::string("/aten::_set_item changes a list or dict before the cut that may be 'data', and "
                             "/prim::unchecked_cast after the cut takes 'data' as it was made; both belong to one "
                             "stage"));
    }

    void aListTheModelIsGivenIsNotUsedByItsOldNameAfterAnAppend()
    {
        const ModelGraph graph = graphFromText(R"(
            in list : List[Tensor]
            a = aten::sin
            aten::append &list a
            b = aten::cos a
            c = aten::len list
        )");
        QCOMPARE(legality(graph), std::string("+--"));
        QVERIFY(
            reasonAt(graph, 2).starts_with("/aten::append changes a list or dict before the cut that may be 'list'"));
    }

    void anArgumentThatIsChangedAndReturnedAsItWasGivenIsState()
    {
        const ModelGraph graph = graphFromText(R"(
            in list : List[Tensor]
            a = aten::sin
            b : int = aten::len list
            aten::append &list a
            c = aten::cos a
            return list b c
        )");
        QCOMPARE(legality(graph), std::string("+-+"));
        QVERIFY(reasonAt(graph, 2).starts_with("the argument 'list' is written in place by"));
    }

    void aListUnderTwoNamesIsChangedInTheStageOfBoth()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            d : Dict[str,Tensor] = prim::DictConstruct x
            e~d : Dict[str,Tensor] = prim::If x d
            f = aten::sin x
            aten::_set_item &e f
            g : int = aten::len d
            h : int = aten::len e
        )");
        QCOMPARE(legality(graph), std::string("+----"));
        QCOMPARE(reasonAt(graph, 2),
                 std::string("'/prim::DictConstruct:0' and '/prim::If:0' may be one list or dict, both are used after "
                             "the cut, and /aten::_set_item changes it there; the stage after would have a copy of "
                             "each"));
        QVERIFY(reasonAt(graph, 5).starts_with("/aten::_set_item changes a list or dict before the cut"));
    }

    void aListThatIsReturnedByAnEarlierNameIsChangedWhereItIsMade()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            l : List[Tensor] = prim::ListConstruct x
            m~l : List[Tensor] = prim::If x l
            f = aten::sin x
            aten::append &m f
            g : int = aten::len x
            return l g
        )");
        QCOMPARE(legality(graph), std::string("---+"));
        QCOMPARE(reasonAt(graph, 1),
                 std::string("'/prim::ListConstruct:0' is made before the cut and returned, and /aten::append after "
                             "the cut may change it; both belong to one stage"));
    }

    void listsThatAreReturnedTogetherAreTwo()
    {
        const std::string text = R"(
            in l : List[Tensor]
            in m : List[Tensor]
            a = aten::sin
            aten::append &l a
            k~l : List[Tensor] = prim::unchecked_cast l
            b = aten::cos
            aten::append &m b
            n~m : List[Tensor] = prim::unchecked_cast m
            t~k~n : Tuple[List[Tensor],List[Tensor]] = prim::TupleConstruct k n
        )";
        QCOMPARE(legality(graphFromText(text + "return t")), std::string("+-++-+"));
        QCOMPARE(legality(graphFromText(text + "u~t : List[Tensor] = prim::TupleIndex t\nreturn u")),
                 std::string("------+"));
    }

    void aListChangedAfterWhatHoldsItIsMadeToBeReturnedIsChangedThere()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            l : List[Tensor] = prim::ListConstruct x
            t~l : Tuple[List[Tensor]] = prim::TupleConstruct l
            a = aten::sin
            aten::append &l a
            b = aten::cos
            return t b
        )");
        QCOMPARE(legality(graph), std::string("+--+"));
        QVERIFY(reasonAt(graph, 2).starts_with("'/prim::TupleConstruct:0' is made before the cut and returned, and"));
    }

    void aListInADictIsChangedInTheStageOfTheDict()
    {
        const ModelGraph graph = graphFromText(R"(
            in data : Dict[str,List[Tensor]]
            l~data : List[Tensor] = aten::__getitem__ data
            a = aten::sin
            aten::append &l a
            b = aten::cos a
            c : int = aten::len data
        )");
        QCOMPARE(legality(graph), std::string("----"));
        QCOMPARE(reasonAt(graph, 1),
                 std::string("'data' is used after the cut, where /aten::append changes it or a list or dict that it "
                             "may hold; a stage can be given a list or dict to change, but none of type "
                             "Dict[str,List[Tensor]]"));
    }

    void aListOfTheValuesOfADictIsAnother()
    {
        QCOMPARE(legality(graphFromText(R"(
            in data : Dict[str,Tensor]
            l~data : List[Tensor] = aten::values data
            a = aten::sin
            aten::append &l a
            b = aten::cat l
            c : int = aten::len data
        )")),
                 std::string("++-+"));
    }

    void anItemPutIntoAnArgumentIsNotThereInTheNextCall()
    {
        QCOMPARE(legality(graphFromText(R"(
            in x
            in list : List[Tensor]
            a = aten::sin x
            b~a = aten::relu_ !a
            c = aten::cos b
            l~list~b : List[Tensor] = aten::append &list b
            d = aten::sin c
        )")),
                 std::string("-+++"));
    }
};

PIPESCOPE_TEST(TestCallContainers)
#include "tst_call_containers.moc"
