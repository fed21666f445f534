// The dock of the run: inputs with what the model proposes for them, the plan's other settings; profile, run, check and
// cancel; what the engine does of that, and the last error as a sentence with links to what it speaks of.
#pragma once

#include "runview/input_table_model.h"
#include "runview/problem_text.h"
#include "session/run_controller.h"
#include "session/selection.h"

#include <QWidget>

class QAction;
class QLabel;
class QPushButton;
class QTableView;
class QVBoxLayout;

namespace pipescope::runview {

class InputForm;
class PlanForm;

/// What the buttons do: they say and can what these say and can.
struct RunActions
{
    QAction &run;
    QAction &profile;
    QAction &check;
    QAction &cancel;
};

class RunView : public QWidget
{
    Q_OBJECT

public:
    /// All must outlive this. Without a selection the last error has no links.
    RunView(session::Document &document, session::RunController &controller, const RunActions &actions,
            session::Selection *selection = nullptr, QWidget *parent = nullptr);

private:
    void addInputs(QVBoxLayout &layout);
    void addButtons(QVBoxLayout &layout, const RunActions &actions);
    void propose();
    void showProposals();
    void showState();
    void showNeeds();
    void fitTable();
    [[nodiscard]] QStringList refusals() const;
    /// Rich text; its links are numbered as m_places.
    [[nodiscard]] QString errorText(const Error &error);

    session::Document &m_document;
    session::RunController &m_controller;
    session::Selection *m_selection;
    InputTableModel m_inputs;
    QString m_turnedDown;        ///< what was chosen and is not in the plan; "" for nothing
    bool m_isErrorOld = false;   ///< the plan has changed since
    session::RunId m_failedRun;  ///< the run that the last error is of
    std::vector<Place> m_places; ///< by the number in the problem's links
    QTableView *m_table;         // not owned, nor are those below: Qt's parent has them
    InputForm *m_input;
    PlanForm *m_plan;
    QPushButton *m_propose;
    QLabel *m_reasons;
    QLabel *m_problem;
    QLabel *m_step;
    QLabel *m_needs;
};

} // namespace pipescope::runview
