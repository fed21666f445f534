// Which of the window's tables is the current one, as who looks at it would say: a table that is seen in the dock or
// page that was used last.
#pragma once

#include <QObject>
#include <QPointer>
#include <QTableView>

class QMainWindow;

namespace pipescope::mainwindow {

class CurrentTable : public QObject
{
    Q_OBJECT

public:
    /// `window` must outlive this, and have the pages in its middle already.
    explicit CurrentTable(QMainWindow &window);

    /// Of the dock or page that had the keyboard, or whose tab was chosen, last: the table that had it there, else the
    /// first one seen. Where no table is seen there, the first one seen in the window; nullptr where there is none.
    [[nodiscard]] QTableView *find() const;

private:
    /// A dock, or what is in the middle; nullptr for what is around them.
    [[nodiscard]] QWidget *paneOf(QWidget *widget) const;
    void use(QWidget *widget);

    QMainWindow &m_window;
    QPointer<QWidget> m_pane;
    QPointer<QTableView> m_table; ///< that had the keyboard last
};

} // namespace pipescope::mainwindow
