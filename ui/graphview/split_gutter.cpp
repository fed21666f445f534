#include "graphview/split_gutter.h"

#include "graphview/split_card.h"
#include "widgets/export_actions.h"

#include <QScrollBar>
#include <QToolTip>
#include <algorithm>

namespace pipescope::graphview {

namespace {

constexpr int Top = 6;
constexpr int SplitHeight = 22;
constexpr int RowReach = 7; // above and below the line between two rows

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
    widgets::addDrawingActions(*this, *this);
}

void SplitGutter::setTable(std::shared_ptr<const session::SplitTable> table)
{
    m_table = std::move(table);
    m_cuts.clear();
    const graph::ModelGraph *graph = m_table ? m_table->graph() : nullptr;
    setRows(graph ? splitRows(*graph) : std::vector<SplitRow>());
}

void SplitGutter::setRows(std::vector<SplitRow> rows)
{
    m_rows = std::move(rows);
    m_hovered = m_current = m_pressed = -1;
    m_dragging = false;
    layOut();
    revealSelected();
}

void SplitGutter::setCuts(std::vector<int> cuts)
{
    m_cuts = std::move(cuts);
    layOut();
}

void SplitGutter::setStaged(bool isStaged)
{
    m_isStaged = isStaged;
    viewport()->update();
}

void SplitGutter::setSelected(int begin, int end)
{
    if (begin == m_selectedBegin && end == m_selectedEnd)
        return;
    m_selectedBegin = begin;
    m_selectedEnd = end;
    revealSelected();
    viewport()->update();
}

bool SplitGutter::isSelected(int row) const
{
    const SplitRow &of = m_rows[static_cast<std::size_t>(row)];
    return of.begin < m_selectedEnd && m_selectedBegin < of.end;
}

void SplitGutter::revealSelected()
{
    for (int row = 0; m_selectedBegin < m_selectedEnd && row < static_cast<int>(m_rows.size()); ++row)
        if (isSelected(row))
            return ensureSeen(rowTop(row), rowTop(row) + RowHeight);
}

void SplitGutter::ensureSeen(int top, int bottom)
{
    if (top < 0)
        verticalScrollBar()->setValue(verticalScrollBar()->value() + top);
    else if (bottom > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + bottom - viewport()->height());
}

void SplitGutter::layOut()
{
    m_tops.clear();
    int y = Top;
    for (int row = 0; row < static_cast<int>(m_rows.size()); ++row) {
        y += isCut(row) ? SplitHeight : 0;
        m_tops.push_back(y);
        y += RowHeight;
    }
    m_tops.push_back(y);
    updateScrolling();
    viewport()->update();
}

void SplitGutter::setTheme(const style::Theme &theme)
{
    m_theme = &theme;
    viewport()->update();
}

int SplitGutter::rowTop(int row) const
{
    return m_tops[static_cast<std::size_t>(row)] - verticalScrollBar()->value();
}

// The row there, or the next below; as many as there are rows beneath the last.
int SplitGutter::rowAt(int y) const
{
    const auto below = std::upper_bound(m_tops.begin(), m_tops.end() - 1, y + verticalScrollBar()->value() - RowHeight);
    return static_cast<int>(below - m_tops.begin());
}

QRect SplitGutter::rowRect(int row) const
{
    const bool isThere = row >= 0 && row < static_cast<int>(m_rows.size());
    return isThere ? QRect(0, rowTop(row), viewport()->width(), RowHeight) : QRect();
}

QRect SplitGutter::gapRect(int gap) const
{
    if (gap < 0 || gap >= static_cast<int>(m_rows.size()))
        return {};
    const int between = isCut(gap) ? SplitHeight / 2 : 0;
    const int y = rowTop(gap) - between;
    return {0, y - RowReach - between, viewport()->width(), 2 * (RowReach + between)};
}

int SplitGutter::gapAt(QPoint at) const
{
    const int row = m_rows.empty() ? 0 : rowAt(at.y());
    for (const int gap : {row, row + 1}) {
        if (pointAt(gap) && gapRect(gap).contains(at))
            return gap;
    }
    return -1;
}

const partition::SplitPoint *SplitGutter::pointAt(int gap) const
{
    if (!m_table || gap < 1 || gap >= static_cast<int>(m_rows.size()))
        return nullptr;
    return m_table->at(m_rows[static_cast<std::size_t>(gap)].begin);
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

int SplitGutter::movedPosition() const
{
    const partition::SplitPoint *point = m_dragging ? pointAt(m_pressed) : nullptr;
    return point ? point->cut.position : -1;
}

QString SplitGutter::gapText(int gap) const
{
    const partition::SplitPoint *point = pointAt(gap);
    if (!point)
        return {};
    const int moved = movedPosition();
    const session::SplitPreview preview =
        m_table->preview(m_cuts, point->cut.position, moved >= 0 ? std::optional(moved) : std::nullopt);
    return cardText(*m_table, preview, moved >= 0 ? stageAt(moved) : StageId{}).plain();
}

void SplitGutter::highlight(int position)
{
    const auto row = std::lower_bound(m_rows.begin(), m_rows.end(), position,
                                      [](const SplitRow &each, int at) { return each.begin < at; });
    const bool found = position > 0 && row != m_rows.end() && row->begin == position;
    m_hovered = found ? static_cast<int>(row - m_rows.begin()) : -1;
    viewport()->update();
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
    const int y = point ? gapRect(gap).center().y() : 0;
    Q_EMIT previewed(point ? point->cut.position : -1, movedPosition(), y);
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
    ensureSeen(rect.top(), rect.bottom());
    preview(gap);
    viewport()->update();
}

void SplitGutter::updateScrolling()
{
    const int height = (m_tops.empty() ? Top : m_tops.back()) + Top;
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(RowHeight);
}

void SplitGutter::resizeEvent(QResizeEvent * /*event*/)
{
    updateScrolling();
}

} // namespace pipescope::graphview
