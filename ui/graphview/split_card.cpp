#include "graphview/split_card.h"

#include "base/text.h"
#include "graphview/translate.h"
#include "widgets/number_text.h"

#include <QFontMetricsF>
#include <QTextLayout>
#include <algorithm>
#include <cmath>

namespace pipescope::graphview {

using session::SplitPreview;
using style::Token;

namespace {

constexpr double Width = 300;
constexpr double Pad = 12;
constexpr double Line = 18;
constexpr double Label = 76;   // the column of "crosses" and "balance"
constexpr double BarRoom = 30; // height of the fullest bar
constexpr double Uneven = 0.1; // over the mean, from here on a warning
constexpr std::size_t MostLines = 3;

QString signedPercent(double part)
{
    const long percent = std::lround(part * 100);
    return (percent < 0 ? QStringLiteral("−") : QStringLiteral("+")) + QString::number(std::labs(percent));
}

QString paceText(session::CostKind kind, const session::Balance &balance)
{
    const QString cost =
        QString::fromStdString(costText(kind, balance.costs[static_cast<std::size_t>(balance.slowest)]));
    const QString words = kind == session::CostKind::Time ? tr("slowest %1") : tr("largest %1");
    QString text = words.arg(cost);
    if (balance.costs.size() > 1)
        text += tr(" (%1 % over mean)").arg(signedPercent(balance.excess));
    return text;
}

QString titleOf(const SplitPreview &preview, StageId moved)
{
    const QString id = QString::fromStdString(preview.id);
    const QString end = QStringLiteral(":end");
    const bool after = id.endsWith(end);
    const QString name = after ? id.chopped(end.size()) : id;
    if (preview.id.empty())
        return tr("No split here");
    if (moved.valid())
        return (after ? tr("Move split %1 after %2") : tr("Move split %1 before %2")).arg(moved.value).arg(name);
    return (after ? tr("Split after %1") : tr("Split before %1")).arg(name);
}

QString crossingText(const graph::Value &value)
{
    return QString::fromStdString(value.name + " " + (value.tensor ? toText(*value.tensor) : value.type));
}

// Between words; only a name that is wider than the card is broken itself. Returns the height.
double breakLines(QTextLayout &layout)
{
    QTextOption option;
    option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    layout.setTextOption(option);
    double y = 0;
    layout.beginLayout();
    for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
        line.setLineWidth(Width - 2 * Pad);
        line.setPosition({0, y});
        y += line.height();
    }
    layout.endLayout();
    return y;
}

} // namespace

QString CardText::plain() const
{
    QStringList lines{title + QStringLiteral(": ") + verdictText};
    if (!reason.isEmpty())
        lines << reason;
    for (const QString &line : crosses)
        lines << tr("crosses %1").arg(line);
    for (const QString &line : {bytes, pace.isEmpty() ? pace : tr("%1: %2").arg(measure, pace), now}) {
        if (!line.isEmpty())
            lines << line;
    }
    return lines.join(QLatin1Char('\n'));
}

CardText cardText(const session::SplitTable &table, const SplitPreview &preview, StageId moved)
{
    CardText text;
    text.title = titleOf(preview, moved);
    text.reason = QString::fromStdString(preview.reason);
    if (!preview.legal) {
        text.verdictText = tr("not possible");
        return text;
    }
    text.verdict = preview.there ? CardText::Verdict::There : CardText::Verdict::Legal;
    text.verdictText = preview.merges  ? tr("joins split %1").arg(preview.stage)
                       : preview.there ? tr("split %1").arg(preview.stage)
                                       : tr("legal");
    const std::size_t lines = preview.crossing.size() <= MostLines ? preview.crossing.size() : MostLines - 1;
    for (std::size_t i = 0; i < lines; ++i)
        text.crosses << crossingText(table.graph()->value(preview.crossing[i]));
    if (const int more = preview.crossingCount - static_cast<int>(lines); more > 0)
        text.crosses << tr("and %1 more values").arg(more);
    if (preview.crossingCount > 0)
        text.bytes = preview.bytes ? tr("%1 as profiled").arg(widgets::bytesText(*preview.bytes))
                                   : tr("bytes unknown before profiling");
    if (preview.after.slowest >= 0) {
        text.measure = preview.kind == session::CostKind::Time         ? tr("time")
                       : preview.kind == session::CostKind::Parameters ? tr("parameters")
                                                                       : tr("FLOPs");
        text.pace = paceText(preview.kind, preview.after);
        text.uneven = preview.after.excess > Uneven;
    }
    if (preview.before.slowest >= 0 && preview.before != preview.after)
        text.now = tr("now: %1").arg(paceText(preview.kind, preview.before));
    return text;
}

QRectF cardPlace(const QRectF &room, QPointF beside, QSizeF card)
{
    constexpr double gap = 20;
    const bool right = beside.x() < room.center().x();
    const bool outside = beside.x() < room.left(); // the gutter's pointer
    const double x = outside ? room.left()
                     : right ? std::max(beside.x() + 3 * gap, room.right() - card.width())
                             : std::min(beside.x() - 3 * gap - card.width(), room.left());
    const double below = beside.y() + gap;
    const double y = below + card.height() <= room.bottom() ? below : beside.y() - gap - card.height();
    return {QPointF(std::clamp(x, room.left(), std::max(room.left(), room.right() - card.width())),
                    std::clamp(y, room.top(), std::max(room.top(), room.bottom() - card.height()))),
            card};
}

