#include "mainwindow/save_stages_dialog.h"

#include "stageview/unused_text.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

namespace pipescope::mainwindow {

namespace {

constexpr int WidthOfPaths = 560;

} // namespace

SaveStagesDialog::SaveStagesDialog(Machine machine, const QString &proposed, const partition::UnusedTensors &unused,
                                   QWidget *parent)
    : QDialog(parent)
    , m_machine(machine)
    , m_proposed(proposed)
    , m_folder(new QLineEdit(proposed, this))
    , m_keep(new QCheckBox(tr("&Keep unused weights"), this))
{
    setObjectName("saveStagesDialog");
    setWindowTitle(machine == Machine::This ? tr("Save the stages") : tr("Save the stages on the engine's machine"));
    m_folder->setObjectName("stagesFolder");
    m_keep->setObjectName("keepUnused");
    m_folder->setToolTip(machine == Machine::This ? tr("Pipescope makes the folder if it does not exist.")
                                                  : tr("A path as the engine's machine knows it, from '/' on. "
                                                       "Pipescope makes the folder if it does not exist."));
    auto *where = new QHBoxLayout;
    where->addWidget(m_folder, 1);
    if (machine == Machine::This) {
        auto *choose = new QPushButton(tr("&Choose..."), this);
        choose->setObjectName("chooseFolder");
        choose->setAutoDefault(false);
        where->addWidget(choose);
        connect(choose, &QPushButton::clicked, this, &SaveStagesDialog::choose);
    }
    const stageview::UnusedText text = stageview::unusedText(unused);
    auto *what = new QLabel(text.line.isEmpty() ? tr("The method uses all weights.") : text.line, this);
    what->setObjectName("unused");
    what->setTextFormat(Qt::PlainText);
    what->setWordWrap(true);
    what->setToolTip(text.details);
    m_keep->setEnabled(!unused.names.empty());
    m_keep->setToolTip(
        tr("Weights that the method does not use are saved too, in the stage that first runs code of the module "
           "around it, so that all stages together have the model's names."));
    auto *form = new QFormLayout;
    auto *title = new QLabel(tr("&Folder"), this);
    title->setBuddy(m_folder);
    form->addRow(title, where);
    form->addRow(QString(), m_keep);
    form->addRow(QString(), what);
    auto *buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel, this);
    m_save = buttons->button(QDialogButtonBox::Save);
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(buttons);
    resize(WidthOfPaths, sizeHint().height());
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_folder, &QLineEdit::textChanged, this, [this] { m_save->setEnabled(!folder().isEmpty()); });
    m_folder->selectAll();
    m_folder->setFocus();
}

QString SaveStagesDialog::folder() const
{
    const QString typed = m_folder->text().trimmed();
    if (typed.isEmpty() || m_machine == Machine::Engines)
        return typed;
    return QDir::cleanPath(QFileInfo(m_proposed).absoluteDir().absoluteFilePath(typed));
}

report::Unused SaveStagesDialog::unused() const
{
    return m_keep->isEnabled() && m_keep->isChecked() ? report::Unused::Kept : report::Unused::LeftOut;
}

void SaveStagesDialog::setUnused(report::Unused unused)
{
    m_keep->setChecked(unused == report::Unused::Kept);
}

void SaveStagesDialog::choose()
{
    const QString there = QFileInfo::exists(folder()) ? folder() : QFileInfo(folder()).absolutePath();
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("Save the stages into a folder"), there);
    if (!chosen.isEmpty())
        m_folder->setText(chosen);
}

} // namespace pipescope::mainwindow
