#include "partition/split_point.h"

#include "support/graph_builder.h"
#include "support/random_graph.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::partition;
using graph::ModelGraph;
using pipescope::tests::graphFromText;

namespace {

std::string ids(const ModelGraph &graph)
{
    std::string text;
    for (const SplitPoint &point : splitPoints(graph))
        text += (text.empty() ? "" : " ") + point.id;
    return text;
}

} // namespace

class TestSplitPoint : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theOutermostModuleThatBeginsGivesTheName()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            call layers.0
            call layers.0.fc
            a = aten::linear x
            end
            b = aten::relu a
            end
            call layers.1
            call layers.1.fc
            c = aten::linear b
            end
            end
            d = aten::softmax c
            e = aten::sum d
        )");
        // Where no call begins, one that ends is named; else the node.
        QCOMPARE(ids(graph), std::string("layers.0.fc:end layers.1 layers.1:end /aten::sum"));
        const auto points = splitPoints(graph);
        QCOMPARE(points[0].fqn, std::string("layers.0.fc"));
        QCOMPARE(points[1].fqn, std::string("layers.1"));
        QCOMPARE(points[3].fqn, std::string(""));
        QCOMPARE(points[1].cut, allCuts(graph)[1]);
    }

    void aModuleThatIsCalledTwiceIsNamedByItsNodes()
    {
        QCOMPARE(ids(graphFromText(R"(
            in x
            a = aten::sin x
            call act
            b = aten::relu a
            end
            call fc
            c = aten::linear b
            end
            call act
            d = aten::relu c
            end
            e = aten::sum d
        )")),
                 std::string("act/aten::relu fc act/aten::relu#1 /aten::sum"));
    }

    void callsThatRunNoNodeNameNothing()
    {
        // Dropout in eval mode: its place is that of its neighbours.
        QCOMPARE(ids(graphFromText(R"(
            in x
            call fc
            a = aten::linear x
            end
            call drop
            end
            b = aten::add a x
        )")),
                 std::string("fc:end"));
    }

    void namesThatMeanSomethingElseAreNotOffered()
    {
        QCOMPARE(ids(graphFromText(R"(
            in x
            call 0
            a = aten::linear x
            end
            call 1
            b = aten::linear a
            end
            call 2
            call 2.fc
            c = aten::linear b
            end
            d = aten::relu c
            end
            call markers
            e = aten::sin d
            end
        )")),
                 std::string("1/aten::linear 2.fc 2.fc:end markers/aten::sin"));
    }

    void namesThatReadOtherwiseAreQuoted()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            z = aten::sin x
            call up/0
            a = aten::linear z
            end
            call a,b
            b = aten::linear a
            end
            call a,b
            c = aten::linear b
            end
            call lin:end
            d = aten::sin c
            end
            e = aten::cos d
            call lin
            f = aten::cos e
            end
            call x:end
            g = aten::sin f
            end
            call c,d
            h = aten::sin g
            end
            i = aten::sin h
        )");
        // "lin:end" could be after lin as well, and "a,b" is called twice.
        QCOMPARE(ids(graph),
                 std::string("up/0 \"a,b/aten::linear\" \"a,b/aten::linear#1\" lin:end/aten::sin lin:end:end lin x:end "
                             "\"c,d\" \"c,d\":end"));
        for (const SplitPoint &point : splitPoints(graph)) {
            // From the command line, too.
            const auto words = separateWords(point.id + "," + point.id);
            QVERIFY(words);
            QCOMPARE(*words, std::vector<std::string>(2, point.id));
            const auto position = resolveSplits(graph, {point.id});
            QVERIFY2(position, point.id.c_str());
            QCOMPARE(*position, std::vector<int>{point.cut.position});
        }
    }

    void namesAreQuotedWhereTheyHaveTo()
    {
        QCOMPARE(nameWord("layers.4"), std::string("layers.4"));
        QCOMPARE(nameWord("up/0 x"), std::string("up/0 x"));
        QCOMPARE(nameWord("a,b"), std::string("\"a,b\""));
        QCOMPARE(nameWord(" a"), std::string("\" a\""));
        QCOMPARE(nameWord("'a"), std::string("\"'a\""));
        QCOMPARE(nameWord("\"a"), std::string("\"\\\"a\""));
        QCOMPARE(nameWord("a\nb"), std::string("\"a\\nb\""));
        QCOMPARE(nameWord("a\xff"), std::string("\"a\\xff\""));
    }

    void commasWithinQuotesSeparateNothing()
    {
        using Texts = std::vector<std::string>;
        const auto separated = [](const char *text) {
            const auto words = separateWords(text);
            return words ? *words : Texts{"refused"};
        };
        QCOMPARE(separated("layers.1, layers.2:end"), (Texts{"layers.1", "layers.2:end"}));
        QCOMPARE(separated("\"a,b\",fc2"), (Texts{"\"a,b\"", "fc2"}));
        QCOMPARE(separated(" 'a,b':end , \"c,\\\",d\""), (Texts{"'a,b':end", "\"c,\\\",d\""}));
        QCOMPARE(separated("a\"b,c\"d"), (Texts{"a\"b", "c\"d"})); // quotes within a name are letters of it
        QCOMPARE(separated("a,,b,"), (Texts{"a", "", "b", ""}));
        QCOMPARE(separated(""), Texts{""});
        QCOMPARE(separated("a,'b,c"), Texts{"refused"});
        QVERIFY(separateWords("a,'b,c").error().message.starts_with("the name that begins with ' has no end: 'b,c"));
    }

    void callsInsideAnIfNameNothing()
    {
        QCOMPARE(ids(graphFromText(R"(
            in x
            a = aten::sin x
            b = prim::If a {
            call inner
            c = aten::cos a
            end
            }
        )")),
                 std::string("/prim::If"));
    }

    void everyIdLeadsBackToItsPosition()
    {
        int legal = 0;
        for (unsigned seed = 1; seed <= 300; ++seed) {
            const std::string text = tests::randomGraphText(seed);
            const ModelGraph graph = graphFromText(text);
            for (const SplitPoint &point : splitPoints(graph)) {
                const auto resolved = resolveSplits(graph, {point.id});
                const bool right = point.cut.legal ? resolved && *resolved == std::vector<int>{point.cut.position}
                                                   : !resolved && resolved.error().code == ErrorCode::IllegalCut &&
                                                         resolved.error().message.ends_with(point.cut.reason);
                QVERIFY2(right, qPrintable(QString("seed %1, id %2, position %3\n%4")
                                               .arg(seed)
                                               .arg(QString::fromStdString(point.id))
                                               .arg(point.cut.position)
                                               .arg(QString::fromStdString(text))));
                legal += point.cut.legal ? 1 : 0;
            }
        }
        QVERIFY(legal > 500);
    }
};

PIPESCOPE_TEST(TestSplitPoint)
#include "tst_split_point.moc"
