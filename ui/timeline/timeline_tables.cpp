#include "timeline/timeline_tables.h"

#include "widgets/column_menu.h"
#include "widgets/run_label.h"
#include "widgets/stage_delegate.h"
#include "widgets/table.h"

#include <QBoxLayout>
#include <QCheckBox>
#include <QHeaderView>
#include <QLabel>
#include <QScopedValueRollback>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <algorithm>
#include <cstddef>

namespace pipescope::timeline {

namespace {

QStringList headersOf(const SpotTableModel &model)
{
    QStringList headers;
    for (int column = 0; column < model.columnCount(); ++column)
        headers << model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    return headers;
}

/// Asks for no room: where it has none it is hidden.
class Hint : public QLabel
{
public:
    using QLabel::QLabel;
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }
};

constexpr int LeastWidth = 56; ///< of a column

/// By the first rows and the headers; later rows have longer times.
void fitColumns(QTableView &table, const std::vector<int> &least)
{
    table.resizeColumnsToContents();
    for (int column = 0; column + 1 < table.model()->columnCount(); ++column)
        table.setColumnWidth(column, std::max(least[static_cast<std::size_t>(column)], table.columnWidth(column)));
}

std::vector<int> widthsOf(const QTableView &table)
{
    std::vector<int> widths;
    for (int column = 0; column + 1 < table.model()->columnCount(); ++column) // the last one has what is left
        widths.push_back(table.columnWidth(column));
    return widths;
}

} // namespace

TimelineTables::TimelineTables(TimelineView &view, QWidget *parent)
    : QWidget(parent)
    , m_view(view)
    , m_tabs(new QTabWidget(this))
    , m_tiny(new QCheckBox(this))
    , m_keys(new Hint(TimelineView::keysHint(), this))
    , m_run(new widgets::RunLabel(this))
{
    m_tabs->setDocumentMode(true);
    m_tabs->setObjectName("timelineTables");
    m_tabs->setAccessibleName(tr("Tables of the run"));
    m_tabs->addTab(addTable(m_actions, "actions", tr("Actions"), {ActionTableModel::Stage}), tr("Actions"));
    auto *bubbles = new QWidget(this);
    auto *column = new QVBoxLayout(bubbles);
    column->setContentsMargins(0, 4, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tiny);
    column->addWidget(addTable(m_bubbles, "bubbles", tr("Bubbles"), {BubbleTableModel::Stage}), 1);
    m_tabs->addTab(bubbles, tr("Bubbles"));
    m_tabs->addTab(
        addTable(m_transfers, "transfers", tr("Transfers"), {TransferTableModel::From, TransferTableModel::To}),
        tr("Transfers"));
    m_tiny->setObjectName("tinyBubbles");
    m_keys->setObjectName("timelineKeys");
    m_keys->setContentsMargins(8, 0, 12, 6); // clear of the table below
    m_keys->setEnabled(false);               // in a shade of less weight
    m_keys->hide();                          // until there is room
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_run);
    layout->addWidget(m_tabs);
    m_run->setContentsMargins(8, 4, 8, 0);
    connect(m_tabs, &QTabWidget::currentChanged, this, [this](int tab) {
        fill(tab);
        followView();
    });
    connect(m_tiny, &QCheckBox::toggled, this, [this](bool isOn) {
        m_bubbles.setShowsTiny(isOn);
        followView();
    });
    connect(&m_view, &TimelineView::currentChanged, this, &TimelineTables::followView);
    connect(&m_view, &TimelineView::relatedChanged, this, &TimelineTables::followView);
    refresh();
}

