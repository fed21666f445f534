#include "graphview/split_gutter.h"

#include <QFontMetrics>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>

namespace pipescope::graphview {

using style::Token;

namespace {

constexpr int RowHeight = 24;
constexpr int Top = 6;
constexpr int Reach = 7; // above and below the line between two rows
constexpr int StripWidth = 20;
constexpr int Indent = 12;
constexpr int ChipWidth = 56;

} // namespace

SplitGutter::SplitGutter(QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_fonts(font())
{
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    setAccessibleName(tr("Program order and splits"));
}

void SplitGutter::setGraph(std::shared_ptr<const graph::ModelGraph> graph, std::vector<partition::SplitPoint> points)
{
    m_graph = std::move(graph);
    m_points = std::move(points);
    m_cuts.clear();
    setRows(m_graph ? splitRows(*m_graph) : std::vector<SplitRow>());
}

void SplitGutter::setRows(std::vector<SplitRow> rows)
{
    m_rows = std::move(rows);
    m_hovered = m_current = m_pressed = -1;
    m_dragging = false;
    updateScrolling();
    viewport()->update();
}

void SplitGutter::setCuts(std::vector<int> cuts)
{
    m_cuts = std::move(cuts);
    viewport()->update();
}

void SplitGutter::setTheme(const style::Theme &theme)
{
    m_theme = &theme;
    viewport()->update();
}

QRect SplitGutter::gapRect(int gap) const
{
    const int y = Top + gap * RowHeight - verticalScrollBar()->value();
    return {0, y - Reach, viewport()->width(), 2 * Reach};
}

int SplitGutter::gapAt(QPoint at) const
{
    const int gap = (at.y() + verticalScrollBar()->value() - Top + RowHeight / 2) / RowHeight;
    return pointAt(gap) && gapRect(gap).contains(at) ? gap : -1;
}

const partition::SplitPoint *SplitGutter::pointAt(int gap) const
{
    if (gap < 1 || gap >= static_cast<int>(m_rows.size()))
        return nullptr;
    const int position = m_rows[static_cast<std::size_t>(gap)].begin;
    return position > 0 && position <= static_cast<int>(m_points.size())
               ? &m_points[static_cast<std::size_t>(position - 1)]
               : nullptr;
}

bool SplitGutter::isCut(int gap) const
{
    const partition::SplitPoint *point = pointAt(gap);
    return point && std::binary_search(m_cuts.begin(), m_cuts.end(), point->cut.position);
}

StageId SplitGutter::stageAt(int position) const
{
    const auto after = std::upper_bound(m_cuts.begin(), m_cuts.end(), position);
    return StageId{static_cast<int>(after - m_cuts.begin())};
}

QString SplitGutter::idAt(int gap) const
{
    const partition::SplitPoint *point = pointAt(gap);
    return point ? QString::fromStdString(point->id) : QString();
}

QString SplitGutter::gapText(int gap) const
{
    const partition::SplitPoint *point = pointAt(gap);
    return point ? splitText(*m_graph, *point) : QString();
}

void SplitGutter::preview(int gap)
{
    if (gap == m_hovered)
        return;
    m_hovered = gap;
    const partition::SplitPoint *point = pointAt(gap);
    viewport()->setCursor(!point              ? Qt::ArrowCursor
                          : !point->cut.legal ? Qt::ForbiddenCursor
                          : isCut(gap)        ? Qt::SizeVerCursor
                                              : Qt::PointingHandCursor);
    setAccessibleDescription(gapText(gap));
    viewport()->update();
    Q_EMIT previewed(point ? point->cut.position : -1);
}

void SplitGutter::toggle(int gap)
{
    const partition::SplitPoint *point = pointAt(gap);
    if (!point)
        return;
    if (isCut(gap)) {
        Q_EMIT splitRemoved(idAt(gap));
    } else if (point->cut.legal) {
        Q_EMIT splitPlaced(idAt(gap));
    } else {
        QToolTip::showText(viewport()->mapToGlobal(gapRect(gap).center()), gapText(gap), viewport());
    }
}

void SplitGutter::move(int from, int to)
{
    const partition::SplitPoint *target = pointAt(to);
    if (target && target->cut.legal && !isCut(to))
        Q_EMIT splitMoved(idAt(from), idAt(to));
}

// Alt and an arrow: on to the next place that can be cut.
void SplitGutter::moveCurrent(int step)
{
    if (!isCut(m_current))
        return;
    for (int gap = m_current + step; pointAt(gap); gap += step) {
        if (isCut(gap))
            return;
        if (pointAt(gap)->cut.legal) {
            const int from = m_current;
            setCurrent(gap);
            Q_EMIT splitMoved(idAt(from), idAt(gap));
            return;
        }
    }
}

void SplitGutter::setCurrent(int gap)
{
    if (!pointAt(gap))
        return;
    m_current = gap;
    const QRect rect = gapRect(gap).adjusted(0, -RowHeight, 0, RowHeight);
    if (rect.top() < 0)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + rect.top());
    else if (rect.bottom() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + rect.bottom() - viewport()->height());
    preview(gap);
    viewport()->update();
}

void SplitGutter::updateScrolling()
{
    const int height = 2 * Top + static_cast<int>(m_rows.size()) * RowHeight;
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(RowHeight);
}

void SplitGutter::resizeEvent(QResizeEvent * /*event*/)
{
    updateScrolling();
}

bool SplitGutter::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        if (const QString text = gapText(gapAt(help->pos())); !text.isEmpty())
            QToolTip::showText(help->globalPos(), text, viewport(), gapRect(gapAt(help->pos())));
        else
            QToolTip::hideText();
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
    const int row = (event->position().toPoint().y() + verticalScrollBar()->value() - Top) / RowHeight;
    if (m_pressed < 0 && row >= 0 && row < static_cast<int>(m_rows.size()))
        Q_EMIT rowActivated(m_rows[static_cast<std::size_t>(row)].begin);
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
    const int from = std::exchange(m_pressed, -1);
    if (std::exchange(m_dragging, false))
        move(from, gap);
    else if (from >= 0 && gap == from)
        toggle(gap);
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
        m_pressed = -1, m_dragging = false;
    else
        QAbstractScrollArea::keyPressEvent(event);
}

