#include "runview/run_view.h"

#include "runview/input_form.h"
#include "runview/plan_form.h"
#include "runview/propose_inputs.h"
#include "session/not_loaded.h"
#include "session/schedule_fit.h"
#include "widgets/table.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTableView>
#include <algorithm>
#include <utility>

namespace pipescope::runview {

namespace {

constexpr int Margin = 8;
constexpr int NarrowestWidth = 280;
constexpr int MostRowsShown = 6;

QPushButton *button(const char *name, const QString &text, QWidget *parent)
{
    auto *made = new QPushButton(text, parent);
    made->setObjectName(name);
    made->setMinimumWidth(0);
    return made;
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

bool isGiven(const plan::Plan &plan, const std::string &argument, std::size_t place)
{
    std::size_t positional = 0;
    for (const plan::InputSpec &input : plan.inputs)
        if (input.name == argument || (input.name.empty() && positional++ == place))
            return true;
    return false;
}

/// Proposals for arguments that nothing is given for.
std::vector<Proposal> openProposals(const session::Document &document)
{
    const auto model = document.model();
    if (!model)
        return {};
    std::vector<Proposal> proposals = proposeInputs(model->graph);
    const auto &arguments = model->graph.arguments;
    std::erase_if(proposals, [&](const Proposal &proposal) {
        const auto found = std::find_if(arguments.begin(), arguments.end(), [&](const graph::Argument &argument) {
            return argument.name == proposal.input.name;
        });
        return isGiven(document.plan(), proposal.input.name,
                       static_cast<std::size_t>(std::distance(arguments.begin(), found)));
    });
    return proposals;
}

} // namespace

RunView::RunView(session::Document &document, session::RunController &controller, session::Selection *selection,
                 QWidget *parent)
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
    auto *plan = new PlanForm(m_document, m_controller, content);
    settings->addWidget(plan);
    settings->addStretch();
    scroll->setWidget(content);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, Margin);
    layout->addWidget(scroll);
    addButtons(*layout);

    connect(plan, &PlanForm::refused, this, qOverload<const QString &>(&RunView::tell));
    connect(&m_document, &session::Document::planChanged, this, [this] {
        m_problem->hide();
        showProposals();
        showButtons();
    });
    connect(&m_document, &session::Document::modelChanged, this, [this] {
        fitTable();
        showProposals();
        showState();
    });
    connect(&m_controller, &session::RunController::stateChanged, this, &RunView::showState);
    connect(&m_inputs, &InputTableModel::refused, this, qOverload<const QString &>(&RunView::tell));
    fitTable();
    showProposals();
    showState();
}

void RunView::addInputs(QVBoxLayout &layout)
{
    m_table = new QTableView(this);
    widgets::dressTable(*m_table, "inputs", tr("Inputs"));
    m_table->setModel(&m_inputs);
    for (const int column : {InputTableModel::Name, InputTableModel::Chunk})
        m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(InputTableModel::Value, QHeaderView::Stretch);
    m_table->setColumnHidden(InputTableModel::Type, true); // the tool tip of the name has it
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_input = new InputForm(m_inputs, this);
    m_propose = button("propose", tr("Pr&opose inputs"), this);
    m_reasons = sentence("reasons", this);
    layout.addWidget(m_table);
    layout.addWidget(m_propose);
    layout.addWidget(m_reasons);
    layout.addWidget(m_input);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) { m_input->setRow(current.row()); });
    connect(m_propose, &QPushButton::clicked, this, &RunView::propose);
}

void RunView::addButtons(QVBoxLayout &layout)
{
    m_profile = button("profile", tr("&Profile"), this);
    m_run = button("run", tr("&Run"), this);
    m_check = button("check", tr("C&heck"), this);
    m_cancel = button("cancel", tr("Cancel"), this);
    m_problem = sentence("problem", this);
    m_run->setDefault(true);
    auto *buttons = new QHBoxLayout;
    buttons->setContentsMargins(Margin, 0, Margin, 0);
    for (QPushButton *made : {m_run, m_profile, m_check, m_cancel})
        buttons->addWidget(made);
    auto *problem = new QHBoxLayout;
    problem->setContentsMargins(Margin, 0, Margin, 0);
    problem->addWidget(m_problem);
    layout.addLayout(problem);
    layout.addLayout(buttons);
    connect(m_profile, &QPushButton::clicked, this,
            [this] { m_controller.look(session::RunController::Look::Profiling); });
    connect(m_run, &QPushButton::clicked, &m_controller, &session::RunController::run);
    connect(m_check, &QPushButton::clicked, this, [this] { m_controller.check(); });
    connect(m_cancel, &QPushButton::clicked, &m_controller, &session::RunController::cancel);
    connect(m_problem, &QLabel::linkActivated, this, [this](const QString &link) {
        const auto number = link.toULongLong();
        if (m_selection != nullptr && number < m_places.size())
            m_selection->follow(m_places[number].selected);
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
    m_propose->setVisible(!proposals.empty());
    m_reasons->setVisible(!proposals.empty());
    m_reasons->setText(reasons.join(QStringLiteral("<br>")));
}

void RunView::showState()
{
    showButtons();
    if (m_controller.lastError())
        tell(*m_controller.lastError());
    else
        m_problem->hide();
}

void RunView::showButtons()
{
    const bool idle = !m_controller.isRunning() && !m_controller.isLooking();
    const bool canRun = m_document.model() != nullptr && !m_document.model()->structureOnly && idle;
    const QString why = canRun ? QString() : whyNotRun();
    const QString whyNoStages = canRun ? session::whyNotScheduled(m_document) : why;
    const auto offer = [](QPushButton &work, const QString &what, const QString &whyNot) {
        work.setEnabled(whyNot.isEmpty());
        work.setToolTip(whyNot.isEmpty() ? what : whyNot);
    };
    offer(*m_profile, tr("Run the model on these inputs and measure its parts"), why);
    offer(*m_run, tr("Run the stages in parallel and compare with the unsplit model"), whyNoStages);
    offer(*m_check, tr("Run once, for the comparison with the unsplit model"), whyNoStages);
    m_cancel->setEnabled(!idle);
}

QString RunView::whyNotRun() const
{
    const auto model = m_document.model();
    if (!model)
        return tr("Open a model first.");
    const QString why = session::whyNotRun(*model);
    return why.isEmpty() ? tr("The engine is busy: wait for it, or cancel what it does.") : why;
}

void RunView::fitTable()
{
    const int rows = std::clamp(m_inputs.rowCount(), 1, MostRowsShown);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() +
                            rows * m_table->verticalHeader()->defaultSectionSize() + 2 * m_table->frameWidth());
}

void RunView::tell(const QString &problem)
{
    m_places.clear();
    m_problem->setText(problem.toHtmlEscaped());
    m_problem->setToolTip({});
    m_problem->show();
}

void RunView::tell(const Error &error)
{
    const auto model = m_document.model();
    const Problem problem = problemOf(error, model ? &model->graph : nullptr);
    QString text = problem.sentence.toHtmlEscaped();
    const auto ofNode = std::find_if(problem.places.begin(), problem.places.end(),
                                     [](const Place &place) { return place.selected.node.valid(); });
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
    tell(QString());
    m_problem->setText(text);
    m_problem->setToolTip(problem.details.toHtmlEscaped().replace('\n', QLatin1String("<br>")));
    m_places = problem.places;
}

} // namespace pipescope::runview
