#include "session/stage_hashes.h"

#include "base/file.h"
#include "session/stage_saver.h"

#include <QDir>
#include <utility>

namespace pipescope::session {

QStringList foundAsWritten(const QString &folder, const std::vector<report::StageFile> &files,
                           const std::stop_token &stop)
{
    QStringList found;
    const QStringList known = stageFiles(static_cast<int>(files.size())); // and no other file, whatever path it names
    for (const report::StageFile &file : files) {
        const QString name = QString::fromStdString(file.file);
        if (!known.contains(name))
            continue;
        const Result<std::string> sha256 = fileSha256(QDir(folder).filePath(name).toStdString(), stop);
        if (sha256 && *sha256 == file.sha256)
            found << QString::fromStdString(*sha256);
    }
    return found;
}

StageHashes::StageHashes(QObject *parent)
    : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
}

StageHashes::~StageHashes()
{
    m_stop.request_stop();
    m_pool.waitForDone();
}

void StageHashes::look(const QString &folder, const std::vector<report::StageFile> &files, Done done)
{
    m_pool.start([this, folder, files, done = std::move(done), stop = m_stop.get_token()] {
        QStringList found = foundAsWritten(folder, files, stop);
        QMetaObject::invokeMethod(
            this, [found = std::move(found), done] { done(found); }, Qt::QueuedConnection);
    });
}

} // namespace pipescope::session
