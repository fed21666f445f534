#include "runview/plan_form.h"

#include "plan/limits.h"
#include "runview/schedule_choice.h"
#include "session/schedule_fit.h"
#include "widgets/typing.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>

namespace pipescope::runview {

namespace {

constexpr int MostRuns = 1000;
constexpr int NarrowestField = 8; ///< letters

QSpinBox *countBox(const char *name, int least, int most, QWidget *parent)
{
    auto *box = new QSpinBox(parent);
    box->setObjectName(name);
    box->setRange(least, most);
    box->setKeyboardTracking(false);
    return box;
}

QComboBox *choiceBox(const char *name, QWidget *parent)
{
    auto *box = new QComboBox(parent);
    box->setObjectName(name);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    box->setMinimumContentsLength(NarrowestField);
    return box;
}

} // namespace

PlanForm::PlanForm(session::Document &document, session::RunController &controller, QWidget *parent)
    : QWidget(parent)
    , m_document(document)
    , m_controller(controller)
    , m_method(choiceBox("method", this))
    , m_microbatches(countBox("microbatches", 1, plan::MostMicrobatches, this))
    , m_schedule(choiceBox("schedule", this))
    , m_misfit(new QLabel(this))
    , m_threads(countBox("threads", 1, plan::MostThreadsPerRank, this))
    , m_inFlight(countBox("inFlight", 0, plan::MostMicrobatches, this))
    , m_grad(new QCheckBox(tr("keep &gradients"), this))
    , m_warmUps(countBox("warmUps", 0, MostRuns, this))
    , m_repeat(countBox("repeat", 1, MostRuns, this))
    , m_check(new QCheckBox(tr("compare with the &unsplit model"), this))
{
    auto *usual = new QFormLayout;
    addUsual(*usual);
    auto *rarely = new QWidget(this);
    rarely->setObjectName("rarely");
    auto *rare = new QFormLayout(rarely);
    rare->setContentsMargins(0, 0, 0, 0);
    addRare(*rare);
    rarely->hide();
    auto *more = new QToolButton(this);
    more->setObjectName("more");
    more->setText(tr("More settings"));
    more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    more->setArrowType(Qt::RightArrow);
    more->setAutoRaise(true);
    more->setCheckable(true);
    connect(more, &QToolButton::toggled, this, [more, rarely](bool open) {
        more->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
        rarely->setVisible(open);
    });
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(usual);
    layout->addWidget(more);
    layout->addWidget(rarely);

    connect(&m_document, &session::Document::planChanged, this, &PlanForm::showPlan);
    connect(&m_document, &session::Document::modelChanged, this, &PlanForm::showMethods);
    showMethods();
    showPlan();
    showSettings();
}

PlanForm::~PlanForm()
{
    widgets::stopListening(*this);
}

/// Letters after Alt stand where the menus, the tool bar and what is shown beside the form leave one.
void PlanForm::addUsual(QFormLayout &form)
{
    m_misfit->setObjectName("misfit");
    m_misfit->setWordWrap(true);
    m_misfit->setTextFormat(Qt::PlainText);
    m_misfit->setTextInteractionFlags(Qt::TextSelectableByMouse);
    form.addRow(tr("Method"), m_method);
    form.addRow(tr("Microbatches"), m_microbatches);
    form.addRow(tr("Schedule"), m_schedule);
    form.addRow(m_misfit);
    form.addRow(tr("Threads per ran&k"), m_threads);
    connect(m_method, &QComboBox::textActivated, this, [this](const QString &method) {
        m_document.edit(tr("Method"), [&](plan::Plan &plan) {
            if (plan.method != method.toStdString())
                plan.specialised.clear(); // which are values of the other's arguments
            plan.method = method.toStdString();
        });
    });
    connect(m_microbatches, &QSpinBox::valueChanged, this, [this](int count) {
        m_document.edit(
            tr("Microbatches"), [count](plan::Plan &plan) { plan.microbatches = count; }, "microbatches");
    });
    connect(m_threads, &QSpinBox::valueChanged, this, [this](int count) {
        m_document.edit(
            tr("Threads per rank"), [count](plan::Plan &plan) { plan.threadsPerRank = count; }, "threads");
    });
    auto *choice = new ScheduleChoice(*m_schedule, m_document, this);
    connect(choice, &ScheduleChoice::refused, this, &PlanForm::turnedDown);
}

void PlanForm::addRare(QFormLayout &form)
{
    addLine(form, "devices", tr("Devices"), tr("one CPU for each stage"), devicesLine());
    m_inFlight->setSpecialValueText(tr("stages + 2"));
    form.addRow(tr("Most in flight"), m_inFlight);
    addLine(form, "tolerances", tr("Tolerances"), tr("rtol, atol: none, bitwise"), tolerancesLine());
    addLine(form, "outputChunks", tr("&Join outputs"), tr("by shape"), outputChunksLine());
    addLine(form, "seed", tr("Seed"), tr("0"), seedLine());
    m_grad->setObjectName("grad");
    form.addRow(QString(), m_grad);
    m_check->setObjectName("compare");
    form.addRow(tr("&Warm-ups"), m_warmUps);
    form.addRow(tr("Repeat"), m_repeat);
    form.addRow(QString(), m_check);

    connect(m_inFlight, &QSpinBox::valueChanged, this, [this](int count) {
        m_document.edit(
            tr("Most in flight"), [count](plan::Plan &plan) { plan.maxInFlight = count; }, "inFlight");
    });
    connect(m_grad, &QCheckBox::toggled, this,
            [this](bool on) { m_document.edit(tr("Gradients"), [on](plan::Plan &plan) { plan.grad = on; }); });
    connect(m_warmUps, &QSpinBox::valueChanged, this, [this](int count) {
        changeSettings([count](session::RunSettings &settings) { settings.warmUps = count; });
    });
    connect(m_repeat, &QSpinBox::valueChanged, this, [this](int count) {
        changeSettings([count](session::RunSettings &settings) { settings.repeat = count; });
    });
    connect(m_check, &QCheckBox::toggled, this,
            [this](bool on) { changeSettings([on](session::RunSettings &settings) { settings.check = on; }); });
    connect(&m_controller, &session::RunController::settingsChanged, this, &PlanForm::showSettings);
}

void PlanForm::addLine(QFormLayout &form, const char *name, const QString &title, const QString &hint,
                       const PlanLine &says)
{
    auto *line = new QLineEdit(this);
    line->setObjectName(name);
    line->setPlaceholderText(hint);
    form.addRow(title, line);
    const std::size_t number = m_lines.size();
    m_lines.push_back({line, says, {}});
    const QString plainTitle = QString(title).remove('&');
    connect(line, &QLineEdit::editingFinished, this, [this, number, plainTitle] { takeLine(number, plainTitle); });
}

void PlanForm::takeLine(std::size_t number, const QString &title)
{
    Line &line = m_lines[number];
    const QString before = line.refusal;
    const QString typed = line.edit->text().trimmed();
    line.edit->setModified(false);
    line.refusal.clear();
    if (typed != line.says.text(m_document.plan())) {
        plan::Plan changed = m_document.plan();
        Status read = line.says.take(changed, typed.toStdString());
        if (read && !changed.model.empty())
            read = plan::validatePlan(changed);
        if (read) {
            m_document.edit(title, [&](plan::Plan &plan) { plan = changed; });
            line.edit->setText(line.says.text(m_document.plan())); // the same may be written in other ways
        } else {
            line.refusal = tr("%1: %2").arg(title, QString::fromStdString(read.error().message));
        }
    }
    if (line.refusal != before)
        Q_EMIT refusalsChanged();
}

QStringList PlanForm::refusals() const
{
    QStringList sentences;
    for (const Line &line : m_lines)
        if (!line.refusal.isEmpty())
            sentences += line.refusal;
    return sentences;
}

void PlanForm::showPlan()
{
    const plan::Plan &plan = m_document.plan();
    const QSignalBlocker quiet[] = {QSignalBlocker(m_microbatches), QSignalBlocker(m_threads),
                                    QSignalBlocker(m_inFlight), QSignalBlocker(m_grad)};
    m_microbatches->setValue(plan.microbatches);
    m_threads->setValue(plan.threadsPerRank);
    m_inFlight->setValue(plan.maxInFlight);
    m_grad->setChecked(plan.grad);
    showFit();
    if (m_method->findText(QString::fromStdString(plan.method)) < 0)
        m_method->addItem(QString::fromStdString(plan.method));
    m_method->setCurrentText(QString::fromStdString(plan.method));
    for (const Line &line : m_lines)
        if (line.refusal.isEmpty()) // what was refused stays as typed
            line.edit->setText(line.says.text(plan));
}

/// Schedules that the devices are too few for say so before a run.
void PlanForm::showFit()
{
    m_misfit->setText(session::whyNotScheduled(m_document));
    m_misfit->setVisible(!m_misfit->text().isEmpty());
}

void PlanForm::showMethods()
{
    for (Line &line : m_lines)
        line.refusal.clear();
    m_method->clear();
    if (const auto model = m_document.model())
        for (const report::MethodInfo &method : model->methods) {
            m_method->addItem(QString::fromStdString(method.name));
            m_method->setItemData(m_method->count() - 1, QString::fromStdString(method.signature), Qt::ToolTipRole);
        }
    showPlan();
}

void PlanForm::showSettings()
{
    const QSignalBlocker quiet[] = {QSignalBlocker(m_warmUps), QSignalBlocker(m_repeat), QSignalBlocker(m_check)};
    m_warmUps->setValue(m_controller.settings().warmUps);
    m_repeat->setValue(m_controller.settings().repeat);
    m_check->setChecked(m_controller.settings().check);
}

void PlanForm::changeSettings(const std::function<void(session::RunSettings &)> &change)
{
    session::RunSettings settings = m_controller.settings();
    change(settings);
    m_controller.setSettings(settings);
}

} // namespace pipescope::runview
