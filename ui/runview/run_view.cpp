#include "runview/run_view.h"

#include "runview/input_form.h"
#include "runview/narrow_delegate.h"
#include "runview/needs_text.h"
#include "runview/open_inputs.h"
#include "runview/plan_form.h"
#include "runview/specialise_switch.h"
#include "session/next_needs.h"
#include "widgets/table.h"

#include <QAction>
#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <algorithm>

namespace pipescope::runview {

namespace {

constexpr int Margin = 8;
constexpr int NarrowestWidth = 280;
constexpr int MostRowsShown = 6;
constexpr int LongestStep = 200; ///< letters

QPushButton *button(const char *name, const QString &text, QWidget *parent)
{
    auto *made = new QPushButton(text, parent);
    made->setObjectName(name);
    made->setMinimumWidth(0);
    return made;
}

/// A tool button could do it of itself, and has another look. No letter after Alt: the menu has one.
void followAction(QPushButton &button, QAction &action)
{
    const auto show = [&button, &action] {
        button.setText(action.iconText());
        button.setToolTip(action.toolTip());
        button.setEnabled(action.isEnabled());
    };
    QObject::connect(&action, &QAction::changed, &button, show);
    QObject::connect(&button, &QPushButton::clicked, &action, &QAction::trigger);
    show();
}

QLabel *sentence(const char *name, QWidget *parent)
{
    auto *label = new QLabel(parent);
    label->setObjectName(name);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    label->hide();
    return label;
}

} // namespace

RunView::RunView(session::Document &document, session::RunController &controller, const RunActions &actions,
                 session::Selection *selection, QWidget *parent)
    : QWidget(parent)
    , m_document(document)
    , m_controller(controller)
    , m_selection(selection)
    , m_inputs(document)
{
    setAccessibleName(tr("Run"));
    setMinimumWidth(NarrowestWidth);
    auto *scroll = new QScrollArea(this);
    scroll->setAccessibleName(tr("Inputs and settings of the run"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto *content = new QWidget(scroll);
    auto *settings = new QVBoxLayout(content);
    settings->setContentsMargins(Margin, Margin, Margin, 0);
    addInputs(*settings);
    m_plan = new PlanForm(m_document, m_controller, content);
    settings->addWidget(m_plan);
    settings->addStretch();
    scroll->setWidget(content);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, Margin);
    layout->addWidget(scroll);
    addButtons(*layout, actions);

    connect(m_plan, &PlanForm::refusalsChanged, this, &RunView::showState);
    connect(m_plan, &PlanForm::turnedDown, this, [this](const QString &why) {
        m_turnedDown = why;
        showState();
    });
    connect(&m_document, &session::Document::planChanged, this, [this] {
        m_turnedDown.clear();
        m_isErrorOld = true;
        showProposals();
        showState();
        showNeeds();
    });
    connect(&m_document, &session::Document::modelChanged, this, [this] {
        fitTable();
        showProposals();
        showState();
        showNeeds();
    });
    for (const auto changed : {&session::RunController::machineChanged, &session::RunController::settingsChanged,
                               &session::RunController::runsChanged})
        connect(&m_controller, changed, this, &RunView::showNeeds);
    connect(&m_controller, &session::RunController::stateChanged, this, &RunView::showState);
    connect(&m_controller, &session::RunController::stepChanged, this, [this] {
        m_step->setText(tr("Now: %1").arg(m_controller.step().left(LongestStep)));
        m_step->setVisible(!m_controller.step().isEmpty());
    });
    connect(&m_controller, &session::RunController::failed, this, [this] {
        m_isErrorOld = false;
        m_failedRun = m_controller.begun().id;
        showState();
    });
    connect(&m_inputs, &InputTableModel::refused, this, &RunView::showState);
    connect(&m_inputs, &InputTableModel::taken, this, &RunView::showState);
    fitTable();
    showProposals();
    showState();
    showNeeds();
}

void RunView::addInputs(QVBoxLayout &layout)
{
    m_table = new QTableView(this);
    widgets::dressTable(*m_table, "inputs", tr("Inputs"));
    m_table->setModel(&m_inputs);
    auto *narrow = new NarrowDelegate(*m_table);
    for (const int column : {InputTableModel::Name, InputTableModel::Chunk}) {
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
        m_table->setItemDelegateForColumn(column, narrow);
    }
    m_table->horizontalHeader()->setSectionResizeMode(InputTableModel::Value, QHeaderView::Stretch);
    m_table->setColumnHidden(InputTableModel::Type, true); // the tool tip of the name has it
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_input = new InputForm(m_inputs, this);
    m_propose = button("propose", tr("Pr&opose inputs"), this);
    m_reasons = sentence("reasons", this);
    m_reasons->setTextFormat(Qt::RichText);
    layout.addWidget(m_table);
    layout.addWidget(m_propose);
    layout.addWidget(m_reasons);
    layout.addWidget(m_input);
    layout.addWidget(new SpecialiseSwitch(m_document, m_controller, this));
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) { m_input->setRow(current.row()); });
    connect(m_propose, &QPushButton::clicked, this, &RunView::propose);
}

