#include "timeline/timeline_tables.h"

#include "widgets/table.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QTabWidget>
#include <QTableView>

namespace pipescope::timeline {

TimelineTables::TimelineTables(TimelineView &view, QWidget *parent)
    : QWidget(parent)
    , m_view(view)
    , m_tabs(new QTabWidget(this))
    , m_tiny(new QCheckBox(this))
{
    m_tabs->setDocumentMode(true);
    m_tabs->setObjectName("timelineTables");
    m_tabs->addTab(addTable(m_actions, "actions", tr("Actions")), tr("Actions"));
    auto *bubbles = new QWidget(this);
    auto *column = new QVBoxLayout(bubbles);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tiny);
    column->addWidget(addTable(m_bubbles, "bubbles", tr("Bubbles")), 1);
    m_tabs->addTab(bubbles, tr("Bubbles"));
    m_tabs->addTab(addTable(m_transfers, "transfers", tr("Transfers")), tr("Transfers"));
    m_tiny->setObjectName("tinyBubbles");
    m_tiny->setContentsMargins(8, 4, 8, 4);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_tabs);
    connect(m_tabs, &QTabWidget::currentChanged, this, [this](int tab) {
        fill(tab);
        followView();
    });
    connect(m_tiny, &QCheckBox::toggled, this, [this](bool isOn) {
        m_bubbles.setShowsTiny(isOn);
        followView();
    });
    connect(&m_view, &TimelineView::currentChanged, this, &TimelineTables::followView);
    refresh();
}

QTableView *TimelineTables::addTable(SpotTableModel &model, const char *name, const QString &title)
{
    auto *table = new QTableView(this);
    widgets::dressTable(*table, name, title);
    table->setFrameShape(QFrame::NoFrame);
    table->setModel(&model);
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setResizeContentsPrecision(64);
    table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    table->horizontalHeader()->setSortIndicatorClearable(true);
    table->setSortingEnabled(true);
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this, &model](const QModelIndex &row) {
                if (row.isValid() && !m_isFollowing)
                    m_view.select(model.spotOf(row));
            });
    return table;
}

QTableView *TimelineTables::currentTable() const
{
    QWidget *page = m_tabs->currentWidget();
    auto *table = qobject_cast<QTableView *>(page);
    return table != nullptr ? table : page->findChild<QTableView *>();
}

void TimelineTables::fill(int tab)
{
    // Only what is seen is filled: a million rows take their time.
    SpotTableModel *const models[] = {&m_actions, &m_bubbles, &m_transfers};
    SpotTableModel &model = *models[tab];
    if (model.model() == m_view.model())
        return;
    const QScopedValueRollback follows(m_isFollowing, true);
    const bool wasEmpty = model.rowCount() == 0;
    model.setModel(m_view.model());
    // What the user made of the columns stays.
    if (wasEmpty)
        currentTable()->resizeColumnsToContents();
    tellTiny();
}

void TimelineTables::refresh()
{
    fill(m_tabs->currentIndex());
    followView();
}

void TimelineTables::followView()
{
    const std::optional<Spot> spot = m_view.current();
    QTableView *table = currentTable();
    auto *model = static_cast<SpotTableModel *>(table->model());
    if (!spot || spot->run != 0 || model->model() != m_view.model())
        return;
    const int row = model->rowOf(*spot);
    if (row < 0 || (table->currentIndex().isValid() && table->currentIndex().row() == row))
        return;
    const QScopedValueRollback follows(m_isFollowing, true);
    table->setCurrentIndex(model->index(row, 0));
}

void TimelineTables::tellTiny()
{
    m_tiny->setVisible(m_bubbles.tinyCount() > 0);
    m_tiny->setText(tr("Show tiny gaps: %n between two actions, %1 % of all time", nullptr, m_bubbles.tinyCount())
                        .arg(100 * m_bubbles.tinyShare(), 0, 'f', 2));
    m_tiny->setToolTip(tr("Gaps without a cause of their own, each shorter than a thousandth of the run"));
}

} // namespace pipescope::timeline
