#include "splitview/split_view.h"

#include "session/not_loaded.h"
#include "widgets/column_menu.h"
#include "widgets/table.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <optional>
#include <utility>

namespace pipescope::splitview {

SplitView::SplitView(session::Document &document, session::Selection &selection, QWidget *parent)
    : QWidget(parent)
    , m_document(document)
    , m_selection(selection)
    , m_model(document)
    , m_filter(new QLineEdit(this))
    , m_table(new QTableView(this))
    , m_whyNone(new QLabel(this))
{
    setAccessibleName(tr("Split points"));
    m_filter->setObjectName("filter");
    m_filter->setAccessibleName(tr("Filter of the split points"));
    m_filter->setPlaceholderText(tr("Filter by name (regular expression)"));
    m_filter->setClearButtonEnabled(true);
    m_filtered.setSourceModel(&m_model);
    m_filtered.setFilterKeyColumn(SplitTableModel::Place);
    widgets::dressTable(*m_table, "splits", tr("Split points"));
    m_table->setModel(&m_filtered);
    m_filtered.setSortRole(SplitTableModel::SortRole);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(SplitTableModel::Place, Qt::AscendingOrder);
    widgets::addSortMenu(*m_table);
    QHeaderView *header = m_table->horizontalHeader();
    const std::pair<int, int> widths[] = {{SplitTableModel::Place, 220},
                                          {SplitTableModel::Crosses, 260},
                                          {SplitTableModel::Bytes, 80},
                                          {SplitTableModel::Legal, 200}};
    for (const auto &[column, width] : widths)
        header->resizeSection(column, width);
    header->setStretchLastSection(true);
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(m_filter);
    layout->addWidget(m_table);
    m_whyNone->setObjectName("whyNone");
    m_whyNone->setWordWrap(true);
    m_whyNone->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    layout->addWidget(m_whyNone);
    connect(&m_document, &session::Document::modelChanged, this, &SplitView::showModel);
    connect(m_filter, &QLineEdit::textChanged, this,
            [this](const QString &text) { m_filtered.setFilterRegularExpression(text); });
    connect(&m_selection, &session::Selection::changed, this, &SplitView::followSelection);
    connect(m_table->selectionModel(), &QItemSelectionModel::selectionChanged, this, &SplitView::selectRow);
    showModel();
}

/// Of a model that was only read, why it has no places.
void SplitView::showModel()
{
    const auto model = m_document.model();
    m_whyNone->setText(model ? session::whyNotSplit(*model) : QString());
    m_whyNone->setVisible(!m_whyNone->text().isEmpty());
}

void SplitView::followSelection()
{
    const auto *cut = std::get_if<session::SelectedCut>(&m_selection.current());
    const int row = cut == nullptr ? -1 : m_model.rowOf(cut->position);
    const QModelIndex index =
        row < 0 ? QModelIndex() : m_filtered.mapFromSource(m_model.index(row, SplitTableModel::Place));
    widgets::followRow(*m_table, index);
}

void SplitView::selectRow()
{
    const QModelIndexList rows = m_table->selectionModel()->selectedRows();
    if (!rows.isEmpty())
        m_selection.select(session::SelectedCut{m_model.positionOf(m_filtered.mapToSource(rows.first()).row())});
}

} // namespace pipescope::splitview
