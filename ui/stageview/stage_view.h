// The dock of the stages: the table, whose lines between rows can be dragged (or Alt+Up and Alt+Down move where the
// selected stage begins), what is wrong with the splits, how even they are, what several of them keep copies of, what
// none of them uses, and a button that proposes N stages of equal cost.
#pragma once

#include "session/document.h"
#include "session/run_controller.h"
#include "session/selection.h"
#include "session/staging.h"
#include "stageview/boundary.h"
#include "stageview/stage_table_model.h"

#include <QWidget>
#include <optional>

class QLabel;
class QPushButton;
class QSpinBox;
class QTableView;

namespace pipescope::widgets {
class ElidedLabel;
class RunLabel;
} // namespace pipescope::widgets

namespace pipescope::stageview {

class StageView : public QWidget
{
    Q_OBJECT

public:
    /// All must outlive this.
    StageView(session::Document &document, const session::RunController &controller, session::Selection &selection,
              QWidget *parent = nullptr);

private:
    void refresh();
    void followSelection();
    void selectRow();
    void balance();
    void previewMove(int boundary, int steps);
    void moveBoundary(int boundary, int steps);
    void moveSelected(int steps);
    [[nodiscard]] std::optional<BoundaryMove> moveOf(int boundary, int steps) const;
    void showPace();
    void showTies(const graph::ModelGraph &graph, const partition::Partition &partition);
    void showUnused(const partition::UnusedTensors &unused);
    void showProblem(const QString &problem);

    session::Document &m_document;
    const session::RunController &m_controller;
    session::Selection &m_selection;
    StageTableModel m_model;
    QTableView *m_table; // not owned, nor are those below: Qt's parent has them
    QLabel *m_problem;
    QLabel *m_pace;
    widgets::ElidedLabel *m_ties;
    widgets::ElidedLabel *m_unused;
    widgets::RunLabel *m_run;
    QSpinBox *m_count;
    std::string m_countOf; ///< the model that m_count was shown for
    QPushButton *m_balance;
};

} // namespace pipescope::stageview
