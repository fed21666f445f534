// The graph with what belongs around it: a search over names, operators and shapes, what colours mean, and the gutter
// where splits are placed.
#pragma once

#include "graphview/graph_canvas.h"
#include "graphview/split_gutter.h"
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

Q_SIGNALS:
    /// An edit that could not be made, as a sentence.
    void refused(const QString &why);

private:
    void showModel();
    void showStages();
    void search(const QString &pattern);
    void connectGutter(session::Selection &selection);
    void tell(const Status &edited);

    session::Document &m_document;
    graphview::SplitGutter *m_gutter; // not owned, nor are those below: Qt's parent has them
    graphview::GraphCanvas *m_canvas;
    QLineEdit *m_search;
    QLabel *m_found;
    QComboBox *m_overlay;
};

} // namespace pipescope::mainwindow
