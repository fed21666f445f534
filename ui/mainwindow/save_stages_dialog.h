// Asks where the stages are saved, and what becomes of the weights that no stage uses.
#pragma once

#include "partition/held_uses.h"
#include "report/split_report.h"

#include <QDialog>

class QCheckBox;
class QLineEdit;
class QPushButton;

namespace pipescope::mainwindow {

class SaveStagesDialog : public QDialog
{
    Q_OBJECT

public:
    /// Whose folders the path is one of.
    enum class Machine { This, Engines };

    /// `proposed` is the folder at first; `unused` is in no stage.
    SaveStagesDialog(Machine machine, const QString &proposed, const partition::UnusedTensors &unused,
                     QWidget *parent = nullptr);

    /// As typed or chosen, without blanks around it. On this machine an absolute path: what is none lies beside the
    /// proposed folder.
    [[nodiscard]] QString folder() const;
    [[nodiscard]] report::Unused unused() const;
    void setUnused(report::Unused unused);

private:
    void choose();

    const Machine m_machine;
    const QString m_proposed;
    QLineEdit *m_folder; // not owned, nor are those below: Qt's parent has them
    QCheckBox *m_keep;
    QPushButton *m_save = nullptr;
};

} // namespace pipescope::mainwindow
