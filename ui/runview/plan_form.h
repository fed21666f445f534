// What the plan says of a run besides the inputs and the splits, as a form: each field an edit of its own, with undo.
#pragma once

#include "runview/plan_lines.h"
#include "session/run_controller.h"

#include <QWidget>
#include <functional>
#include <utility>
#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace pipescope::runview {

class PlanForm : public QWidget
{
    Q_OBJECT

public:
    /// Both must outlive this.
    PlanForm(session::Document &document, session::RunController &controller, QWidget *parent = nullptr);
    ~PlanForm() override;
    Q_DISABLE_COPY_MOVE(PlanForm)

Q_SIGNALS:
    /// What was typed cannot be used; the plan is as it was.
    void refused(const QString &why);
    /// What is typed is what the plan says now.
    void taken();

private:
    void addUsual(QFormLayout &form);
    void addRare(QFormLayout &form);
    void addLine(QFormLayout &form, const char *name, const QString &title, const QString &hint, const PlanLine &says);
    void showPlan();
    void showFit();
    void showMethods();
    void showSettings();
    void changeSettings(const std::function<void(session::RunSettings &)> &change);

    session::Document &m_document;
    session::RunController &m_controller;
    QComboBox *m_method; // not owned, nor are those below: Qt's parent has them
    QSpinBox *m_microbatches;
    QComboBox *m_schedule;
    QLabel *m_misfit; ///< why the stages cannot run so; hidden where they can
    QSpinBox *m_threads;
    QSpinBox *m_inFlight;
    QCheckBox *m_grad;
    QSpinBox *m_warmUps;
    QSpinBox *m_repeat;
    QCheckBox *m_check;
    std::vector<std::pair<QLineEdit *, PlanLine>> m_lines;
};

} // namespace pipescope::runview