QTableView *TimelineTables::addTable(SpotTableModel &model, const char *name, const QString &title,
                                     const QList<int> &stages)
{
    auto *table = new QTableView(this);
    widgets::dressTable(*table, name, title);
    table->setFrameShape(QFrame::NoFrame);
    table->setModel(&model);
    for (const int column : stages)
        table->setItemDelegateForColumn(column, new widgets::StageDelegate(table));
    table->horizontalHeader()->setStretchLastSection(true);
    table->horizontalHeader()->setResizeContentsPrecision(64);
    table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    table->horizontalHeader()->setSortIndicatorClearable(true);
    table->setSortingEnabled(true);
    widgets::addSortMenu(*table);
    connect(table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this, &model](const QModelIndex &row) {
                if (row.isValid() && !m_isFollowing)
                    m_view.select(model.spotOf(row));
            });
    // The row that the table went to by itself is current already.
    connect(table, &QTableView::clicked, this, [this, &model](const QModelIndex &row) {
        if (m_view.current() != model.spotOf(row))
            m_view.select(model.spotOf(row));
    });
    return table;
}

void TimelineTables::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    // Else a tab would have to give way. What stands in the corner has its width kept free even while it is hidden.
    const bool hasRoom = width() >= m_tabs->tabBar()->sizeHint().width() + m_keys->sizeHint().width();
    m_tabs->setCornerWidget(hasRoom ? m_keys : nullptr);
    m_keys->setVisible(hasRoom);
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
    QTableView &table = *currentTable();
    const bool wasEmpty = model.rowCount() == 0;
    const std::vector<int> widths = widthsOf(table);
    const bool isAsMade = widths == m_madeWidths[static_cast<std::size_t>(tab)];
    const QStringList headers = headersOf(model);
    model.setModel(m_view.model());
    // What the user made of the columns stays while it fits: until there is something, or the unit is another one. A
    // run that goes on has longer texts, and columns that are as they were made here grow with them.
    if (const bool isAnew = wasEmpty || headers != headersOf(model); isAnew || isAsMade) {
        fitColumns(table, isAnew ? std::vector(widths.size(), LeastWidth) : widths);
        m_madeWidths[static_cast<std::size_t>(tab)] = widthsOf(table);
    }
    tellTiny();
}

void TimelineTables::refresh()
{
    m_run->setRun(m_view.runs().count() > 1 ? m_view.runs()[0].listed : QString());
    fill(m_tabs->currentIndex());
    followView();
}

void TimelineTables::followView()
{
    const std::optional<Spot> spot = m_view.current();
    QTableView *table = currentTable();
    auto *model = static_cast<SpotTableModel *>(table->model());
    if (!spot)
        return followRelated();
    if (model->model() != m_view.model())
        return;
    const int row = spot->run == 0 ? model->rowOf(*spot) : -1;
    if (row < 0)
        return table->clearSelection();
    if (table->currentIndex().row() == row && table->selectionModel()->isRowSelected(row))
        return;
    const QScopedValueRollback follows(m_isFollowing, true);
    table->setCurrentIndex(model->index(row, 0));
}

void TimelineTables::followRelated()
{
    QTableView *table = currentTable();
    auto *model = static_cast<SpotTableModel *>(table->model());
    if (m_view.model() == nullptr || model->model() != m_view.model())
        return;
    int first = -1;
    const SlicesByLane &related = m_view.related();
    for (int lane = 0; lane < std::ssize(related); ++lane)
        for (const std::vector<int> &slices : related[static_cast<std::size_t>(lane)])
            for (const int slice : slices)
                if (const int row = model->rowOf({lane, slice, -1}); row >= 0 && (first < 0 || row < first))
                    first = row;
    if (first < 0)
        return table->clearSelection(); // the keyboard goes on from where it was
    const QScopedValueRollback follows(m_isFollowing, true);
    table->setCurrentIndex(model->index(first, 0));
    table->scrollTo(model->index(first, 0));
}

void TimelineTables::tellTiny()
{
    m_tiny->setVisible(m_bubbles.tinyCount() > 0);
    m_tiny->setText(tr("Show tiny gaps too (%1, %2 % of all time)")
                        .arg(m_bubbles.tinyCount())
                        .arg(100 * m_bubbles.tinyShare(), 0, 'f', 2));
    m_tiny->setToolTip(tr("Gaps around transfers and between two actions that no wait explains, each shorter than a "
                          "thousandth of the run"));
}

} // namespace pipescope::timeline
