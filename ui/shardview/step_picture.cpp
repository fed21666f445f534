#include "shardview/step_picture.h"

#include "shardview/shard_words.h"
#include "shardview/step_words.h"
#include "widgets/number_text.h"

#include <QBoxLayout>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

namespace pipescope::shardview {

using style::Token;

namespace {

constexpr int ArrowWidth = 176;
constexpr double BoxPad = 8;
constexpr double BoxSide = 6; ///< left and right of the box
constexpr double ArrowGap = 14;
constexpr double ArrowHead = 6;

/// Of one step: the collective, its bytes, in brackets with padding where those are others, and its time.
QStringList boxOf(const shard::Step &step)
{
    const shard::StepBytes &bytes = step.bytes;
    const auto said = [](const QString &words, std::int64_t plain, std::int64_t padded) {
        const QString text = words.arg(widgets::bytesText(plain));
        return plain == padded ? text : StepPicture::tr("%1 (%2)").arg(text, widgets::bytesText(padded));
    };
    QStringList lines{collectiveText(step.collective)};
    if (moves(step.collective))
        lines << said(StepPicture::tr("gives %1"), bytes.in, bytes.paddedIn)
              << said(StepPicture::tr("then has %1"), bytes.out, bytes.paddedOut);
    lines << costText(step.microseconds);
    return lines;
}

std::shared_ptr<const ShardScene> sceneOf(const shard::Layout *layout, const ShardView &view)
{
    return layout == nullptr ? nullptr : std::make_shared<const ShardScene>(*layout, fittedView(view, layout->shape()));
}

} // namespace

StepArrow::StepArrow(QWidget *parent)
    : QWidget(parent)
{
    setFixedWidth(ArrowWidth);
    setLayoutDirection(Qt::LeftToRight);
    setObjectName("stepArrow");
}

void StepArrow::setWords(const QStringList &inBox, const QString &below)
{
    m_inBox = inBox;
    m_below = below;
    setAccessibleName((m_inBox + QStringList{m_below}).join(QStringLiteral(", ")));
    update();
}

void StepArrow::setTheme(const style::Theme &theme)
{
    m_theme = &theme;
    update();
}

QSize StepArrow::sizeHint() const
{
    return {ArrowWidth, 160};
}

void StepArrow::paintEvent(QPaintEvent * /*event*/)
{
    QPainter painter(this);
    paintIn(painter, rect());
}

void StepArrow::paintIn(QPainter &painter, const QRectF &room) const
{
    painter.fillRect(room, m_theme->colour(Token::Canvas));
    if (m_inBox.isEmpty())
        return;
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    const QFontMetricsF metrics(bold);
    const double line = metrics.height() + 2;
    const double height = static_cast<double>(m_inBox.size()) * line + 2 * BoxPad;
    const double middle = room.center().y();
    const QRectF box(room.left() + BoxSide, std::max(room.top(), middle - ArrowGap - height),
                     room.width() - 2 * BoxSide, height);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme->colour(Token::Line), 1));
    painter.setBrush(m_theme->colour(Token::Panel));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    QRectF place(box.left(), box.top() + BoxPad, box.width(), line);
    for (const QString &text : m_inBox) {
        const bool isTitle = &text == &m_inBox.front();
        painter.setFont(isTitle ? bold : font());
        painter.setPen(m_theme->colour(isTitle ? Token::Text : Token::Dim));
        painter.drawText(place, Qt::AlignCenter,
                         QFontMetricsF(painter.font()).elidedText(text, Qt::ElideRight, place.width() - 4));
        place.translate(0, line);
    }
    const double arrow = std::max(middle, box.bottom() + ArrowGap);
    const QPointF tip(room.right() - BoxSide, arrow);
    painter.setPen(QPen(m_theme->colour(Token::Text), 2));
    painter.drawLine(QPointF(room.left() + BoxSide, arrow), tip - QPointF(ArrowHead, 0));
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme->colour(Token::Text));
    painter.drawPolygon(
        QPolygonF{tip, tip + QPointF(-1.6 * ArrowHead, -ArrowHead), tip + QPointF(-1.6 * ArrowHead, ArrowHead)});
    painter.setFont(font());
    painter.setPen(m_theme->colour(Token::Dim));
    painter.drawText(QRectF(QPointF(box.left(), arrow + ArrowGap), QPointF(box.right(), room.bottom())),
                     Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, m_below);
    painter.restore();
}

