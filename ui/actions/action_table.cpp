#include "actions/action_table.h"

#include "base/error.h"
#include "widgets/typing.h"

#include <QMenu>
#include <QWidget>

namespace pipescope::actions {

namespace {

QString toolTip(const ActionRow &row, const QString &whyNot)
{
    QString tip = row.hint.isEmpty() ? ActionTable::plainText(row) : row.hint;
    if (!row.keys.isEmpty())
        tip += " (" + row.keys.first().toString(QKeySequence::NativeText) + ')';
    return whyNot.isEmpty() ? tip : tip + '\n' + whyNot;
}

} // namespace

ActionTable::ActionTable(QWidget &window)
    : QObject(&window)
    , m_window(window)
{
}

QAction &ActionTable::add(ActionRow row)
{
    PIPESCOPE_ASSERT(m_actions.count(row.id) == 0);
    auto *action = new QAction(row.text, &m_window);
    action->setObjectName(row.id);
    action->setIconText(QString(row.text).remove(QStringLiteral("...")).remove('&')); // on buttons, whatever textNow is
    action->setShortcuts(row.keys);
    action->setCheckable(static_cast<bool>(row.isChecked));
    connect(action, &QAction::triggered, this, [done = row.done] {
        widgets::finishTyping();
        done();
    });
    m_window.addAction(action);
    m_actions[row.id] = action;
    m_rows.push_back(std::move(row));
    return *action;
}

void ActionTable::addKeys(std::vector<KeyRow> keys)
{
    m_keys.insert(m_keys.end(), keys.begin(), keys.end());
}

QString ActionTable::plainText(const ActionRow &row)
{
    QString text = row.textNow ? row.textNow() : row.text;
    text.remove(QStringLiteral("..."));
    return text.remove('&');
}

void ActionTable::fill(QMenu &menu, MenuId id) const
{
    menu.setToolTipsVisible(true);
    for (const ActionRow &row : m_rows) {
        if (row.menu != id)
            continue;
        if (row.begins && !menu.isEmpty())
            menu.addSeparator();
        menu.addAction(&action(row.id));
    }
}

void ActionTable::refresh()
{
    for (const ActionRow &row : m_rows) {
        const QString why = whyNot(row);
        QAction &action = *m_actions.at(row.id);
        action.setEnabled(why.isEmpty());
        action.setToolTip(toolTip(row, why));
        action.setStatusTip(why);
        if (row.textNow)
            action.setText(row.textNow());
        if (row.isChecked)
            action.setChecked(row.isChecked());
    }
}

} // namespace pipescope::actions