void SplitGutter::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(event->rect(), m_theme->colour(Token::Panel));
    const int scrolled = verticalScrollBar()->value();
    const int first = std::max(0, (scrolled - Top) / RowHeight);
    const int last = std::min(static_cast<int>(m_rows.size()), (scrolled + viewport()->height()) / RowHeight + 1);
    for (int row = first; row < last; ++row)
        paintRow(painter, row);
    for (int gap = std::max(1, first); gap < last; ++gap)
        paintGap(painter, gap);
}

void SplitGutter::paintRow(QPainter &painter, int row) const
{
    const SplitRow &of = m_rows[static_cast<std::size_t>(row)];
    const int y = Top + row * RowHeight - verticalScrollBar()->value();
    const StageId first = stageAt(of.begin);
    const StageId last = stageAt(of.end - 1);
    const QRectF strip(8, y + 3, StripWidth, RowHeight - 6);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme->colour(first));
    painter.drawRoundedRect(strip, 3, 3);
    if (last != first) { // a split inside of a closed module
        painter.setBrush(m_theme->colour(last));
        painter.drawRoundedRect(strip.adjusted(0, strip.height() / 2, 0, 0), 3, 3);
    }
    if (const Qt::BrushStyle pattern = style::Theme::patternOf(first); pattern != Qt::NoBrush) {
        QColor ink = m_theme->colour(Token::Ink);
        ink.setAlphaF(0.35F);
        painter.setBrush(QBrush(ink, pattern));
        painter.drawRoundedRect(strip, 3, 3);
    }
    painter.setFont(m_fonts.value);
    painter.setPen(m_theme->colour(Token::Ink));
    painter.drawText(strip, Qt::AlignCenter,
                     first == last ? QString::number(first.value)
                                   : QStringLiteral("%1–%2").arg(first.value).arg(last.value));
    const int left = 16 + StripWidth + of.depth * Indent;
    const auto hasChip = [this](int gap) { return isCut(gap) || (pointAt(gap) && gap == m_hovered); };
    const int chip = hasChip(row) || hasChip(row + 1) ? ChipWidth + 6 : 0;
    const QRect room(left, y, viewport()->width() - left - 8 - chip, RowHeight);
    painter.setFont(m_fonts.title);
    painter.setPen(m_theme->colour(Token::Text));
    const QFontMetrics titles(m_fonts.title);
    const QString title = titles.elidedText(of.title, Qt::ElideMiddle, room.width());
    painter.drawText(room, Qt::AlignVCenter | Qt::AlignLeft, title);
    const int used = titles.horizontalAdvance(title) + 12;
    painter.setFont(m_fonts.detail);
    painter.setPen(m_theme->colour(Token::Dim));
    const QFontMetrics details(m_fonts.detail);
    if (room.width() - used > 3 * Indent)
        painter.drawText(room.adjusted(used, 0, 0, 0), Qt::AlignVCenter | Qt::AlignRight,
                         details.elidedText(of.detail, Qt::ElideRight, room.width() - used));
}

void SplitGutter::paintGap(QPainter &painter, int gap) const
{
    const partition::SplitPoint *point = pointAt(gap);
    if (!point)
        return;
    const double y = gapRect(gap).center().y() + 0.5;
    const bool cut = isCut(gap);
    const bool lit = gap == m_hovered || (gap == m_current && hasFocus());
    if (!point->cut.legal)
        painter.setPen(QPen(m_theme->colour(lit ? Token::Bad : Token::Grid), 1, Qt::DotLine));
    else if (cut)
        painter.setPen(QPen(m_theme->colour(stageAt(point->cut.position)), 2));
    else if (lit)
        painter.setPen(QPen(m_theme->colour(Token::Accent), 2, Qt::DashLine));
    else
        return;
    const double right = viewport()->width() - 8;
    painter.drawLine(QPointF(8, y), QPointF(right, y));
    if (!cut && !lit)
        return;
    const QRectF chip(right - ChipWidth, y - 9, ChipWidth, 18);
    const Token plain = point->cut.legal ? Token::Accent : Token::Panel;
    painter.setPen(point->cut.legal ? QPen(Qt::NoPen) : QPen(m_theme->colour(Token::Bad), 1));
    painter.setBrush(cut ? m_theme->colour(stageAt(point->cut.position)) : m_theme->colour(plain));
    painter.drawRoundedRect(chip, 4, 4);
    painter.setFont(m_fonts.title);
    painter.setPen(m_theme->colour(cut ? Token::Ink : point->cut.legal ? Token::Canvas : Token::Bad));
    painter.drawText(chip, Qt::AlignCenter,
                     cut                ? QStringLiteral("split %1").arg(stageAt(point->cut.position).value)
                     : point->cut.legal ? tr("split")
                                        : tr("no split"));
}

} // namespace pipescope::graphview
