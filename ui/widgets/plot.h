// How every plot of the window looks, and how it comes onto a page.
#pragma once

#include <QSharedPointer>

class QCPAxisTicker;
class QCustomPlot;
class QPainter;
class QPalette;
class QSizeF;

namespace pipescope::widgets {

/// Ground, axes, grid and texts in a palette's colours and small letters; no margins and no frame around the axes. Call
/// it again when the palette changes. Nothing is replotted.
void dressPlot(QCustomPlot &plot, const QPalette &palette);

/// Ticks at round numbers, written as numberText() does.
[[nodiscard]] QSharedPointer<QCPAxisTicker> numberTicker();

/// Draws the plot as it would look in this size, with its ground, from (0, 0). What it looks like on the screen stays.
void drawPlot(QCustomPlot &plot, QPainter &painter, const QSizeF &size);

} // namespace pipescope::widgets
