// The bar on top: perspectives, undo and redo, what a run depends on, run, the palette's field, the engine.
#pragma once

#include "actions/action_table.h"
#include "session/document.h"
#include "session/engine_client.h"
#include "style/theme.h"

#include <QToolBar>
#include <string>
#include <vector>

class QComboBox;
class QPushButton;
class QShortcut;
class QSpinBox;

namespace pipescope::mainwindow {

class EnginePill;

class ToolBar : public QToolBar
{
    Q_OBJECT

public:
    /// All must outlive this. The table has the rows already.
    ToolBar(const actions::ActionTable &table, session::Document &document, const session::EngineClient &engine,
            QWidget *parent = nullptr);

    void setTheme(const style::Theme &theme);

Q_SIGNALS:
    /// What was chosen cannot be used; the plan is as it was.
    void refused(const QString &why);

protected:
    bool event(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    /// What is written out, the most first: everything; all but undo and redo; the fields' names and the main buttons;
    /// only the main buttons.
    enum class Room { AllWords, Words, FewWords, NoWords };

    void dressFor(Room room);
    void dressToFit();
    void dressFields();
    void connectFields();
    void addButton(const QString &id, const char *name = nullptr);
    void addField(const QString &title, QWidget &field);
    void addSpace();
    void showPlan();
    void listDevices();
    void addDevices(const std::vector<std::string> &devices);
    void tellWhatFits();
    void setDevices(int index);

    const actions::ActionTable &m_table;
    session::Document &m_document;
    const session::EngineClient &m_engine;
    QSpinBox *m_microbatches; // not owned, nor are those below: Qt's parent has them
    QComboBox *m_schedule;
    QComboBox *m_devices;
    QPushButton *m_palette;
    EnginePill *m_pill;
    std::vector<QAction *> m_labels;      // the fields' names
    std::vector<QShortcut *> m_shortcuts; // do what the names' letters do, while no name is shown
    Room m_room = Room::AllWords;
    int m_dressedWidth = 0; // what it then asks for
};

} // namespace pipescope::mainwindow
