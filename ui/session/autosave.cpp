#include "session/autosave.h"

#include "session/recovery.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QUuid>
#include <algorithm>

namespace pipescope::session {

namespace {

using namespace std::chrono_literals;

constexpr auto LeastDelay = 0ms;
constexpr auto MostDelay = 24h;

} // namespace

Autosave::Autosave(Document &document, QString folder, std::chrono::milliseconds delay, QObject *parent)
    : QObject(parent)
    , m_document(document)
    , m_file(folder + '/' + QUuid::createUuid().toString(QUuid::WithoutBraces) + ".json")
    , m_lock(m_file + ".lock")
{
    m_lock.setStaleLockTime(0);
    m_timer.setSingleShot(true);
    setDelay(delay);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::write);
    connect(&m_document, &Document::planChanged, this, &Autosave::changed);
    connect(&m_document, &Document::modifiedChanged, this, &Autosave::changed);
}

Autosave::~Autosave()
{
    if (!m_isLeft)
        forget();
}

void Autosave::setDelay(std::chrono::milliseconds delay)
{
    // Settings can be edited, and a timer counts milliseconds in an int.
    m_timer.setInterval(std::clamp<std::chrono::milliseconds>(delay, LeastDelay, MostDelay));
}

void Autosave::flush()
{
    if (m_timer.isActive())
        write();
}

void Autosave::leave()
{
    write(); // also where nothing is due: the last copy may have failed, or be gone
    m_isLeft = true;
}

void Autosave::changed()
{
    if (!m_document.isModified())
        forget();
    else if (!m_timer.isActive()) // so that who edits on and on has a copy too
        m_timer.start();
}

void Autosave::write()
{
    m_timer.stop();
    if (!m_document.isModified())
        return;
    QDir().mkpath(QFileInfo(m_file).path());
    if (!m_lock.isLocked())
        m_lock.tryLock(0);
    const Status written =
        writeRecovery(m_file, {m_document.plan(), m_document.path(), QDateTime::currentDateTimeUtc()});
    if (!written && !m_failed)
        Q_EMIT failed(QString::fromStdString(written.error().message));
    m_failed = !written;
}

void Autosave::forget()
{
    m_timer.stop();
    QFile::remove(m_file); // also where it could not be locked
    if (m_lock.isLocked())
        m_lock.unlock();
}

} // namespace pipescope::session
