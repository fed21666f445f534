#include "stageview/boundary_drag.h"

#include <QAbstractItemModel>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QTableView>
#include <cstdlib>
#include <utility>

namespace pipescope::stageview {

namespace {

constexpr int Reach = 3; ///< pixels on either side of a line

} // namespace

BoundaryDrag::BoundaryDrag(QTableView *table)
    : QObject(table)
    , m_table(*table)
{
    table->viewport()->setMouseTracking(true);
    table->viewport()->installEventFilter(this);
    table->installEventFilter(this);
    connect(table->model(), &QAbstractItemModel::modelReset, this, &BoundaryDrag::giveUp);
}

void BoundaryDrag::giveUp()
{
    if (std::exchange(m_boundary, -1) >= 0)
        Q_EMIT givenUp();
}

bool BoundaryDrag::eventFilter(QObject *, QEvent *event)
{
    const bool isMouse = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseMove ||
                         event->type() == QEvent::MouseButtonRelease;
    if (event->type() == QEvent::KeyPress && m_boundary >= 0 &&
        static_cast<const QKeyEvent *>(event)->key() == Qt::Key_Escape) {
        giveUp();
        return true;
    }
    if (!isMouse)
        return false;
    const auto &mouse = static_cast<const QMouseEvent &>(*event); // by its type
    const int y = mouse.position().toPoint().y();
    if (event->type() == QEvent::MouseMove && m_boundary < 0) {
        if (boundaryAt(y) >= 0)
            m_table.viewport()->setCursor(Qt::SplitVCursor);
        else
            m_table.viewport()->unsetCursor();
        return false;
    }
    if (event->type() == QEvent::MouseButtonPress && mouse.button() == Qt::LeftButton) {
        m_boundary = boundaryAt(y);
        m_from = y;
        return m_boundary >= 0;
    }
    if (m_boundary < 0)
        return false;
    if (event->type() == QEvent::MouseMove)
        Q_EMIT dragged(m_boundary, stepsTo(y));
    else if (mouse.button() == Qt::LeftButton)
        Q_EMIT dropped(std::exchange(m_boundary, -1), stepsTo(y));
    return true;
}

int BoundaryDrag::boundaryAt(int y) const
{
    const int rows = m_table.model() != nullptr ? m_table.model()->rowCount() : 0;
    for (int row = 0; row + 1 < rows; ++row)
        if (std::abs(y - m_table.rowViewportPosition(row + 1)) <= Reach)
            return row;
    return -1;
}

} // namespace pipescope::stageview
