// The dock of the places where the model may be cut, with a filter over names.
#pragma once

#include "session/document.h"
#include "session/selection.h"
#include "splitview/split_table_model.h"

#include <QSortFilterProxyModel>
#include <QWidget>

class QLabel;
class QLineEdit;
class QTableView;

namespace pipescope::splitview {

class SplitView : public QWidget
{
    Q_OBJECT

public:
    /// Both must outlive this.
    SplitView(session::Document &document, session::Selection &selection, QWidget *parent = nullptr);

private:
    void showModel();
    void followSelection();
    void selectRow();

    session::Document &m_document;
    session::Selection &m_selection;
    SplitTableModel m_model;
    QSortFilterProxyModel m_filtered;
    QLineEdit *m_filter; // not owned, nor is the table: Qt's parent has them
    QTableView *m_table;
    QLabel *m_whyNone;
};

} // namespace pipescope::splitview
