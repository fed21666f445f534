#include "actions/shortcut_model.h"

namespace pipescope::actions {

ShortcutModel::ShortcutModel(const ActionTable &table, QObject *parent)
    : QAbstractTableModel(parent)
{
    for (const ActionRow &row : table.rows())
        if (!row.keys.isEmpty())
            m_rows.push_back({tr("Anywhere"),
                              QKeySequence::listToString(row.keys, QKeySequence::NativeText).replace("; ", ", "),
                              row.hint.isEmpty() ? ActionTable::plainText(row)
                                                 : ActionTable::plainText(row) + QStringLiteral(": ") + row.hint});
    m_rows.insert(m_rows.end(), table.keys().begin(), table.keys().end());
}

int ShortcutModel::rowCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ShortcutModel::columnCount(const QModelIndex &parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(ColumnCount);
}

QVariant ShortcutModel::data(const QModelIndex &index, int role) const
{
    if (!index.isValid() || role != Qt::DisplayRole)
        return {};
    const KeyRow &row = m_rows[static_cast<std::size_t>(index.row())];
    return index.column() == Where ? row.where : index.column() == Keys ? row.keys : row.what;
}

QVariant ShortcutModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == Where ? tr("where") : section == Keys ? tr("keys") : tr("what it does");
}

} // namespace pipescope::actions
