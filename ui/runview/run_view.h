// The dock of the run: inputs, microbatches, threads and schedule; run and cancel; the last error as a sentence.
#pragma once

#include "runview/input_table_model.h"
#include "session/run_controller.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;
class QTableView;

namespace pipescope::runview {

class RunView : public QWidget
{
    Q_OBJECT

public:
    /// Both must outlive this.
    RunView(session::Document &document, session::RunController &controller, QWidget *parent = nullptr);

private:
    void showPlan();
    void showState();
    void tell(const QString &problem);

    session::Document &m_document;
    session::RunController &m_controller;
    InputTableModel m_inputs;
    QTableView *m_table; // not owned, nor are those below: Qt's parent has them
    QSpinBox *m_microbatches;
    QSpinBox *m_threads;
    QComboBox *m_schedule;
    QPushButton *m_profile;
    QPushButton *m_run;
    QPushButton *m_cancel;
    QLabel *m_problem;
};

} // namespace pipescope::runview
