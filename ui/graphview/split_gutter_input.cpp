// What mouse and keys do in the gutter.
#include "graphview/split_gutter.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

namespace pipescope::graphview {

bool SplitGutter::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const int row = m_rows.empty() || gapAt(help->pos()) >= 0 ? -1 : rowAt(help->pos().y());
        if (row >= 0 && row < static_cast<int>(m_rows.size())) {
            const SplitRow &of = m_rows[static_cast<std::size_t>(row)];
            const QString words = QStringLiteral("%1  %2  %3").arg(of.title, of.kind, of.shape).trimmed();
            QToolTip::showText(help->globalPos(), words.toHtmlEscaped(), viewport());
        } else { // a gap's words are on the card
            QToolTip::hideText();
        }
        return true;
    }
    if (event->type() == QEvent::Leave)
        preview(-1);
    return QAbstractScrollArea::viewportEvent(event);
}

void SplitGutter::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_pressed = gapAt(event->position().toPoint());
    m_dragging = false;
    const int row = m_rows.empty() ? 0 : rowAt(event->position().toPoint().y());
    if (m_pressed < 0 && row < static_cast<int>(m_rows.size()))
        Q_EMIT rowActivated(m_rows[static_cast<std::size_t>(row)].key);
}

void SplitGutter::mouseMoveEvent(QMouseEvent *event)
{
    const int gap = gapAt(event->position().toPoint());
    if (m_pressed >= 0 && isCut(m_pressed) && gap != m_pressed)
        m_dragging = true;
    preview(gap);
}

void SplitGutter::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton)
        return;
    const int gap = gapAt(event->position().toPoint());
    const bool dragged = m_dragging;
    const int from = m_pressed;
    abortDrag();
    if (dragged)
        move(from, gap);
    else if (from >= 0 && gap == from)
        toggle(gap);
}

void SplitGutter::abortDrag()
{
    m_pressed = -1;
    m_dragging = false;
    preview(-1);
    viewport()->update();
}

void SplitGutter::keyPressEvent(QKeyEvent *event)
{
    const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
    if (step != 0 && event->modifiers().testFlag(Qt::AltModifier))
        moveCurrent(step);
    else if (step != 0)
        setCurrent(m_current < 0 ? 1 : m_current + step);
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
        toggle(m_current);
    else if (event->key() == Qt::Key_Delete && isCut(m_current))
        Q_EMIT splitRemoved(idAt(m_current));
    else if (event->key() == Qt::Key_Escape && m_pressed >= 0)
        abortDrag();
    else
        QAbstractScrollArea::keyPressEvent(event);
}

} // namespace pipescope::graphview
