#include "mainwindow/engine_pill.h"

#include "widgets/number_text.h"

#include <QPainter>
#include <QPixmap>
#include <cstdint>

namespace pipescope::mainwindow {

namespace {

using State = session::EngineClient::State;

QIcon dot(const QColor &colour)
{
    constexpr int size = 16;
    constexpr int scale = 2;
    QPixmap drawn(size * scale, size * scale);
    drawn.setDevicePixelRatio(scale);
    drawn.fill(Qt::transparent);
    QPainter painter(&drawn);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(colour);
    painter.setPen(Qt::NoPen);
    painter.drawEllipse(QPointF(size / 2.0, size / 2.0), 4, 4);
    painter.end();
    return {drawn};
}

} // namespace

EnginePill::EnginePill(const session::EngineClient &engine, QWidget *parent)
    : QToolButton(parent)
    , m_engine(engine)
{
    setObjectName("enginePill");
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setPopupMode(QToolButton::InstantPopup);
    for (const auto changed : {&session::EngineClient::stateChanged, &session::EngineClient::residentBytesChanged})
        connect(&m_engine, changed, this, &EnginePill::refresh);
    refresh();
}

void EnginePill::setTheme(const style::Theme &theme)
{
    m_theme = &theme;
    refresh();
}

void EnginePill::refresh()
{
    const State state = m_engine.state();
    const protocol::Welcome &welcome = m_engine.welcome();
    const bool isSilent = m_engine.isUnresponsive();
    QString text = isSilent                   ? tr("engine silent")
                   : state == State::Ready    ? tr("engine ready")
                   : state == State::Starting ? tr("engine starting")
                   : m_engine.couldNotStart() ? tr("engine not started")
                   : state == State::Lost     ? tr("engine gone")
                                              : tr("engine off");
    QString tip = m_engine.lostBecause();
    if (isSilent) {
        tip = tr("It does not answer: %1 was cancelled and has not ended").arg(m_engine.doing());
    } else if (state == State::Ready) {
        tip = tr("%1, LibTorch %2, %3 cores on %4")
                  .arg(QString::fromStdString(welcome.engine), QString::fromStdString(welcome.torch))
                  .arg(welcome.cores)
                  .arg(QString::fromStdString(welcome.host));
        if (const std::int64_t bytes = m_engine.residentBytes(); bytes > 0)
            text = tr("engine %1").arg(widgets::bytesText(bytes));
    } else if (tip.isEmpty()) {
        tip = tr("It starts when there is something to do");
    }
    setText(text);
    setToolTip(tip);
    setAccessibleName(text);
    setIcon(dot(m_theme->colour(isSilent                ? style::Token::Warn
                                : state == State::Ready ? style::Token::Good
                                : state == State::Lost  ? style::Token::Bad
                                                        : style::Token::Dim)));
}

} // namespace pipescope::mainwindow
