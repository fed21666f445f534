#include "graphview/canvas_chrome.h"

#include "base/text.h"

#include <algorithm>

namespace pipescope::graphview {

using style::Token;

namespace {

constexpr double Margin = 12;
constexpr double Inner = 8;
constexpr QSizeF MapSize(112, 84);
constexpr QSizeF LegendSize(292, 56);
constexpr double ButtonWidth = 68;

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

} // namespace

QRectF Minimap::place(const Viewport &viewport)
{
    // Above the legend where there is no room beside it.
    const bool narrow = viewport.size().width() < LegendSize.width() + MapSize.width() + 3 * Margin;
    const double below = narrow ? LegendSize.height() + 2 * Margin : Margin;
    return {QPointF(viewport.size().width() - MapSize.width() - Margin,
                    viewport.size().height() - MapSize.height() - below),
            MapSize};
}

QPointF Minimap::toScene(const Picture &picture, const Viewport &viewport, QPointF screen)
{
    const MapScale scale = scaleOf(picture.scene.bounds, place(viewport));
    const QPointF from = screen - scale.origin;
    return {from.x() / scale.x, from.y() / scale.y};
}

void Minimap::paint(QPainter &painter, const Picture &picture, const Viewport &viewport, const Look &look)
{
    const QRectF map = place(viewport);
    const double ratio = painter.device()->devicePixelRatioF();
    if (m_cache.isNull() || m_cache.devicePixelRatio() != ratio) {
        m_cache = QPixmap((MapSize * ratio).toSize());
        m_cache.setDevicePixelRatio(ratio);
        m_cache.fill(Qt::transparent);
        QPainter inside(&m_cache);
        inside.setRenderHint(QPainter::Antialiasing);
        panel(inside, look, QRectF({0, 0}, MapSize));
        inside.setRenderHint(QPainter::Antialiasing, false);
        const MapScale scale = scaleOf(picture.scene.bounds, QRectF({0, 0}, MapSize));
        for (std::size_t i = 1; i < picture.scene.rects.size(); ++i) {
            if (picture.scene.tree.boxes[i].group >= 0)
                continue;
            const QRectF &rect = picture.scene.rects[i];
            const StageId stage = look.stages ? (*look.stages)[i].first : StageId{};
            inside.fillRect(
                QRectF(scale.origin + QPointF(rect.left() * scale.x, rect.top() * scale.y),
                       QSizeF(std::max(1.0, rect.width() * scale.x), std::max(1.0, rect.height() * scale.y))),
                stage.valid() ? look.theme->colour(stage) : look.theme->colour(Token::Faint));
        }
    }
    painter.drawPixmap(map.topLeft(), m_cache);
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
    return {QPointF(Margin, viewport.size().height() - LegendSize.height() - Margin), LegendSize};
}

QRectF Legend::buttonPlace(const Viewport &viewport, Overlay overlay)
{
    const QPointF corner = place(viewport).topLeft() + QPointF(6, 4);
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
    panel(painter, look, rect);
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
    const QPointF row = rect.topLeft() + QPointF(Inner, 33);
    if (look.overlay != Overlay::Stage) {
        const BoxCosts full{look.largest, static_cast<std::int64_t>(look.largest),
                            static_cast<std::int64_t>(look.largest)};
        const QString text = look.largest > 0 ? QStringLiteral("full bar: %1, the most of any box shown")
                                                    .arg(QString::fromStdString(amountText(full, look.overlay)))
                                              : QStringLiteral("unknown: not measured yet");
        texts.draw(painter, row, text, TextRole::Detail, look.theme->colour(Token::Dim));
        return;
    }
    if (stages == 0)
        texts.draw(painter, row, QStringLiteral("not split into stages"), TextRole::Detail,
                   look.theme->colour(Token::Dim));
    constexpr int most = 10; // there is room for; the first and the last of more
    const int shown = std::min(stages, most);
    for (int i = 0; i < shown; ++i) {
        const QRectF chip(row + QPointF(i * 26.0, 0), QSizeF(22, 15));
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
