// What the plan says of a run besides the inputs and the splits, as a form: each field an edit of its own, with undo.
#pragma once

#include "runview/plan_lines.h"
#include "session/run_controller.h"

#include <QStringList>
#include <QWidget>
#include <functional>
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

    /// What stands in lines and cannot be used, in their order: a sentence each with the line it is of. The plan is as
    /// it was, and the line stays as typed until it is mended or another model is shown.
    [[nodiscard]] QStringList refusals() const;

Q_SIGNALS:
    /// refusals().
    void refusalsChanged();
    /// What was chosen cannot be used, and the box is back at what the plan says.
    void turnedDown(const QString &why);

private:
    void addUsual(QFormLayout &form);
    void addRare(QFormLayout &form);
    void addLine(QFormLayout &form, const char *name, const QString &title, const QString &hint, const PlanLine &says);
    void takeLine(std::size_t number, const QString &title);
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
    struct Line
    {
        QLineEdit *edit;
        PlanLine says;
        QString refusal; ///< "" where what stands there is what the plan says
    };
    std::vector<Line> m_lines;
};

} // namespace pipescope::runview
