// The dock of the check: the two questions apart, each microbatch's difference, and a link to the node to blame.
#pragma once

#include "checkview/difference_table_model.h"
#include "session/run_controller.h"
#include "session/selection.h"
#include "style/theme.h"

#include <QWidget>

class QLabel;
class QTableView;

namespace pipescope::checkview {

struct Answer;

class CheckView : public QWidget
{
    Q_OBJECT

public:
    /// All must outlive this.
    CheckView(const session::RunController &controller, session::Selection &selection, const style::Theme &theme,
              QWidget *parent = nullptr);

private:
    void refresh();
    void showAnswer(QLabel &label, const QString &question, const Answer &answer, NodeId node);

    const session::RunController &m_controller;
    session::Selection &m_selection;
    const style::Theme &m_theme;
    DifferenceTableModel m_model;
    QLabel *m_equivalent; // not owned, nor are those below: Qt's parent has them
    QLabel *m_separable;
    QTableView *m_table;
};

} // namespace pipescope::checkview
