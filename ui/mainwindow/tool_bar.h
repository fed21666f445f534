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
    void resizeEvent(QResizeEvent *event) override;

private:
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
};

} // namespace pipescope::mainwindow
