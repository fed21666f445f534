#include "session/plan_watch.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <chrono>
#include <utility>

namespace pipescope::session {

namespace {

using namespace std::chrono_literals;

constexpr auto Settling = 200ms;
constexpr qint64 MostPlanBytes = qint64{16} << 20; ///< as a plan may have

QByteArray digestOf(const QString &path)
{
    QFile file(path);
    // What is no regular file, as a pipe, may never end.
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly))
        return {};
    return QCryptographicHash::hash(file.read(MostPlanBytes), QCryptographicHash::Sha256);
}

} // namespace

PlanWatch::PlanWatch(Document &document, QObject *parent)
    : QObject(parent)
    , m_document(document)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(Settling);
    connect(&m_timer, &QTimer::timeout, this, &PlanWatch::look);
    const auto wait = [this] { m_timer.start(); };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, wait);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, wait);
    connect(&m_document, &Document::pathChanged, this, &PlanWatch::follow);
}

void PlanWatch::follow()
{
    for (const QStringList &watched : {m_watcher.files(), m_watcher.directories()})
        if (!watched.isEmpty())
            m_watcher.removePaths(watched);
    m_timer.stop();
    m_seen.reset();
    watch();
    if (!m_document.path().isEmpty()) // it may have changed between being read and being the document's
        m_timer.start();
}

/// The folder too: who writes beside and renames, as this program does, takes the file that was watched away.
void PlanWatch::watch()
{
    const QString path = m_document.path();
    if (path.isEmpty())
        return;
    if (!m_watcher.files().contains(path) && QFileInfo::exists(path))
        m_watcher.addPath(path);
    if (const QString folder = QFileInfo(path).absolutePath(); !m_watcher.directories().contains(folder))
        m_watcher.addPath(folder);
}

void PlanWatch::look()
{
    m_timer.stop();
    watch();
    const Document::FileState state = m_document.fileState();
    const QByteArray digest = digestOf(m_document.path());
    if (std::exchange(m_seen, digest) != digest)
        Q_EMIT looked(state);
}

} // namespace pipescope::session