void RunView::addButtons(QVBoxLayout &layout, const RunActions &actions)
{
    auto *run = button("run", {}, this);
    auto *profile = button("profile", {}, this);
    auto *check = button("check", {}, this);
    auto *cancel = button("cancel", {}, this);
    followAction(*run, actions.run);
    followAction(*profile, actions.profile);
    followAction(*check, actions.check);
    followAction(*cancel, actions.cancel);
    run->setDefault(true);
    m_problem = sentence("problem", this);
    m_problem->setTextFormat(Qt::RichText);
    m_step = sentence("step", this);
    m_step->setTextFormat(Qt::PlainText);
    m_needs = sentence("needs", this);
    m_needs->setTextFormat(Qt::PlainText);
    auto *needs = new QHBoxLayout;
    needs->setContentsMargins(Margin, 0, Margin, 0);
    needs->addWidget(m_needs);
    auto *buttons = new QHBoxLayout;
    buttons->setContentsMargins(Margin, 0, Margin, 0);
    for (QPushButton *made : {run, profile, check, cancel})
        buttons->addWidget(made);
    auto *problem = new QHBoxLayout;
    problem->setContentsMargins(Margin, 0, Margin, 0);
    problem->addWidget(m_problem);
    auto *step = new QHBoxLayout;
    step->setContentsMargins(Margin, 0, Margin, 0);
    step->addWidget(m_step);
    layout.addLayout(problem);
    layout.addLayout(step);
    layout.addLayout(needs);
    layout.addLayout(buttons);
    connect(m_problem, &QLabel::linkActivated, this, [this](const QString &link) {
        const auto number = link.toULongLong();
        if (m_selection == nullptr || number >= m_places.size())
            return;
        if (const int input = m_places[number].input; input < 0) {
            m_selection->follow(m_places[number].selected);
        } else {
            m_table->setCurrentIndex(m_inputs.index(input, InputTableModel::Value));
            m_table->setFocus();
        }
    });
}

void RunView::propose()
{
    const std::vector<Proposal> proposals = openProposals(m_document);
    m_document.edit(tr("Propose inputs"), [&](plan::Plan &plan) {
        for (const Proposal &proposal : proposals)
            plan.inputs.push_back(proposal.input);
    });
}

void RunView::showProposals()
{
    const std::vector<Proposal> proposals = openProposals(m_document);
    QStringList reasons;
    for (const Proposal &proposal : proposals)
        reasons += proposal.reason.toHtmlEscaped();
    if (const QStringList unknown = unknownInputs(m_document); !unknown.isEmpty()) {
        const auto model = m_document.model();
        const bool isOnlyRead = model && model->structureOnly; // so that most layers' parameters are not known
        const QString why = isOnlyRead
                                ? tr("What can be proposed for %1 is told once the model is loaded.")
                                : tr("Nothing can be proposed for %1: no layer says what it takes. Give a value in "
                                     "the table.");
        reasons += why.arg(unknown.join(QStringLiteral(", "))).toHtmlEscaped();
    }
    m_propose->setVisible(!proposals.empty());
    m_reasons->setVisible(!reasons.isEmpty());
    m_reasons->setText(reasons.join(QStringLiteral("<br>")));
}

/// What is refused stands until its own field is mended, and until then nothing is run but what the form shows.
void RunView::showState()
{
    const QStringList refused = refusals();
    m_controller.hold(refused.value(0));
    QStringList said;
    for (const QString &why : refused)
        said += why.toHtmlEscaped();
    if (!m_turnedDown.isEmpty())
        said += m_turnedDown.toHtmlEscaped();
    m_places.clear();
    m_problem->setToolTip({});
    if (m_controller.lastError() && !m_isErrorOld)
        said += errorText(*m_controller.lastError());
    m_problem->setText(said.join(QStringLiteral("<br>")));
    m_problem->setVisible(!said.isEmpty());
}

/// Of the run that comes next. While one runs, it stands as it was: what is free then has that run in it.
void RunView::showNeeds()
{
    if (m_controller.isRunning())
        return;
    const auto needs = session::needsOf(m_controller);
    m_needs->setVisible(needs.has_value());
    m_needs->setText(needs ? needsLabel(*needs) : QString());
    m_needs->setToolTip(needs ? needsToolTip(*needs) : QString());
}

QStringList RunView::refusals() const
{
    return m_inputs.refusals() + m_plan->refusals();
}

void RunView::fitTable()
{
    const int rows = std::clamp(m_inputs.rowCount(), 1, MostRowsShown);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() +
                            rows * m_table->verticalHeader()->defaultSectionSize() + 2 * m_table->frameWidth());
}

QString RunView::errorText(const Error &error)
{
    const auto model = m_document.model();
    const Problem problem = problemOf(error, model ? &model->graph : nullptr, m_failedRun);
    QString text = problem.sentence.toHtmlEscaped();
    const auto ofNode = std::find_if(problem.places.begin(), problem.places.end(),
                                     [](const Place &place) { return std::holds_alternative<NodeId>(place.selected); });
    const QString source = problem.source.toHtmlEscaped();
    if (m_selection != nullptr && ofNode != problem.places.end() && !source.isEmpty())
        text += QStringLiteral("<br><a href='%1'>%2</a>").arg(ofNode - problem.places.begin()).arg(source);
    else if (!source.isEmpty())
        text += QStringLiteral("<br>") + source;
    if (m_selection != nullptr && !problem.places.empty()) {
        QStringList links;
        for (std::size_t i = 0; i < problem.places.size(); ++i)
            links += QStringLiteral("<a href='%1'>%2</a>").arg(i).arg(problem.places[i].text.toHtmlEscaped());
        text += QStringLiteral("<br>") + tr("Show %1").arg(links.join(QStringLiteral(", ")));
    }
    m_problem->setToolTip(
        problem.details.isEmpty()
            ? QString()
            : QStringLiteral("<p>%1</p>").arg(problem.details.toHtmlEscaped().replace('\n', QLatin1String("<br>"))));
    m_places = problem.places;
    return text;
}

} // namespace pipescope::runview
