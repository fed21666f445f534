#include "graphview/text_cache.h"

namespace pipescope::graphview {

namespace {

constexpr qsizetype MostTexts = 20'000;

} // namespace

QStaticText &TextCache::shaped(const QString &text, TextRole role)
{
    QHash<QString, QStaticText> &texts = m_texts[static_cast<std::size_t>(role)];
    auto found = texts.find(text);
    if (found == texts.end()) {
        if (texts.size() >= MostTexts)
            texts.clear();
        QStaticText made(text);
        made.setTextFormat(Qt::PlainText);
        made.setPerformanceHint(QStaticText::AggressiveCaching);
        made.prepare({}, m_fonts.of(role));
        found = texts.insert(text, made);
    }
    return found.value();
}

void TextCache::draw(QPainter &painter, QPointF at, const QString &text, TextRole role, const QColor &colour)
{
    painter.setFont(m_fonts.of(role));
    painter.setPen(colour);
    painter.drawStaticText(at, shaped(text, role));
}

void TextCache::drawRight(QPainter &painter, QPointF at, const QString &text, TextRole role, const QColor &colour)
{
    draw(painter, at - QPointF(size(text, role).width(), 0), text, role, colour);
}

void TextCache::drawCentred(QPainter &painter, QPointF at, const QString &text, TextRole role, const QColor &colour)
{
    const QSizeF room = size(text, role);
    draw(painter, at - QPointF(room.width() / 2, room.height() / 2), text, role, colour);
}

} // namespace pipescope::graphview