StepPicture::StepPicture(QWidget *parent)
    : QWidget(parent)
    , m_before(new ShardCanvas(tr("Before"), this))
    , m_arrow(new StepArrow(this))
    , m_after(new ShardCanvas(tr("After"), this))
{
    setLayoutDirection(Qt::LeftToRight);
    m_before->setObjectName("shardsBefore");
    m_after->setObjectName("shardsAfter");
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_before, 1);
    layout->addWidget(m_arrow);
    layout->addWidget(m_after, 1);
    follow(*m_before, *m_after);
    follow(*m_after, *m_before);
}

/// What is looked at in one is looked at in the other.
void StepPicture::follow(ShardCanvas &one, ShardCanvas &other)
{
    connect(&one, &ShardCanvas::zoomChanged, &other, &ShardCanvas::setZoom);
    connect(&one, &ShardCanvas::currentChanged, this, [this, &other](RankId rank) {
        other.setCurrent(rank.valid() ? std::optional(rank) : std::nullopt);
        Q_EMIT currentChanged(rank);
    });
}

void StepPicture::show(const StepWalk &walk, const ShardView &view)
{
    m_before->setScene(sceneOf(walk.before(), view));
    m_after->setScene(sceneOf(walk.after(), view));
    const bool hasTarget = walk.after() != nullptr;
    m_arrow->setVisible(hasTarget);
    m_after->setVisible(hasTarget);
    if (!hasTarget)
        return;
    const auto steps = walk.plan() == nullptr ? 0 : static_cast<int>(walk.plan()->steps.size());
    if (walk.plan() == nullptr)
        m_arrow->setWords({tr("refused")}, walk.refusal());
    else if (const shard::Step *step = walk.step())
        m_arrow->setWords(boxOf(*step), tr("step %1 of %2 over %3")
                                            .arg(walk.stepIndex() + 1)
                                            .arg(steps)
                                            .arg(meshDimsText(step->before.mesh(), step->meshDims)));
    else if (steps == 0)
        m_arrow->setWords({tr("nothing to do")}, tr("each rank holds what it is to hold"));
    else
        m_arrow->setWords({tr("%1 steps").arg(steps), costText(walk.plan()->microseconds)}, totalText(*walk.plan()));
}

void StepPicture::setTheme(const style::Theme &theme)
{
    m_before->setTheme(theme);
    m_arrow->setTheme(theme);
    m_after->setTheme(theme);
}

void StepPicture::setCurrent(std::optional<RankId> rank)
{
    m_before->setCurrent(rank);
    m_after->setCurrent(rank);
}

QSizeF StepPicture::drawnSize() const
{
    const QSizeF before = m_before->drawnSize();
    if (m_after->scene() == nullptr)
        return before;
    return {before.width() + ArrowWidth + m_after->drawnSize().width(), before.height()};
}

void StepPicture::draw(QPainter &painter) const
{
    m_before->draw(painter);
    if (m_after->scene() == nullptr)
        return;
    const QSizeF before = m_before->drawnSize();
    m_arrow->paintIn(painter, QRectF(before.width(), 0, ArrowWidth, before.height()));
    painter.save();
    painter.translate(before.width() + ArrowWidth, 0);
    m_after->draw(painter);
    painter.restore();
}

QString StepPicture::drawnName() const
{
    return m_before->drawnName();
}

} // namespace pipescope::shardview
