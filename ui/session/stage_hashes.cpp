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
}

void StageHashes::look(const QString &folder, const std::vector<report::StageFile> &files, Done done)
{
    m_thread.start([folder, files](const std::stop_token &stop) { return foundAsWritten(folder, files, stop); },
                   std::move(done));
}

} // namespace pipescope::session
