// The graph with what belongs around it: a search over names, operators and shapes, and what colours mean.
#pragma once

#include "graphview/graph_canvas.h"
#include "session/document.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;

namespace pipescope::mainwindow {

class GraphPage : public QWidget
{
    Q_OBJECT

public:
    /// All must outlive this.
    GraphPage(session::Document &document, session::Selection &selection, const style::Theme &theme,
              QWidget *parent = nullptr);

    [[nodiscard]] graphview::GraphCanvas &canvas() { return *m_canvas; }
    void startSearch();

private:
    void showModel();
    void showStages();
    void search(const QString &pattern);

    session::Document &m_document;
    graphview::GraphCanvas *m_canvas; // not owned, nor are those below: Qt's parent has them
    QLineEdit *m_search;
    QLabel *m_found;
    QComboBox *m_overlay;
};

} // namespace pipescope::mainwindow
