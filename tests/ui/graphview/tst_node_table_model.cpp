#include "graphview/node_table_model.h"

#include "support/graph_builder.h"
#include "support/number_columns.h"
#include "support/qt_warnings.h"
#include "support/test_program.h"

#include <QAbstractItemModel>
#include <QAbstractItemModelTester>
#include <QSortFilterProxyModel>
#include <QTest>

using namespace pipescope;
using namespace pipescope::graphview;

namespace {

std::shared_ptr<const graph::ModelGraph> someGraph()
{
    auto graph = std::make_shared<graph::ModelGraph>(tests::graphFromText(R"(in x
call fc
a = aten::linear x @0.020
end
c = prim::If x a @0.003 {
b = aten::relu a
}
d = aten::add c a @0.001
return d
)"));
    graph->values[graph->at(0).outputs.front().index()].tensor = graph::TensorMeta{"float32", {8, 16}, 512, false};
    return graph;
}

QString cell(const QAbstractItemModel &model, int row, int column)
{
    return model.index(row, column).data().toString();
}

} // namespace

class TestNodeTableModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { tests::failOnWarnings(); }

    void numbersStandAtTheRightUnderTheirHeaders()
    {
        NodeTableModel table;
        table.setGraph(someGraph());
        QCOMPARE(tests::numberColumns(table), QString("order|time|FLOPs|parameters|bytes"));
    }

    void everyNodeIsARowAlsoInsideAnIf()
    {
        NodeTableModel table;
        const QAbstractItemModelTester tester(&table, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto graph = someGraph();
        table.setGraph(graph);
        QCOMPARE(table.rowCount(), static_cast<int>(graph->nodes.size()));
        QCOMPARE(cell(table, 0, NodeTableModel::Name), QStringLiteral("fc/aten::linear"));
        QCOMPARE(cell(table, 0, NodeTableModel::Op), QStringLiteral("aten::linear"));
        QCOMPARE(cell(table, 0, NodeTableModel::Shape), QStringLiteral("[8,16]"));
        QCOMPARE(cell(table, 0, NodeTableModel::Time), QStringLiteral("20.0 ms"));
        QVERIFY(cell(table, 2, NodeTableModel::Name).startsWith(QStringLiteral("  ")));
        QCOMPARE(cell(table, 2, NodeTableModel::Shape), QStringLiteral("unknown"));
        for (int row = 0; row < table.rowCount(); ++row)
            QCOMPARE(table.rowOf(table.nodeAt(row)), row);
        QCOMPARE(table.rowOf(NodeId{}), -1);
        table.setGraph(nullptr);
        QCOMPARE(table.rowCount(), 0);
    }

    void stagesAreThoseOfTheNodeAround()
    {
        NodeTableModel table;
        table.setGraph(someGraph());
        QCOMPARE(cell(table, 0, NodeTableModel::Stage), QString());
        table.setStages({StageId{0}, StageId{1}, StageId{1}});
        QCOMPARE(cell(table, 0, NodeTableModel::Stage), QStringLiteral("0"));
        QCOMPARE(cell(table, 2, NodeTableModel::Stage), QStringLiteral("1"));
    }

    void whatANodeCostsAndWhereItBelongsAreColumns()
    {
        const auto graph = std::make_shared<graph::ModelGraph>(tests::graphFromText(R"(in x
param w layers.0.weight 4096
call layers.0
a = aten::linear x w w %2000 *512
end
b, c = aten::chunk a
return b
)"));
        NodeTableModel table;
        table.setGraph(graph);
        QCOMPARE(cell(table, 0, NodeTableModel::Flops), QStringLiteral("2.00 k"));
        QCOMPARE(cell(table, 0, NodeTableModel::Parameters), QStringLiteral("4.00 KiB")); // once, however often taken
        QCOMPARE(cell(table, 0, NodeTableModel::Bytes), QStringLiteral("512 B"));
        QCOMPARE(cell(table, 0, NodeTableModel::Module), QStringLiteral("layers.0"));
        QCOMPARE(cell(table, 1, NodeTableModel::Flops), QStringLiteral("unknown"));
        QCOMPARE(cell(table, 1, NodeTableModel::Parameters), QString());
        QCOMPARE(cell(table, 1, NodeTableModel::Bytes), QStringLiteral("unknown"));
        QCOMPARE(table.index(0, NodeTableModel::Flops).data(NodeTableModel::SortRole).toDouble(), 2000.0);
        QCOMPARE(table.index(0, NodeTableModel::Bytes).data(NodeTableModel::SortRole).toInt(), 512);
        QCOMPARE(table.headerData(NodeTableModel::Flops, Qt::Horizontal, Qt::DisplayRole).toString(),
                 QStringLiteral("FLOPs"));
    }

    void timesAreSortedByWhatTheyAreNotByTheirWords()
    {
        NodeTableModel table;
        table.setGraph(someGraph());
        QSortFilterProxyModel sorted;
        sorted.setSourceModel(&table);
        sorted.setSortRole(NodeTableModel::SortRole);
        sorted.sort(NodeTableModel::Time, Qt::DescendingOrder);
        QCOMPARE(cell(sorted, 0, NodeTableModel::Time), QStringLiteral("20.0 ms"));
        QCOMPARE(cell(sorted, sorted.rowCount() - 1, NodeTableModel::Time), QStringLiteral("unknown"));
        sorted.sort(NodeTableModel::Order, Qt::AscendingOrder);
        QCOMPARE(cell(sorted, 0, NodeTableModel::Op), QStringLiteral("aten::linear"));
    }
};

PIPESCOPE_TEST(TestNodeTableModel)
#include "tst_node_table_model.moc"
