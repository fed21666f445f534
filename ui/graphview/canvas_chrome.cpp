#include "graphview/canvas_chrome.h"

#include "base/text.h"
#include "graphview/translate.h"

#include <algorithm>
#include <utility>

namespace pipescope::graphview {

using style::Token;

namespace {

constexpr double ChromeMargin = 12;
constexpr double Inner = 8;
constexpr QSizeF MapSize(112, 84);
constexpr double ButtonWidth = 68;
constexpr double Near = 16; // of the pointer
// The map gives way to boxes until they are as far from it, or panning would make it flicker.
constexpr double Calm = 48;

// Scene to minimap: fits, but no side is more than eight times as coarse as the other.
struct MapScale
{
    QPointF origin;
    double x = 1;
    double y = 1;
};

MapScale scaleOf(const QRectF &scene, const QRectF &map)
{
    const QRectF room = map.adjusted(Inner, Inner, -Inner, -Inner);
    MapScale scale;
    const double x = room.width() / std::max(1.0, scene.width());
    const double y = room.height() / std::max(1.0, scene.height());
    scale.x = std::min(x, y * 8);
    scale.y = std::min(y, x * 8);
    scale.origin = room.center() - QPointF(scene.center().x() * scale.x, scene.center().y() * scale.y);
    return scale;
}

void panel(QPainter &painter, const Look &look, const QRectF &rect)
{
    painter.setPen(QPen(look.theme->colour(Token::Line), 1));
    painter.setBrush(look.theme->colour(Token::Panel));
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);
}

QRectF grown(const QRectF &rect, double by)
{
    return rect.adjusted(-by, -by, by, by);
}

/// How many boxes a part of the screen shows; of an open one only its title row counts.
std::ptrdiff_t boxesAt(const Picture &picture, const Viewport &viewport, const QRectF &screen)
{
    const QRectF scene(viewport.toScene(screen.topLeft()), screen.size() / viewport.zoom());
    const std::vector<int> boxes = picture.index.boxesIn(scene);
    return std::count_if(boxes.begin(), boxes.end(), [&](int box) {
        QRectF rect = picture.scene.rects[static_cast<std::size_t>(box)];
        if (picture.scene.tree.boxes[static_cast<std::size_t>(box)].group >= 0)
            rect.setHeight(measure::Header);
        return rect.intersects(scene);
    });
}

} // namespace

QRectF Minimap::placeIn(Qt::Corner corner, const Viewport &viewport)
{
    const double top =
        corner == Qt::TopRightCorner ? ChromeMargin : viewport.size().height() - MapSize.height() - ChromeMargin;
    return {QPointF(viewport.size().width() - MapSize.width() - ChromeMargin, top), MapSize};
}

void Minimap::chooseCorner(const Picture &picture, const Viewport &viewport)
{
    const auto under = [&](Qt::Corner corner) { return boxesAt(picture, viewport, placeIn(corner, viewport)); };
    const bool isBetterAbove = under(Qt::TopRightCorner) < under(Qt::BottomRightCorner);
    m_corner = isBetterAbove ? Qt::TopRightCorner : Qt::BottomRightCorner;
}

bool Minimap::setPointer(const Viewport &viewport, std::optional<QPointF> screen)
{
    const bool is = screen && grown(place(viewport), Near).contains(*screen);
    return std::exchange(m_hasPointer, is) != is && m_givesWay;
}

QPointF Minimap::toScene(const Picture &picture, const Viewport &viewport, QPointF screen) const
{
    const MapScale scale = scaleOf(picture.scene.bounds, place(viewport));
    const QPointF from = screen - scale.origin;
    return {from.x() / scale.x, from.y() / scale.y};
}

QPixmap Minimap::drawn(const Picture &picture, const Look &look, double ratio)
{
    QPixmap pixmap((MapSize * ratio).toSize());
    pixmap.setDevicePixelRatio(ratio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    panel(painter, look, QRectF({0, 0}, MapSize));
    painter.setRenderHint(QPainter::Antialiasing, false);
    const MapScale scale = scaleOf(picture.scene.bounds, QRectF({0, 0}, MapSize));
    for (std::size_t i = 1; i < picture.scene.rects.size(); ++i) {
        if (picture.scene.tree.boxes[i].group >= 0)
            continue;
        const QRectF &rect = picture.scene.rects[i];
        const StageId stage = look.stages ? (*look.stages)[i].first : StageId{};
        painter.fillRect(QRectF(scale.origin + QPointF(rect.left() * scale.x, rect.top() * scale.y),
                                QSizeF(std::max(1.0, rect.width() * scale.x), std::max(1.0, rect.height() * scale.y))),
                         stage.valid() ? look.theme->colour(stage) : look.theme->colour(Token::Faint));
    }
    return pixmap;
}

void Minimap::paint(QPainter &painter, const Picture &picture, const Viewport &viewport, const Look &look)
{
    const QRectF map = place(viewport);
    const double ratio = painter.device()->devicePixelRatioF();
    if (m_cache.isNull() || m_cache.devicePixelRatio() != ratio)
        m_cache = drawn(picture, look, ratio);
    m_givesWay = viewport.zoom() >= detail::Text && boxesAt(picture, viewport, grown(map, m_givesWay ? Calm : 0)) > 0;
    painter.setOpacity(m_givesWay && !m_hasPointer ? Opacity : 1);
    painter.drawPixmap(map.topLeft(), m_cache);
    painter.setOpacity(1);
    const MapScale scale = scaleOf(picture.scene.bounds, map);
    const QRectF seen = viewport.visible();
    const QRectF frame(scale.origin + QPointF(seen.left() * scale.x, seen.top() * scale.y),
                       QSizeF(seen.width() * scale.x, seen.height() * scale.y));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(look.theme->colour(Token::Accent), 1.5));
    painter.drawRoundedRect(frame.intersected(map.adjusted(2, 2, -2, -2)), 2, 2);
}

