#include "mainwindow/engine_pill.h"

#include "base/text.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSysInfo>

namespace pipescope::mainwindow {

namespace {

using namespace std::chrono_literals;
using State = session::EngineClient::State;

constexpr auto MemoryInterval = 2000ms;

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

std::int64_t residentBytes(std::int64_t processId)
{
    constexpr std::int64_t kibi = 1024;
    QFile status(QStringLiteral("/proc/%1/status").arg(processId));
    if (processId <= 0 || !status.open(QIODevice::ReadOnly))
        return -1;
    for (const QByteArray &line : status.readAll().split('\n'))
        if (line.startsWith("VmRSS:"))
            return line.mid(6).simplified().split(' ').value(0).toLongLong() * kibi;
    return -1;
}

EnginePill::EnginePill(const session::EngineClient &engine, QWidget *parent)
    : QToolButton(parent)
    , m_engine(engine)
{
    setObjectName("enginePill");
    setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    setPopupMode(QToolButton::InstantPopup);
    m_timer.setInterval(MemoryInterval);
    connect(&m_timer, &QTimer::timeout, this, &EnginePill::refresh);
    connect(&m_engine, &session::EngineClient::stateChanged, this, &EnginePill::refresh);
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
    QString text = state == State::Ready      ? tr("engine ready")
                   : state == State::Starting ? tr("engine starting")
                   : state == State::Lost     ? tr("engine gone")
                                              : tr("engine off");
    QString tip = m_engine.lostBecause();
    if (state == State::Ready) {
        tip = tr("%1, LibTorch %2, %3 cores on %4")
                  .arg(QString::fromStdString(welcome.engine), QString::fromStdString(welcome.torch))
                  .arg(welcome.cores)
                  .arg(QString::fromStdString(welcome.host));
        const bool isHere = QString::fromStdString(welcome.host) == QSysInfo::machineHostName();
        if (const std::int64_t bytes = isHere ? residentBytes(welcome.processId) : -1; bytes >= 0)
            text = tr("engine %1").arg(QString::fromStdString(formatBytes(bytes)));
        m_timer.start();
    } else {
        m_timer.stop();
        if (tip.isEmpty())
            tip = tr("It starts when there is something to do");
    }
    setText(text);
    setToolTip(tip);
    setAccessibleName(text);
    setIcon(dot(m_theme->colour(state == State::Ready  ? style::Token::Good
                                : state == State::Lost ? style::Token::Bad
                                                       : style::Token::Dim)));
}

} // namespace pipescope::mainwindow
