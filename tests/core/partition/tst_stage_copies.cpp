#include "partition/stage_copies.h"

#include "partition/partition.h"
#include "support/graph_builder.h"
#include "support/test_program.h"

#include <QTest>

using namespace pipescope;
using namespace pipescope::partition;
using graph::ModelGraph;
using pipescope::tests::graphFromText;
using Names = std::vector<std::string>;

namespace {

// Two modules put an item each into a dict of the call, and the last node only reads it.
const std::string FilledInTurn = R"(
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
)";

// The names of what each stage copies.
std::vector<Names> copies(const ModelGraph &graph, const std::vector<int> &cuts)
{
    std::vector<Names> names;
    const auto partition = makePartition(graph, cuts);
    if (!partition)
        return {{partition.error().message}};
    for (const Stage &stage : partition->stages) {
        names.emplace_back();
        for (const ValueId id : inputsToCopy(graph, stage))
            names.back().push_back(graph.value(id).name);
    }
    return names;
}

} // namespace

class TestStageCopies : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aStageCopiesADictThatItChangesAndAnotherStageHas()
    {
        const ModelGraph graph = graphFromText(FilledInTurn);
        QCOMPARE(copies(graph, {4}), (std::vector<Names>{{"data"}, {"/prim::unchecked_cast:0"}}));
    }

    void aStageThatOnlyReadsTheDictCopiesNothing()
    {
        const ModelGraph graph = graphFromText(FilledInTurn);
        QCOMPARE(copies(graph, {8}), (std::vector<Names>{{"data"}, {}}));
    }

    void theWholeMethodChangesTheCallersDict()
    {
        QCOMPARE(copies(graphFromText(FilledInTurn), {}), (std::vector<Names>{{}}));
    }

    void aDictOfOneStageOnlyIsTheCallersOwn()
    {
        const ModelGraph graph = graphFromText(R"(
            in x
            in data : Dict[str,Tensor]
            h = aten::sin x
            a~data = aten::__getitem__ data
            aten::_set_item &data h
            b = aten::add a h
            return b
        )");
        QCOMPARE(copies(graph, {1}), (std::vector<Names>{{}, {}}));
    }
};

PIPESCOPE_TEST(TestStageCopies)
#include "tst_stage_copies.moc"