QRectF Legend::place(const Viewport &viewport)
{
    return {0, viewport.size().height(), viewport.size().width(), Height};
}

QRectF Legend::buttonPlace(const Viewport &viewport, Overlay overlay)
{
    const QPointF corner = place(viewport).topLeft() + QPointF(ChromeMargin, 3);
    return {corner + QPointF(static_cast<int>(overlay) * (ButtonWidth + 2), 0), QSizeF(ButtonWidth, 24)};
}

std::optional<Overlay> Legend::buttonAt(const Viewport &viewport, QPointF screen)
{
    for (int i = 0; i < OverlayCount; ++i) {
        if (buttonPlace(viewport, static_cast<Overlay>(i)).contains(screen))
            return static_cast<Overlay>(i);
    }
    return std::nullopt;
}

void Legend::paint(QPainter &painter, TextCache &texts, const Viewport &viewport, const Look &look, int stages)
{
    const QRectF rect = place(viewport);
    painter.fillRect(rect, look.theme->colour(Token::Panel));
    painter.fillRect(QRectF(rect.topLeft(), QSizeF(rect.width(), 1)), look.theme->colour(Token::Line));
    paintButtons(painter, texts, viewport, look);
    const double left = buttonPlace(viewport, static_cast<Overlay>(OverlayCount - 1)).right() + 2 * Inner;
    const QRectF room(left, rect.top() + 7, rect.right() - ChromeMargin - left, rect.height() - 14);
    if (look.overlay == Overlay::Stage && stages > 0)
        return paintStages(painter, texts, room, look, stages);
    const BoxCosts full{look.largest, static_cast<std::int64_t>(look.largest), static_cast<std::int64_t>(look.largest)};
    const QString text =
        look.overlay == Overlay::Stage ? tr("not split into stages")
        : look.largest > 0
            ? tr("full bar: %1, the most of any box shown").arg(QString::fromStdString(amountText(full, look.overlay)))
            : tr("unknown: not measured yet");
    texts.draw(painter, room.topLeft(), text, TextRole::Detail, look.theme->colour(Token::Dim));
}

void Legend::paintButtons(QPainter &painter, TextCache &texts, const Viewport &viewport, const Look &look)
{
    for (int i = 0; i < OverlayCount; ++i) {
        const auto overlay = static_cast<Overlay>(i);
        const QRectF button = buttonPlace(viewport, overlay);
        const bool chosen = overlay == look.overlay;
        if (chosen) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(look.theme->colour(Token::Raised));
            painter.drawRoundedRect(button, 4, 4);
        }
        texts.drawCentred(painter, button.center(), QString::fromLatin1(overlayName(overlay)),
                          chosen ? TextRole::Title : TextRole::Detail,
                          look.theme->colour(chosen ? Token::Text : Token::Dim));
    }
}

// As many as there is room for: the first ones and the last.
void Legend::paintStages(QPainter &painter, TextCache &texts, const QRectF &room, const Look &look, int stages)
{
    constexpr QSizeF chipSize(22, 16);
    constexpr double each = 26;
    const int most = std::max(3, static_cast<int>(room.width() / each));
    const int shown = std::min(stages, most);
    for (int i = 0; i < shown; ++i) {
        const QRectF chip(room.topLeft() + QPointF(i * each, 0), chipSize);
        if (stages > most && i == most - 2) {
            texts.drawCentred(painter, chip.center(), QStringLiteral("…"), TextRole::Value,
                              look.theme->colour(Token::Dim));
            continue;
        }
        const StageId stage{i == shown - 1 ? stages - 1 : i};
        painter.setPen(Qt::NoPen);
        painter.setBrush(look.theme->colour(stage));
        painter.drawRoundedRect(chip, 3, 3);
        if (const Qt::BrushStyle pattern = style::Theme::patternOf(stage); pattern != Qt::NoBrush) {
            QColor ink = look.theme->colour(Token::Ink);
            ink.setAlphaF(0.35F);
            painter.setBrush(QBrush(ink, pattern));
            painter.drawRoundedRect(chip, 3, 3);
        }
        texts.drawCentred(painter, chip.center(), QString::number(stage.value), TextRole::Value,
                          look.theme->colour(Token::Ink));
    }
}

} // namespace pipescope::graphview
