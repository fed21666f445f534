// A canvas that can be drawn as a whole onto something else than the screen: a file, a page, a test's image.
#pragma once

#include <QSizeF>
#include <QString>

class QPainter;

namespace pipescope::widgets {

class Drawable
{
public:
    virtual ~Drawable() = default;

    /// Of the whole picture, in device independent pixels; empty where there is nothing to draw.
    [[nodiscard]] virtual QSizeF drawnSize() const = 0;
    /// Draws all of it with its ground, from (0, 0) to drawnSize(). No selection, no pointer, no cards.
    virtual void draw(QPainter &painter) const = 0;
    /// What a file of it may be called, without a suffix: "decoder-graph".
    [[nodiscard]] virtual QString drawnName() const = 0;
};

} // namespace pipescope::widgets
