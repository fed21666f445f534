#include "stageview/stage_view.h"

#include "partition/split_point.h"
#include "session/last_run.h"
#include "session/not_loaded.h"
#include "session/run_name.h"
#include "stageview/boundary_drag.h"
#include "stageview/share_delegate.h"
#include "stageview/ties_text.h"
#include "stageview/unused_text.h"
#include "widgets/elided_label.h"
#include "widgets/run_label.h"
#include "widgets/stage_delegate.h"
#include "widgets/table.h"
#include "widgets/typing.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QSpinBox>
#include <QTableView>
#include <algorithm>
#include <initializer_list>
#include <optional>
#include <utility>

namespace pipescope::stageview {

namespace {

constexpr int FewestStages = 2; ///< that are worth balancing

/// A line with all of it in the tool tip; hidden without one. The names in it are the file's, so nothing is markup.
void showNote(widgets::ElidedLabel &label, const QString &line, const QString &details)
{
    label.setText(line);
    label.setToolTip(QStringLiteral("<p style='white-space:pre'>%1</p>").arg(details.toHtmlEscaped()));
    label.setVisible(!line.isEmpty());
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
    , m_pace(new QLabel(this))
    , m_ties(new widgets::ElidedLabel(this))
    , m_unused(new widgets::ElidedLabel(this))
    , m_run(new widgets::RunLabel(this))
    , m_count(new QSpinBox(this))
    , m_balance(new QPushButton(QString(), this))
{
    setAccessibleName(tr("Stages"));
    widgets::dressTable(*m_table, "stages", tr("Stages"));
    m_table->setModel(&m_model);
    m_table->setItemDelegateForColumn(StageTableModel::Stage, new widgets::StageDelegate(m_table));
    m_table->setItemDelegateForColumn(StageTableModel::Time, new ShareDelegate(m_table));
    m_table->horizontalHeader()->setStretchLastSection(true);
    auto *drag = new BoundaryDrag(m_table);
    connect(drag, &BoundaryDrag::dragged, this, &StageView::previewMove);
    connect(drag, &BoundaryDrag::dropped, this, &StageView::moveBoundary);
    connect(drag, &BoundaryDrag::givenUp, this, &StageView::showPace);
    for (const auto &[key, steps] : {std::pair(Qt::Key_Up, -1), std::pair(Qt::Key_Down, 1)}) {
        auto *shortcut = new QShortcut(QKeySequence(Qt::ALT | key), m_table, nullptr, nullptr, Qt::WidgetShortcut);
        connect(shortcut, &QShortcut::activated, this, [this, steps = steps] { moveSelected(steps); });
    }
    m_problem->setObjectName("problem");
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_count->setObjectName("count");
    m_count->setAccessibleName(tr("Number of stages"));
    m_count->setRange(1, 1024);
    m_count->setValue(FewestStages);
    m_count->setSuffix(tr(" stages"));
    widgets::selectNumberOnDoubleClick(*m_count);
    m_balance->setObjectName("balance");

    m_run->setWordWrap(false); // it stands beside others
    m_pace->setObjectName("pace");
    m_pace->setAccessibleName(tr("Pace"));
    m_pace->setWordWrap(true);
    m_pace->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_ties->setObjectName("ties");
    m_ties->setAccessibleName(tr("Tied parameters"));
    m_ties->hide();
    m_unused->setObjectName("unused");
    m_unused->setAccessibleName(tr("Unused parameters"));
    m_unused->hide();
    const auto nameButton = [this](int stages) { m_balance->setText(tr("&Balance into %1 stages").arg(stages)); };
    nameButton(m_count->value());
    connect(m_count, &QSpinBox::valueChanged, this, nameButton);

    auto *row = new QHBoxLayout;
    row->addWidget(m_pace, 5);
    row->addWidget(m_ties, 3); // in a line of its own it would take one from the table
    row->addWidget(m_unused, 2);
    row->addWidget(m_run);
    row->addWidget(m_count);
    row->addWidget(m_balance);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_table);
    layout->addWidget(m_problem);
    layout->addLayout(row);

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
    const QString whyNot = model ? session::whyNotSplit(*model) : QString();
    for (QWidget *balancing : std::initializer_list<QWidget *>{m_balance, m_count})
        balancing->setEnabled(model != nullptr && model->graph.size() > 0 && whyNot.isEmpty());
    m_balance->setToolTip(whyNot.isEmpty() ? tr("Place the splits so that the stages cost about the same") : whyNot);
    m_problem->hide();
    m_ties->hide();
    m_unused->hide();
    m_run->setRun({});
    if (!model || !whyNot.isEmpty()) {
        m_model.clear();
        m_table->resizeColumnsToContents();
        if (!whyNot.isEmpty())
            showProblem(whyNot);
        return showPace();
    }
    const auto made = m_document.staging();
    const session::Staging &staging = *made;
    // The button offers as many as there are, until the user asks for another number, which is for this model alone.
    const auto stages = static_cast<int>(staging.partition.stages.size());
    if (std::exchange(m_countOf, m_document.plan().model) != m_document.plan().model)
        m_count->setValue(std::max(stages, FewestStages));
    else if (stages != m_model.rowCount() && stages > 1)
        m_count->setValue(stages);
    const session::Run run = session::lastRun(m_controller, m_document);
    m_model.show(model->graph, staging, run.get());
    m_run->setRun(session::runName(m_controller, run.get()).whole());
    m_table->resizeColumnsToContents();
    if (staging.problem)
        showProblem(QString::fromStdString(staging.problem->message));
    showPace();
    showTies(model->graph, staging.partition);
    showUnused(staging.unused);
    followSelection();
}

void StageView::followSelection()
{
    const StageId stage = session::stageIn(m_selection.current());
    widgets::followRow(*m_table, stage.valid() ? m_model.index(stage.value, 0) : QModelIndex());
}

void StageView::selectRow()
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    if (!rows.isEmpty())
        m_selection.select(StageId{rows.first().row()});
}

void StageView::balance()
{
    if (const Status balanced = session::balance(m_document, m_count->value()); !balanced)
        showProblem(QString::fromStdString(balanced.error().message));
}

std::optional<BoundaryMove> StageView::moveOf(int boundary, int steps) const
{
    const auto model = m_document.model();
    if (!model || model->structureOnly)
        return std::nullopt;
    return stageview::moveBoundary(partition::splitPoints(model->graph), m_document.staging()->partition.cuts, boundary,
                                   steps);
}

void StageView::previewMove(int boundary, int steps)
{
    if (steps == 0)
        return showPace();
    if (const auto move = moveOf(boundary, steps))
        m_pace->setText(tr("stage %1 begins at %2").arg(boundary + 1).arg(QString::fromStdString(move->to)));
    else
        m_pace->setText(tr("stage %1 cannot begin any further").arg(boundary + 1));
}

void StageView::moveBoundary(int boundary, int steps)
{
    if (const auto move = moveOf(boundary, steps))
        if (const Status moved = session::moveSplit(m_document, move->from, move->to); !moved)
            showProblem(QString::fromStdString(moved.error().message));
    showPace();
}

void StageView::moveSelected(int steps)
{
    const int stage = session::stageIn(m_selection.current()).value;
    if (stage < 0)
        return;
    if (stage == 0)
        return m_pace->setText(tr("stage 0 begins where the model does; move where stage 1 begins"));
    if (moveOf(stage - 1, steps))
        moveBoundary(stage - 1, steps);
    else
        previewMove(stage - 1, steps);
}

void StageView::showPace()
{
    m_pace->setText(paceText(m_model.seconds()));
}

void StageView::showTies(const graph::ModelGraph &graph, const partition::Partition &partition)
{
    const TiesText ties = tiesText(graph, partition);
    showNote(*m_ties, ties.line, ties.details);
}

void StageView::showUnused(const partition::UnusedTensors &unused)
{
    const UnusedText text = unusedText(unused);
    showNote(*m_unused, text.line, text.details);
}

void StageView::showProblem(const QString &problem)
{
    m_problem->setText(problem);
    m_problem->show();
}

} // namespace pipescope::stageview
