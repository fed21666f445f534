#include "timeline/share_bars.h"

#include "session/use_name.h"
#include "timeline/hatch.h"
#include "widgets/number_text.h"

#include <QFontDatabase>
#include <QPainter>
#include <algorithm>

namespace pipescope::timeline {

namespace {

using style::ActionColour;
using style::Token;

/// Bubbles have none: they are hatched.
std::optional<ActionColour> colourOf(trace::Use use)
{
    switch (use) {
    case trace::Use::Forward:
        return ActionColour::Forward;
    case trace::Use::Backward:
    case trace::Use::InputGradient:
        return ActionColour::Backward;
    case trace::Use::WeightGradient:
        return ActionColour::WeightGradient;
    case trace::Use::Send:
        return ActionColour::Send;
    case trace::Use::Receive:
        return ActionColour::Receive;
    default:
        return std::nullopt;
    }
}

} // namespace

ShareBars::ShareBars(QWidget *parent)
    : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ShareBars::setShares(const std::vector<Summary::Share> &shares, const style::Theme &theme)
{
    m_shares = shares;
    m_theme = &theme;
    QStringList lines;
    for (const Summary::Share &share : shares)
        lines << session::useName(share.use) + ' ' + widgets::percentText(share.share) +
                     (share.other ? tr(" against %1").arg(widgets::percentText(*share.other)) : QString());
    setAccessibleName(tr("Where the time went"));
    setAccessibleDescription(lines.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize ShareBars::sizeHint() const
{
    return {240, RowHeight * static_cast<int>(m_shares.size())};
}

void ShareBars::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const QFont numbers = [] {
        QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
        font.setPixelSize(11);
        return font;
    }();
    QFont names = font();
    names.setPixelSize(12);
    const double number = QFontMetricsF(numbers).horizontalAdvance(QStringLiteral("100.0 %")) + 6;
    double name = 0;
    bool hasOther = false;
    for (const Summary::Share &share : m_shares) {
        name = std::max(name, QFontMetricsF(names).horizontalAdvance(session::useName(share.use)));
        hasOther = hasOther || share.other.has_value();
    }
    const double columns = number * (hasOther ? 2 : 1) + 8 + name;
    const double barWidth = std::max(24.0, width() - columns);
    const QPixmap hatch = hatchTile(*m_theme, Hatch::Falling, devicePixelRatioF());
    for (std::size_t i = 0; i < m_shares.size(); ++i) {
        const Summary::Share &share = m_shares[i];
        const double top = RowHeight * static_cast<double>(i);
        const QRectF ground(0, top + 4, barWidth, RowHeight - 8);
        painter.fillRect(ground, m_theme->colour(Token::Raised));
        const QRectF bar(0, ground.top(), std::clamp(share.share, 0.0, 1.0) * barWidth, ground.height());
        if (const auto colour = colourOf(share.use)) {
            painter.fillRect(bar, m_theme->colour(*colour));
        } else if (bar.width() >= 1) {
            painter.drawTiledPixmap(bar, hatch);
            painter.setPen(m_theme->colour(Token::Faint));
            painter.drawRect(bar.adjusted(0.5, 0.5, -0.5, -0.5));
        }
        if (share.other) { // a mark where the other run stands
            painter.fillRect(
                QRectF(std::clamp(*share.other, 0.0, 1.0) * barWidth - 1, ground.top() - 2, 2, ground.height() + 4),
                m_theme->colour(Token::Text));
        }
        painter.setFont(numbers);
        painter.setPen(m_theme->colour(Token::Text));
        painter.drawText(QRectF(barWidth, top, number, RowHeight), Qt::AlignRight | Qt::AlignVCenter,
                         widgets::percentText(share.share));
        double left = barWidth + number;
        if (hasOther) {
            painter.setPen(m_theme->colour(Token::Dim));
            painter.drawText(QRectF(left, top, number, RowHeight), Qt::AlignRight | Qt::AlignVCenter,
                             widgets::percentText(share.other.value_or(0)));
            left += number;
        }
        painter.setFont(names);
        painter.setPen(m_theme->colour(Token::Dim));
        painter.drawText(QRectF(left + 8, top, name + 2, RowHeight), Qt::AlignLeft | Qt::AlignVCenter,
                         session::useName(share.use));
    }
}

} // namespace pipescope::timeline
