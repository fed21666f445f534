// How a stage is shown wherever it is named: its colour, its pattern from the ninth on, and its number.
#pragma once

#include "base/ids.h"

class QFont;
class QPainter;
class QRectF;
class QString;

namespace pipescope::style {

/// The colour and pattern alone. Stages have the same colours in every theme, and so has the ink on them.
void paintStage(QPainter &painter, const QRectF &place, StageId stage);

/// With text on it, mostly the number, in a font a little bolder than `font`.
void paintStageChip(QPainter &painter, const QRectF &place, StageId stage, const QString &text, const QFont &font);

} // namespace pipescope::style
