// The timeline with what belongs around it: which run is shown, its numbers, and all of it as a table.
#pragma once

#include "session/run_controller.h"
#include "session/selection.h"
#include "timeline/slice_table_model.h"
#include "timeline/timeline_view.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QComboBox;
class QLabel;
class QTableView;

namespace pipescope::mainwindow {

class TimelinePage : public QWidget
{
    Q_OBJECT

public:
    /// All must outlive this.
    TimelinePage(const session::RunController &controller, session::Selection &selection, const style::Theme &theme,
                 QWidget *parent = nullptr);

    [[nodiscard]] timeline::TimelineView &view() { return *m_view; }

private:
    void listRuns();
    void showRun(int index);

    const session::RunController &m_controller;
    timeline::SliceTableModel m_slices;
    QSortFilterProxyModel m_sorted;
    QComboBox *m_runs; // not owned, nor are those below: Qt's parent has them
    QLabel *m_numbers;
    timeline::TimelineView *m_view;
    QTableView *m_table;
};

} // namespace pipescope::mainwindow
