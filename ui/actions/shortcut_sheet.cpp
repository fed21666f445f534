#include "actions/shortcut_sheet.h"

#include "widgets/table.h"

#include <QBoxLayout>
#include <QHeaderView>
#include <QLineEdit>
#include <QTableView>

namespace pipescope::actions {

ShortcutSheet::ShortcutSheet(const ActionTable &table, QWidget *parent)
    : QDialog(parent)
    , m_model(table)
{
    setObjectName("shortcutSheet");
    setWindowTitle(tr("Shortcuts"));
    m_filtered.setSourceModel(&m_model);
    m_filtered.setFilterKeyColumn(-1);
    m_filtered.setFilterCaseSensitivity(Qt::CaseInsensitive);
    auto *words = new QLineEdit(this);
    words->setObjectName("shortcutFilter");
    words->setPlaceholderText(tr("Filter"));
    words->setAccessibleName(tr("Filter the shortcuts"));
    words->setClearButtonEnabled(true);
    auto *keys = new QTableView(this);
    widgets::dressTable(*keys, "shortcuts", tr("Shortcuts"));
    keys->setModel(&m_filtered);
    keys->horizontalHeader()->setStretchLastSection(true);
    keys->resizeColumnsToContents();
    auto *layout = new QVBoxLayout(this);
    layout->addWidget(words);
    layout->addWidget(keys);
    resize(860, 560); // the longest row is shown whole
    connect(words, &QLineEdit::textChanged, &m_filtered, &QSortFilterProxyModel::setFilterFixedString);
}

} // namespace pipescope::actions
