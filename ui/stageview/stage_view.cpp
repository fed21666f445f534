#include "stageview/stage_view.h"

#include "widgets/table.h"

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTableView>

namespace pipescope::stageview {

namespace {

/// The stages of the last run that had these splits; nullptr where there is none.
const std::vector<report::StageReport> *measured(const session::RunController &controller, const plan::Plan &plan)
{
    for (auto run = controller.runs().rbegin(); run != controller.runs().rend(); ++run)
        if ((*run)->plan.splits == plan.splits && (*run)->plan.model == plan.model)
            return &(*run)->stages;
    return nullptr;
}

} // namespace

StageView::StageView(session::Document &document, const session::RunController &controller,
                     session::Selection &selection, QWidget *parent)
    : QWidget(parent)
    , m_document(document)
    , m_controller(controller)
    , m_selection(selection)
    , m_table(new QTableView(this))
    , m_problem(new QLabel(this))
    , m_count(new QSpinBox(this))
    , m_balance(new QPushButton(tr("&Balance"), this))
{
    setAccessibleName(tr("Stages"));
    widgets::dressTable(*m_table, "stages", tr("Stages"));
    m_table->setModel(&m_model);
    m_problem->setObjectName("problem");
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_count->setObjectName("count");
    m_count->setAccessibleName(tr("Number of stages"));
    m_count->setRange(1, 1024);
    m_count->setValue(2);
    m_count->setSuffix(tr(" stages"));
    m_balance->setObjectName("balance");
    m_balance->setToolTip(tr("Place the splits so that the stages cost about the same"));

    auto *row = new QHBoxLayout;
    row->addWidget(m_count);
    row->addWidget(m_balance);
    row->addStretch();
    auto *layout = new QVBoxLayout(this);
    layout->addLayout(row);
    layout->addWidget(m_problem);
    layout->addWidget(m_table);

    connect(&m_document, &session::Document::planChanged, this, &StageView::refresh);
    connect(&m_document, &session::Document::modelChanged, this, &StageView::refresh);
    connect(&m_controller, &session::RunController::runsChanged, this, &StageView::refresh);
    connect(&m_selection, &session::Selection::changed, this, &StageView::followSelection);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &StageView::selectRow);
    connect(m_balance, &QPushButton::clicked, this, &StageView::balance);
    refresh();
}

void StageView::refresh()
{
    const auto model = m_document.model();
    m_balance->setEnabled(model != nullptr && model->graph.size() > 0);
    m_problem->hide();
    if (!model) {
        m_model.clear();
        return;
    }
    const session::Staging staging = session::stagingOf(m_document.plan(), model->graph);
    const auto *stages = measured(m_controller, m_document.plan());
    m_model.show(model->graph, staging, stages != nullptr ? *stages : staging.stages);
    m_table->resizeColumnsToContents();
    if (staging.problem) {
        m_problem->setText(QString::fromStdString(staging.problem->message));
        m_problem->show();
    }
    followSelection();
}

void StageView::followSelection()
{
    const StageId stage = m_selection.current().stage;
    const QSignalBlocker quiet(m_table->selectionModel());
    if (stage.valid() && stage.value < m_model.rowCount())
        m_table->selectRow(stage.value);
    else
        m_table->clearSelection();
    m_table->viewport()->update();
}

void StageView::selectRow()
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    if (!rows.isEmpty())
        m_selection.selectStage(StageId{rows.first().row()});
}

void StageView::balance()
{
    if (const Status balanced = session::balance(m_document, m_count->value()); !balanced) {
        m_problem->setText(QString::fromStdString(balanced.error().message));
        m_problem->show();
    }
}

} // namespace pipescope::stageview
