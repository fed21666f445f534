// The graph with what belongs around it: a search over names, operators and shapes, what colours mean, the gutter
// where splits are placed, and a table of the nodes.
#pragma once

#include "graphview/graph_canvas.h"
#include "graphview/split_gutter.h"
#include "session/document.h"

#include <QWidget>
#include <memory>
#include <vector>

class QBoxLayout;
class QComboBox;
class QLabel;
class QLineEdit;
class QSortFilterProxyModel;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace pipescope::graphview {
class NodeTableModel;
}
namespace pipescope::widgets {
class ElidedLabel;
}

namespace pipescope::mainwindow {

class GraphPage : public QWidget
{
    Q_OBJECT

public:
    /// All must outlive this.
    GraphPage(session::Document &document, session::Selection &selection, const style::Theme &theme,
              QWidget *parent = nullptr);

    [[nodiscard]] graphview::GraphCanvas &canvas() { return *m_canvas; }
    [[nodiscard]] graphview::SplitGutter &gutter() { return *m_gutter; }
    /// The nodes as a table, sorted and filtered as shown: for export.
    [[nodiscard]] QTableView &table() { return *m_table; }
    void startSearch();
    void setTheme(const style::Theme &theme);

Q_SIGNALS:
    /// An edit that could not be made, as a sentence.
    void refused(const QString &why);

private:
    QBoxLayout *makeBar();
    QToolButton *button(const QString &text, const char *name, const QString &help);
    void showModel();
    void showStages();
    void makeTable();
    void followSelection();
    void search(const QString &pattern);
    void showFound();
    void connectSearch();
    void connectSplits();
    void selectRow(const graphview::BoxKey &key);
    void tell(const Status &edited);

    session::Document &m_document;
    session::Selection &m_selection;
    std::shared_ptr<const session::SplitTable> m_splits;
    std::vector<StageId> m_stageOf;   // partition::Partition's
    graphview::SplitGutter *m_gutter; // not owned, nor are those below: Qt's parent has them
    graphview::GraphCanvas *m_canvas;
    QStackedWidget *m_shown; // the canvas or the table
    QLineEdit *m_search;
    QLabel *m_found;
    widgets::ElidedLabel *m_graphOf; ///< what the graph is specialised for; hidden for none
    QComboBox *m_overlay;
    QToolButton *m_previous;
    QToolButton *m_next;
    graphview::NodeTableModel *m_nodes;
    QSortFilterProxyModel *m_filtered;
    QTableView *m_table;
    QToolButton *m_asTable;
    QToolButton *m_flat;
    bool m_badPattern = false;
};

} // namespace pipescope::mainwindow
