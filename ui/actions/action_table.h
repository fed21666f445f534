// Everything the user can do, one row each: menus, toolbar, command palette and the sheet of shortcuts are made from
// the same rows. What cannot be done now says why, wherever it is shown.
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QObject>
#include <QString>
#include <functional>
#include <map>
#include <vector>

class QMenu;

namespace pipescope::actions {

enum class MenuId { File, Export, Edit, View, Layout, Plan, Run, Help, None };

struct ActionRow
{
    QString id = {};                       ///< the object name of its QAction
    QString text = {};                     ///< as in the menu, with its mnemonic
    MenuId menu = MenuId::None;            ///< where it stands; rows of one menu in their order
    bool begins = false;                   ///< a line stands above it in the menu
    QList<QKeySequence> keys = {};         ///< the first one is shown
    QString hint = {};                     ///< what it does, as a sentence without a stop
    QString icon = {};                     ///< style/icon.h; "" for none
    std::function<void()> done = {};       ///< does it
    std::function<QString()> whyNot = {};  ///< why it cannot be done now, "" where it can; always possible without
    std::function<QString()> textNow = {}; ///< in place of `text`, where that changes: "Undo Place a split"
    std::function<bool()> isChecked = {};  ///< a check box with this
};

/// A key of a canvas, which no menu has.
struct KeyRow
{
    QString where; ///< "Graph"
    QString keys;  ///< "W A S D"
    QString what;  ///< "Zoom and move"
};

class ActionTable : public QObject
{
    Q_OBJECT

public:
    /// The actions' shortcuts work in `window`.
    explicit ActionTable(QWidget &window);

    /// The id must be new.
    QAction &add(ActionRow row);
    void addKeys(std::vector<KeyRow> keys);

    [[nodiscard]] const std::vector<ActionRow> &rows() const { return m_rows; }
    [[nodiscard]] const std::vector<KeyRow> &keys() const { return m_keys; }
    /// The id must be one of a row.
    [[nodiscard]] QAction &action(const QString &id) const { return *m_actions.at(id); }
    /// Of a row, as it stands now: "" where it can be done.
    [[nodiscard]] static QString whyNot(const ActionRow &row) { return row.whyNot ? row.whyNot() : QString(); }
    /// Its text without the mnemonic.
    [[nodiscard]] static QString plainText(const ActionRow &row);

    /// Puts a menu's rows into it.
    void fill(QMenu &menu, MenuId id) const;

    /// Asks every row again what it can do; a tooltip then says what it does, its keys, and why not.
    void refresh();

private:
    QWidget &m_window;
    std::vector<ActionRow> m_rows;
    std::vector<KeyRow> m_keys;
    std::map<QString, QAction *> m_actions; // not owned: the window's
};

} // namespace pipescope::actions