double SplitCard::reasonHeight() const
{
    if (m_text.reason.isEmpty())
        return 0;
    QTextLayout layout(m_text.reason, m_fonts.detail);
    return std::ceil(breakLines(layout));
}

QSizeF SplitCard::size() const
{
    double height = 2 * Pad + Line + 2 + reasonHeight();
    if (m_text.verdict == CardText::Verdict::Illegal)
        return {Width, height};
    height += std::max<qsizetype>(1, m_text.crosses.size()) * Line;
    height += m_text.bytes.isEmpty() ? 0 : Line;
    height += m_text.pace.isEmpty() ? 0 : BarRoom + 14 + Line;
    height += m_text.now.isEmpty() ? 0 : Line;
    return {Width, height};
}

void SplitCard::paint(QPainter &painter, TextCache &texts, const style::Theme &theme, const QRectF &place) const
{
    painter.setPen(QPen(theme.colour(Token::Line), 1));
    painter.setBrush(theme.colour(Token::Panel));
    painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    const double left = place.left() + Pad;
    const double right = place.right() - Pad;
    double y = place.top() + Pad - 2;
    const auto cut = [&](const QString &text, TextRole role, double room) {
        return QFontMetricsF(m_fonts.of(role)).elidedText(text, Qt::ElideMiddle, room);
    };
    using Verdict = CardText::Verdict;
    const Token tone = m_text.verdict == Verdict::Legal     ? Token::Good
                       : m_text.verdict == Verdict::Illegal ? Token::Bad
                                                            : Token::Dim;
    texts.drawRight(painter, {right, y}, m_text.verdictText, TextRole::Title, theme.colour(tone));
    const double room = right - left - 8 - texts.size(m_text.verdictText, TextRole::Title).width();
    texts.draw(painter, {left, y}, cut(m_text.title, TextRole::Title, room), TextRole::Title,
               theme.colour(Token::Text));
    y += Line + 4;
    if (!m_text.reason.isEmpty()) {
        QTextLayout layout(m_text.reason, m_fonts.detail);
        breakLines(layout);
        painter.setPen(theme.colour(Token::Text));
        layout.draw(&painter, {left, y});
    }
    if (m_text.verdict == Verdict::Illegal)
        return;
    texts.draw(painter, {left, y}, tr("crosses"), TextRole::Detail, theme.colour(Token::Dim));
    const QStringList crosses = m_text.crosses.isEmpty() ? QStringList{tr("nothing")} : m_text.crosses;
    for (const QString &line : crosses) {
        texts.draw(painter, {left + Label, y}, cut(line, TextRole::Value, right - left - Label), TextRole::Value,
                   theme.colour(Token::Text));
        y += Line;
    }
    if (!m_text.bytes.isEmpty()) {
        texts.draw(painter, {left + Label, y}, m_text.bytes, TextRole::Value, theme.colour(Token::Dim));
        y += Line;
    }
    if (m_text.pace.isEmpty())
        return;
    y += 6;
    texts.draw(painter, {left, y}, tr("balance"), TextRole::Detail, theme.colour(Token::Dim));
    texts.draw(painter, {left, y + Line}, m_text.measure, TextRole::Value, theme.colour(Token::Dim));
    paintBars(painter, texts, theme, QRectF(left + Label, y, right - left - Label, BarRoom));
    y += BarRoom + 8;
    texts.draw(painter, {left, y}, cut(m_text.pace, TextRole::Detail, right - left), TextRole::Detail,
               theme.colour(m_text.uneven ? Token::Warn : Token::Text));
    y += Line;
    if (!m_text.now.isEmpty())
        texts.draw(painter, {left, y}, cut(m_text.now, TextRole::Detail, right - left), TextRole::Detail,
                   theme.colour(Token::Dim));
}

void SplitCard::paintBars(QPainter &painter, TextCache &texts, const style::Theme &theme, const QRectF &room) const
{
    const std::vector<double> &costs = m_preview.after.costs;
    const double most = *std::max_element(costs.begin(), costs.end());
    const double each = std::min(38.0, room.width() / static_cast<double>(costs.size()));
    const double gap = each >= 12 ? 6 : each >= 4 ? 1 : 0;
    painter.setPen(Qt::NoPen);
    for (std::size_t i = 0; i < costs.size(); ++i) {
        const StageId stage{static_cast<int>(i)};
        const double height = std::max(2.0, room.height() * costs[i] / most);
        const QRectF bar(room.left() + static_cast<double>(i) * each, room.bottom() - height, each - gap, height);
        painter.fillRect(bar, theme.colour(stage));
        QColor ink = theme.colour(Token::Ink);
        ink.setAlphaF(0.35F);
        if (const Qt::BrushStyle pattern = style::Theme::patternOf(stage); pattern != Qt::NoBrush)
            painter.fillRect(bar, QBrush(ink, pattern));
        if (bar.width() >= 16 && height >= 15)
            texts.drawCentred(painter, bar.center(), QString::number(i), TextRole::Value, theme.colour(Token::Ink));
    }
}

} // namespace pipescope::graphview
