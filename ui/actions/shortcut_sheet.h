// The sheet of shortcuts, made from the same rows as the menus, with a filter.
#pragma once

#include "actions/shortcut_model.h"

#include <QDialog>
#include <QSortFilterProxyModel>

namespace pipescope::actions {

class ShortcutSheet : public QDialog
{
    Q_OBJECT

public:
    ShortcutSheet(const ActionTable &table, QWidget *parent);

private:
    ShortcutModel m_model;
    QSortFilterProxyModel m_filtered;
};

} // namespace pipescope::actions
