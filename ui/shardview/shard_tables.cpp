#include "shardview/shard_tables.h"

#include "widgets/stage_delegate.h"
#include "widgets/table.h"

#include <QHeaderView>
#include <QItemSelectionModel>
#include <QTabBar>
#include <QTableView>
#include <utility>

namespace pipescope::shardview {

namespace {

int selectedRow(const QTableView &table)
{
    const QModelIndexList rows = table.selectionModel()->selectedRows();
    return rows.isEmpty() ? -1 : rows.first().row();
}

} // namespace

ShardTables::ShardTables(QWidget *parent)
    : QTabWidget(parent)
    , m_stepTable(add(m_steps, "shardSteps", tr("Steps")))
    , m_beforeTable(add(m_before, "shardHoldersBefore", tr("Who holds what before")))
    , m_afterTable(add(m_after, "shardHoldersAfter", tr("Who holds what after")))
{
    setDocumentMode(true);
    setObjectName("shardTables");
    setAccessibleName(tr("Tables of the shards"));
    tabBar()->setObjectName("shardTabs");
    tabBar()->setAccessibleName(accessibleName());
    connect(m_stepTable->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        if (const int row = selectedRow(*m_stepTable); row >= 0)
            Q_EMIT stepChosen(row);
    });
    connectHolders(m_before, *m_beforeTable);
    connectHolders(m_after, *m_afterTable);
}

QTableView *ShardTables::add(QAbstractItemModel &model, const char *name, const QString &title)
{
    auto *table = new QTableView(this);
    widgets::dressTable(*table, name, title);
    table->setModel(&model);
    table->horizontalHeader()->setStretchLastSection(true);
    addTab(table, title);
    return table;
}

void ShardTables::connectHolders(HolderTableModel &model, QTableView &table)
{
    table.setItemDelegateForColumn(HolderTableModel::Rank, new widgets::StageDelegate(&table));
    const std::pair<int, int> widths[] = {{HolderTableModel::Rank, 56},        {HolderTableModel::Place, 120},
                                          {HolderTableModel::LocalShape, 140}, {HolderTableModel::Holds, 240},
                                          {HolderTableModel::Offset, 120},     {HolderTableModel::Bytes, 90}};
    for (const auto &[column, width] : widths)
        table.setColumnWidth(column, width);
    connect(table.selectionModel(), &QItemSelectionModel::selectionChanged, this, [this, &model, &table] {
        if (const int row = selectedRow(table); row >= 0)
            Q_EMIT rankChosen(model.rankAt(row));
    });
}

void ShardTables::show(const StepWalk &walk)
{
    const auto copyOf = [](const shard::Layout *layout) {
        return layout == nullptr ? std::nullopt : std::optional(*layout);
    };
    m_steps.setPlan(walk.plan());
    m_before.setLayout(copyOf(walk.before()));
    m_after.setLayout(copyOf(walk.after()));
    m_stepTable->resizeColumnsToContents();
    setTabVisible(indexOf(m_stepTable), walk.plan() != nullptr);
    setTabVisible(indexOf(m_afterTable), walk.after() != nullptr);
    const int step = walk.stepIndex();
    widgets::followRow(*m_stepTable, step < 0 ? QModelIndex() : m_steps.index(step, 0));
    setCurrent(m_current);
}

void ShardTables::setCurrent(RankId rank)
{
    m_current = rank;
    for (const auto &[model, table] : {std::pair(&m_before, m_beforeTable), std::pair(&m_after, m_afterTable)}) {
        const int row = model->rowOf(rank);
        widgets::followRow(*table, row < 0 ? QModelIndex() : model->index(row, 0));
    }
}

} // namespace pipescope::shardview
