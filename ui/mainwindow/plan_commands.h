// Edits of the plan that menus and the palette make.
#pragma once

#include "mainwindow/reports.h"
#include "partition/split_point.h"

#include <QObject>

class QWidget;

namespace pipescope::mainwindow {

class PlanCommands : public QObject
{
    Q_OBJECT

public:
    /// All must outlive this; dialogs stand over `window`.
    PlanCommands(Workspace &workspace, Reports &reports, QWidget &window);

    /// Before the selected node, at the selected split point, or where the selected stage begins; nullptr for none.
    [[nodiscard]] const partition::SplitPoint *splitPointHere() const;
    /// Takes it away where there is one.
    void placeSplitHere();
    /// Asks for the number of stages. There must be a model.
    void balanceStages();
    void removeSplits();
    /// Asks for the file of a library of operators; addLibrary().
    void chooseLibrary();
    /// The plan loads it from now on. A model that LibTorch has refused is loaded again with it; one that is not
    /// trusted waits for that.
    void addLibrary(const QString &path);

Q_SIGNALS:
    void libraryAdded();

private:
    Workspace &m_workspace;
    Reports &m_reports;
    QWidget &m_window;
};

} // namespace pipescope::mainwindow
