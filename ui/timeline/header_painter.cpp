// The part of LanePainter that says beside each lane whose it is.
#include "timeline/lane_painter.h"
#include "widgets/number_text.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>
#include <algorithm>

namespace pipescope::timeline {

using style::Token;

namespace {

constexpr int SmallText = 11;
constexpr std::size_t MostStages = 4; ///< that are named

struct Header
{
    Q_DECLARE_TR_FUNCTIONS(Header)
};

QString stagesOf(const trace::Lane &lane)
{
    QStringList stages;
    for (std::size_t i = 0; i < std::min(MostStages, lane.stages.size()); ++i)
        stages << QString::number(lane.stages[i].value);
    if (lane.stages.size() > MostStages)
        stages << QStringLiteral("\u2026");
    return (lane.stages.size() == 1 ? Header::tr("stage %1") : Header::tr("stages %1")).arg(stages.join(", "));
}

QString busyOf(const Scene &scene, const trace::Lane &lane, int run)
{
    const double span = scene.runs.model(run).run().spanNs();
    return Header::tr("busy %1 %").arg(span > 0 ? 100 * lane.busyNs / span : 0, 0, 'f', 0);
}

/// As many lines as there is room for: the rank, its stages, how busy it was, its memory.
QStringList headerLines(const Scene &scene, const trace::Lane &lane, const LaneLook &look, double height)
{
    QStringList lines{QString::fromStdString(look.name)};
    if (height >= 36 && !lane.stages.empty())
        lines << stagesOf(lane);
    if (height >= 52)
        lines << busyOf(scene, lane, 0);
    if (height >= 66 && !look.memory.isEmpty())
        lines << Header::tr("peak %1").arg(widgets::bytesText(look.memory.peakBytes()));
    return lines;
}

} // namespace

void LanePainter::paintMark(const QRectF &mark, const std::vector<StageId> &stages)
{
    const auto count = static_cast<double>(stages.size());
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const double top = mark.top() + mark.height() * static_cast<double>(i) / count;
        m_painter.fillRect(QRectF(mark.left(), top, mark.width(), mark.height() / count),
                           m_scene.theme.colour(stages[i]));
    }
}

void LanePainter::paintHeaderLine(const QRectF &place, const QString &text, bool isTitle)
{
    QFont font = m_scene.font;
    const bool isLow = m_scene.geometry.laneHeight() < 18;
    font.setPixelSize(isLow ? 10 : isTitle ? SmallText + 1 : SmallText);
    font.setWeight(isTitle && !isLow ? QFont::DemiBold : QFont::Normal);
    m_painter.setFont(font);
    m_painter.setPen(m_scene.theme.colour(isTitle ? Token::Text : Token::Dim));
    m_painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                       QFontMetricsF(font).elidedText(text, Qt::ElideRight, place.width()));
}

void LanePainter::paintHeader(int index)
{
    const LaneGeometry &geometry = m_scene.geometry;
    const QRectF whole = geometry.header(index);
    const double margin = whole.height() < 24 ? 0.5 : 3;
    const QRectF card = whole.adjusted(0, margin, -6, -margin);
    m_painter.fillRect(card, m_scene.theme.colour(Token::Panel));
    int run = 0;
    while (m_scene.runs.lane(run, index) == nullptr)
        ++run;
    const trace::Lane &lane = *m_scene.runs.lane(run, index);
    const LaneLook &look = *m_scene.runs.look(run, index);
    paintMark({card.left(), card.top(), 4, card.height()}, lane.stages);
    constexpr double lineHeight = 15;
    QRectF place = card.adjusted(10, 0, -2, 0);
    place.setHeight(lineHeight);
    if (m_scene.runs.count() == 1) {
        const QStringList lines = headerLines(m_scene, lane, look, whole.height());
        place.moveTop(card.center().y() - lineHeight * static_cast<double>(lines.size()) / 2);
        for (const QString &line : lines) {
            paintHeaderLine(place, line, line == lines.front());
            place.translate(0, lineHeight);
        }
        return;
    }
    // Each run's line stands beside its row, the rank above that of the first.
    for (int row = 0; row < m_scene.runs.count(); ++row) {
        const QRectF body = geometry.body(index, row);
        const bool hasBoth = row == 0 && body.height() >= 2 * lineHeight - 2;
        place.moveTop(body.center().y() - (hasBoth ? lineHeight : lineHeight / 2));
        if (row == 0)
            paintHeaderLine(place, QString::fromStdString(look.name), true);
        if (hasBoth)
            place.translate(0, lineHeight);
        const trace::Lane *shown = m_scene.runs.lane(row, index);
        if ((hasBoth || row > 0) && body.height() >= 12)
            // The number first: a long name is cut short behind it.
            paintHeaderLine(place,
                            (shown != nullptr ? busyOf(m_scene, *shown, row) : QStringLiteral("no such rank")) +
                                QStringLiteral(" · ") + m_scene.runs[row].name,
                            false);
    }
}

} // namespace pipescope::timeline
