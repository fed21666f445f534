#include "runview/run_view.h"

#include "schedule/schedule_table.h"
#include "widgets/table.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableView>

namespace pipescope::runview {

namespace {

QSpinBox *countBox(const char *name, int most, QWidget *parent)
{
    auto *box = new QSpinBox(parent);
    box->setObjectName(name);
    box->setRange(1, most);
    box->setKeyboardTracking(false);
    return box;
}

QPushButton *button(const char *name, const QString &text, QWidget *parent)
{
    auto *made = new QPushButton(text, parent);
    made->setObjectName(name);
    return made;
}

} // namespace

RunView::RunView(session::Document &document, session::RunController &controller, QWidget *parent)
    : QWidget(parent)
    , m_document(document)
    , m_controller(controller)
    , m_inputs(document)
    , m_table(new QTableView(this))
    , m_microbatches(countBox("microbatches", 1'000'000, this))
    , m_threads(countBox("threads", plan::MostThreadsPerRank, this))
    , m_schedule(new QComboBox(this))
    , m_profile(button("profile", tr("&Profile"), this))
    , m_run(button("run", tr("&Run"), this))
    , m_cancel(button("cancel", tr("Cancel"), this))
    , m_problem(new QLabel(this))
{
    setAccessibleName(tr("Run"));
    widgets::dressTable(*m_table, "inputs", tr("Inputs"));
    m_table->setModel(&m_inputs);
    for (const int column : {InputTableModel::Name, InputTableModel::Type, InputTableModel::Chunk})
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(InputTableModel::Value, QHeaderView::Stretch);
    setMinimumWidth(360);
    m_schedule->setObjectName("schedule");
    for (const schedule::ScheduleEntry &entry : schedule::scheduleTable())
        m_schedule->addItem(QString::fromUtf8(entry.key.data(), static_cast<qsizetype>(entry.key.size())));
    m_profile->setToolTip(tr("Run the model on these inputs and measure its parts"));
    m_run->setToolTip(tr("Run the stages in parallel and compare with the unsplit model"));
    m_problem->setObjectName("problem");
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_problem->hide();

    auto *form = new QFormLayout;
    form->addRow(tr("&Microbatches"), m_microbatches);
    form->addRow(tr("&Threads per rank"), m_threads);
    form->addRow(tr("&Schedule"), m_schedule);
    auto *buttons = new QHBoxLayout;
    for (QPushButton *made : {m_profile, m_run, m_cancel})
        buttons->addWidget(made);
    buttons->addStretch();
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_table);
    layout->addLayout(form);
    layout->addLayout(buttons);
    layout->addWidget(m_problem);

    connect(&m_document, &session::Document::planChanged, this, &RunView::showPlan);
    connect(&m_document, &session::Document::modelChanged, this, &RunView::showState);
    connect(&m_controller, &session::RunController::stateChanged, this, &RunView::showState);
    connect(&m_inputs, &InputTableModel::refused, this, &RunView::tell);
    connect(m_microbatches, &QSpinBox::valueChanged, this, [this](int count) {
        m_document.edit(
            tr("Microbatches"), [count](plan::Plan &plan) { plan.microbatches = count; }, "microbatches");
    });
    connect(m_threads, &QSpinBox::valueChanged, this, [this](int count) {
        m_document.edit(
            tr("Threads per rank"), [count](plan::Plan &plan) { plan.threadsPerRank = count; }, "threads");
    });
    connect(m_schedule, &QComboBox::textActivated, this, [this](const QString &key) {
        m_document.edit(tr("Schedule"), [&key](plan::Plan &plan) { plan.schedule = key.toStdString(); });
    });
    connect(m_profile, &QPushButton::clicked, this,
            [this] { m_controller.look(session::RunController::Look::Profiling); });
    connect(m_run, &QPushButton::clicked, &m_controller, &session::RunController::run);
    connect(m_cancel, &QPushButton::clicked, &m_controller, &session::RunController::cancel);
    showPlan();
    showState();
}

void RunView::showPlan()
{
    const QSignalBlocker noMicrobatches(m_microbatches);
    const QSignalBlocker noThreads(m_threads);
    m_microbatches->setValue(m_document.plan().microbatches);
    m_threads->setValue(m_document.plan().threadsPerRank);
    // A schedule of the user's own, "@file.csv", is not in the table.
    const QString schedule = QString::fromStdString(m_document.plan().schedule);
    if (m_schedule->findText(schedule) < 0)
        m_schedule->addItem(schedule);
    m_schedule->setCurrentText(schedule);
    m_problem->hide();
}

void RunView::showState()
{
    const bool idle = !m_controller.isRunning() && !m_controller.isLooking();
    const bool canRun = m_document.model() != nullptr && !m_document.model()->structureOnly && idle;
    m_profile->setEnabled(canRun);
    m_run->setEnabled(canRun);
    m_cancel->setEnabled(!idle);
    if (m_controller.lastError())
        tell(QString::fromStdString(m_controller.lastError()->message));
    else
        m_problem->hide();
}

void RunView::tell(const QString &problem)
{
    m_problem->setText(problem);
    m_problem->show();
}

} // namespace pipescope::runview
