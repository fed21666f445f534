#include "mainwindow/timeline_page.h"

#include "base/text.h"
#include "widgets/table.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QTableView>

namespace pipescope::mainwindow {

namespace {

QString percent(double share)
{
    return QString::number(100 * share, 'f', 1);
}

QString seconds(double time)
{
    return QString::fromStdString(formatSeconds(time));
}

} // namespace

TimelinePage::TimelinePage(const session::RunController &controller, session::Selection &selection,
                           const style::Theme &theme, QWidget *parent)
    : QWidget(parent)
    , m_controller(controller)
    , m_runs(new QComboBox(this))
    , m_numbers(new QLabel(this))
    , m_view(new timeline::TimelineView(selection, this))
    , m_table(new QTableView(this))
{
    m_runs->setObjectName("runs");
    m_runs->setAccessibleName(tr("Run"));
    m_runs->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_numbers->setObjectName("numbers");
    m_numbers->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_view->setTheme(theme);
    m_sorted.setSourceModel(&m_slices);
    m_sorted.setSortRole(timeline::SliceTableModel::NumberRole);
    widgets::dressTable(*m_table, "slices", tr("Slices and bubbles"));
    m_table->setModel(&m_sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(timeline::SliceTableModel::Begin, Qt::AscendingOrder);
    m_table->horizontalHeader()->setStretchLastSection(true);

    auto *bar = new QHBoxLayout;
    bar->setContentsMargins(8, 6, 8, 6);
    bar->addWidget(m_runs);
    bar->addWidget(m_numbers, 1);
    auto *split = new QSplitter(Qt::Vertical, this);
    split->addWidget(m_view);
    split->addWidget(m_table);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(bar);
    layout->addWidget(split, 1);

    connect(&m_controller, &session::RunController::runsChanged, this, &TimelinePage::listRuns);
    connect(m_runs, &QComboBox::currentIndexChanged, this, &TimelinePage::showRun);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex &row) {
        if (row.isValid())
            m_view->select(m_slices.spotOf(m_sorted.mapToSource(row)));
    });
    listRuns();
}

void TimelinePage::listRuns()
{
    m_runs->clear();
    for (std::size_t i = 0; i < m_controller.runs().size(); ++i) {
        const report::RunReport &run = *m_controller.runs()[i];
        m_runs->addItem(tr("Run %1: %2").arg(i + 1).arg(QString::fromStdString(run.trace.title)));
    }
    m_runs->setEnabled(m_runs->count() > 1);
    m_runs->setCurrentIndex(m_runs->count() - 1);
    showRun(m_runs->currentIndex());
}

void TimelinePage::showRun(int index)
{
    if (index < 0) {
        m_numbers->setText(tr("No run yet"));
        m_view->setModel(nullptr);
        m_slices.setModel(nullptr);
        return;
    }
    const session::Run run = m_controller.runs()[static_cast<std::size_t>(index)];
    const trace::Stats &stats = run->stats;
    m_numbers->setText(tr("makespan %1 · bound %2 · bubble share %3 % of makespan, %4 % of rank spans")
                           .arg(seconds(stats.makespanSeconds), seconds(stats.boundSeconds), percent(stats.bubbleShare),
                                percent(stats.bubbleShareOfSpan)));
    m_view->setTrace(std::shared_ptr<const trace::Trace>(run, &run->trace));
    m_slices.setModel(m_view->model());
    m_table->resizeColumnsToContents();
}

} // namespace pipescope::mainwindow
