// All of a run as tables: its actions, bubbles and transfers, each a tab. Follows and makes the timeline's selection.
#pragma once

#include "timeline/action_table_model.h"
#include "timeline/bubble_table_model.h"
#include "timeline/timeline_view.h"
#include "timeline/transfer_table_model.h"

#include <QWidget>
#include <array>
#include <vector>

class QCheckBox;
class QLabel;
class QTableView;
class QTabWidget;

namespace pipescope::widgets {
class RunLabel;
}

namespace pipescope::timeline {

class TimelineTables : public QWidget
{
    Q_OBJECT

public:
    /// `view` outlives the tables.
    explicit TimelineTables(TimelineView &view, QWidget *parent = nullptr);

    /// What the view shows now, of its first run.
    void refresh();

    /// The one that is seen.
    [[nodiscard]] QTableView *currentTable() const;

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    QTableView *addTable(SpotTableModel &model, const char *name, const QString &title, const QList<int> &stages);
    void fill(int tab);
    /// To the row that is selected, if there is one; else no row is lit.
    void followView();
    /// To the first row of what belongs to the selection, where there is no slice that is selected.
    void followRelated();
    void tellTiny();

    TimelineView &m_view;
    ActionTableModel m_actions;
    BubbleTableModel m_bubbles;
    TransferTableModel m_transfers;
    std::array<std::vector<int>, 3> m_madeWidths; ///< of each tab's columns, until the user makes others
    bool m_isFollowing = false;                   // rows that become current while the view is followed select nothing
    QTabWidget *m_tabs;                           // not owned, nor are those below: Qt's parent has them
    QCheckBox *m_tiny;
    QLabel *m_keys;
    widgets::RunLabel *m_run; // where two are shown, of which these are one's
};

} // namespace pipescope::timeline
