// The tables below the picture: the steps, and who holds what before and after.
#pragma once

#include "shardview/holder_table_model.h"
#include "shardview/step_table_model.h"
#include "shardview/step_walk.h"

#include <QTabWidget>

class QTableView;

namespace pipescope::shardview {

class ShardTables : public QTabWidget
{
    Q_OBJECT

public:
    explicit ShardTables(QWidget *parent = nullptr);

    /// What the walk has at its place.
    void show(const StepWalk &walk);
    using QTabWidget::show;
    /// Selects its rows; none for an invalid rank. Does not tell.
    void setCurrent(RankId rank);

Q_SIGNALS:
    void stepChosen(int index);
    void rankChosen(pipescope::RankId rank);

private:
    QTableView *add(QAbstractItemModel &model, const char *name, const QString &title);
    void connectHolders(HolderTableModel &model, QTableView &table);

    StepTableModel m_steps;
    HolderTableModel m_before;
    HolderTableModel m_after;
    QTableView *m_stepTable; // not owned, nor are those below: Qt's parent has them
    QTableView *m_beforeTable;
    QTableView *m_afterTable;
    RankId m_current;
};

} // namespace pipescope::shardview
