// What the plan says of a run besides the inputs and the splits, as a form: each field an edit of its own, with undo.
#pragma once

#include "session/run_controller.h"

#include <QWidget>
#include <functional>

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

private:
    void addUsual(QFormLayout &form);
    void addRare(QFormLayout &form);
    QLineEdit *addLine(QFormLayout &form, const char *name, const QString &title, const QString &hint);
    void connectLine(QLineEdit &line, const QString &title,
                     const std::function<Status(plan::Plan &, const std::string &)> &take);
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
    QLineEdit *m_devices = nullptr;
    QSpinBox *m_inFlight;
    QLineEdit *m_tolerance = nullptr;
    QLineEdit *m_output = nullptr;
    QLineEdit *m_seed = nullptr;
    QCheckBox *m_grad;
    QSpinBox *m_warmUps;
    QSpinBox *m_repeat;
    QCheckBox *m_check;
};

} // namespace pipescope::runview
