#include "shardview/shard_canvas.h"

#include "shardview/shard_facts.h"
#include "shardview/shard_words.h"
#include "widgets/export_actions.h"
#include "widgets/hover_card.h"

#include <QFontMetricsF>
#include <QPaintEvent>
#include <QPainter>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <utility>

namespace pipescope::shardview {

using style::Token;

namespace {

constexpr double Margin = 12;
constexpr double TitleGap = 6;
constexpr double NotesGap = 8;
constexpr double MostNotes = 0.35; ///< of the height
constexpr QSizeF DrawnSize(760, 640);
constexpr double PointerReach = 14; ///< that a card keeps free

QFont titleFont(const QFont &font)
{
    QFont bold = font;
    bold.setWeight(QFont::DemiBold);
    return bold;
}

} // namespace

ShardCanvas::ShardCanvas(const QString &role, QWidget *parent)
    : QWidget(parent)
    , m_role(role)
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setLayoutDirection(Qt::LeftToRight); // a drawing, whose texts stand where they are drawn
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setAccessibleName(tr("Shards: %1").arg(role));
    widgets::addDrawingActions(*this, *this);
    describe();
}

void ShardCanvas::setScene(std::shared_ptr<const ShardScene> scene)
{
    const bool isSameShape = scene && m_scene && scene->layout().shape() == m_scene->layout().shape() &&
                             scene->view().rowDim == m_scene->view().rowDim &&
                             scene->view().columnDim == m_scene->view().columnDim;
    m_scene = std::move(scene);
    if (!isSameShape)
        m_zoom = {};
    setCurrent(m_look.current);
}

void ShardCanvas::setTheme(const style::Theme &theme)
{
    m_look.theme = &theme;
    update();
}

void ShardCanvas::setCurrent(std::optional<RankId> rank)
{
    m_look.current = m_scene && rank && m_scene->layout().mesh().coordinate(*rank) ? rank : std::nullopt;
    describe();
    update();
}

QString ShardCanvas::title() const
{
    return m_scene ? tr("%1: %2").arg(m_role, placementsText(m_scene->layout())) : m_role;
}

/// For screen readers: the current rank, else the whole.
void ShardCanvas::describe()
{
    if (!m_scene)
        return setAccessibleDescription(tr("There is no layout yet."));
    if (m_look.current)
        return setAccessibleDescription(rankFacts(*m_scene, *m_look.current).join(QStringLiteral("\n")));
    setAccessibleDescription((QStringList{title(), viewText(*m_scene)} + notesOf(*m_scene)).join(QStringLiteral("\n")));
}

QString ShardCanvas::notes() const
{
    return m_scene ? notesOf(*m_scene).join(QStringLiteral(" ")) : QString();
}

ShardCanvas::Places ShardCanvas::placesIn(const QRectF &whole) const
{
    const QFontMetricsF metrics(font());
    const QRectF inner = whole.adjusted(Margin, Margin / 2, -Margin, -Margin / 2);
    Places places;
    places.title = QRectF(inner.topLeft(), QSizeF(inner.width(), 2 * metrics.height()));
    const double notesHeight = std::min(
        std::ceil(metrics.boundingRect({0, 0, inner.width(), inner.height()}, Qt::TextWordWrap, notes()).height()),
        whole.height() * MostNotes);
    places.notes = QRectF(inner.left(), inner.bottom() - notesHeight, inner.width(), notesHeight);
    places.picture = QRectF(QPointF(inner.left(), places.title.bottom() + TitleGap),
                            QPointF(inner.right(), places.notes.top() - NotesGap));
    return places;
}

std::optional<ShardFrame> ShardCanvas::frame() const
{
    if (!m_scene)
        return std::nullopt;
    return ShardFrame(*m_scene, placesIn(rect()).picture, QFontMetricsF(font()), m_zoom);
}

void ShardCanvas::paintAll(QPainter &painter, const QRectF &whole, const ShardLook &look, const ShardZoom &zoom) const
{
    painter.fillRect(whole, look.theme->colour(Token::Canvas));
    const Places places = placesIn(whole);
    const QFontMetricsF metrics(look.font);
    const QFont bold = titleFont(look.font);
    painter.setFont(bold);
    painter.setPen(look.theme->colour(Token::Text));
    const double line = metrics.height();
    painter.drawText(QRectF(places.title.topLeft(), QSizeF(places.title.width(), line)),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     QFontMetricsF(bold).elidedText(title(), Qt::ElideMiddle, places.title.width()));
    painter.setFont(look.font);
    painter.setPen(look.theme->colour(Token::Dim));
    painter.drawText(QRectF(places.title.left(), places.title.top() + line, places.title.width(), line),
                     Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(m_scene ? viewText(*m_scene) : tr("no layout: the fields say why"),
                                        Qt::ElideRight, places.title.width()));
    if (!m_scene)
        return;
    painter.drawText(places.notes, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, notes());
    ShardPainter(painter, *m_scene, look, ShardFrame(*m_scene, places.picture, metrics, zoom)).paint();
}

void ShardCanvas::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(this);
    ShardLook look = m_look;
    look.font = font();
    paintAll(painter, rect(), look, m_zoom);
    if (hasFocus()) {
        painter.setPen(QPen(m_look.theme->colour(Token::Accent), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    }
    const QString card = m_pointer && !m_isDragging ? cardText(*m_pointer) : QString();
    if (card.isEmpty())
        return;
    const QFont small = font();
    const QRectF about(*m_pointer - QPointF(PointerReach, PointerReach), QSizeF(2 * PointerReach, 2 * PointerReach));
    widgets::paintHoverCard(painter, {*m_look.theme, small, rect()}, card, about);
}

QString ShardCanvas::cardText(QPointF at) const
{
    const std::optional<ShardFrame> shown = frame();
    const std::optional<ShardSpot> spot = shown ? shown->spotAt(*m_scene, at) : std::nullopt;
    return spot ? spotFacts(*m_scene, *spot, frontSheet(*m_scene, m_look)).join('\n') : QString();
}

QSizeF ShardCanvas::drawnSize() const
{
    return m_scene ? DrawnSize : QSizeF();
}

void ShardCanvas::draw(QPainter &painter) const
{
    if (!m_scene)
        return;
    ShardLook look = m_look;
    look.font = font();
    look.current.reset();
    paintAll(painter, QRectF({0, 0}, DrawnSize), look, {});
}

QString ShardCanvas::drawnName() const
{
    static const QRegularExpression others(QStringLiteral("[^\\w]+"));
    QString placements = m_scene ? QString::fromStdString(m_scene->layout().text()).toLower() : QString();
    placements.replace(others, QStringLiteral("-"));
    if (placements.endsWith('-'))
        placements.chop(1);
    return QStringLiteral("shards-%1-%2").arg(m_role.toLower(), placements);
}

void ShardCanvas::setZoom(const ShardZoom &zoom)
{
    m_zoom = zoom;
    update();
}

} // namespace pipescope::shardview
