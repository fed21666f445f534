#include "widgets/table.h"

#include "widgets/cell_delegate.h"
#include "widgets/export_actions.h"

#include <QHeaderView>
#include <QHelpEvent>
#include <QItemSelectionModel>
#include <QSignalBlocker>
#include <QString>
#include <QTableView>
#include <QToolTip>

namespace pipescope::widgets {

namespace {

/// Where the text of a cell is cut off and its model has no tool tip for it, the whole text is one.
class WholeText : public QObject
{
public:
    explicit WholeText(QTableView &table)
        : QObject(&table)
        , m_table(table)
    {
        table.viewport()->installEventFilter(this);
    }

    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() != QEvent::ToolTip)
            return QObject::eventFilter(watched, event);
        const auto *help = static_cast<QHelpEvent *>(event);
        const QModelIndex index = m_table.indexAt(help->pos());
        const bool isCut =
            index.isValid() && m_table.sizeHintForIndex(index).width() > m_table.columnWidth(index.column());
        if (!isCut || !index.data(Qt::ToolTipRole).toString().isEmpty())
            return QObject::eventFilter(watched, event);
        const QString text = index.data(Qt::DisplayRole).toString().toHtmlEscaped();
        QToolTip::showText(help->globalPos(), QStringLiteral("<p>%1</p>").arg(text), &m_table,
                           m_table.visualRect(index));
        return true;
    }

private:
    QTableView &m_table;
};

} // namespace

void dressTable(QTableView &table, const char *name, const QString &title)
{
    constexpr int rowHeight = 24;
    table.setObjectName(name);
    table.setAccessibleName(title);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setTabKeyNavigation(false); // from widget to widget: who has no mouse would never get out
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTextElideMode(Qt::ElideRight);
    table.verticalHeader()->hide();
    table.verticalHeader()->setMinimumSectionSize(rowHeight);
    table.verticalHeader()->setDefaultSectionSize(rowHeight);
    table.horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table.horizontalHeader()->setHighlightSections(false);
    table.setItemDelegate(new CellDelegate(&table));
    addTableActions(table);
    new WholeText(table);
}

void followRow(QTableView &table, const QModelIndex &index)
{
    const QSignalBlocker quiet(table.selectionModel());
    if (index.isValid()) {
        table.selectRow(index.row());
        table.scrollTo(index);
    } else {
        table.clearSelection();
    }
    table.viewport()->update(); // the view is not told either
}

} // namespace pipescope::widgets
