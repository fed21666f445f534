// Every key there is as a table: those of the actions, and those of the canvases.
#pragma once

#include "actions/action_table.h"

#include <QAbstractTableModel>
#include <vector>

namespace pipescope::actions {

class ShortcutModel : public QAbstractTableModel
{
    Q_OBJECT

public:
    enum Column { Where, Keys, What, ColumnCount };

    explicit ShortcutModel(const ActionTable &table, QObject *parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex &parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex &index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<KeyRow> m_rows;
};

} // namespace pipescope::actions
