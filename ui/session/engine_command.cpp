#include "session/engine_command.h"

#include <QCoreApplication>
#include <QDir>
#include <QProcess>

namespace pipescope::session {

bool hasEngineCommand(const QSettings &settings)
{
    return !settings.value(EngineCommandKey).toString().trimmed().isEmpty();
}

QStringList engineCommand(const QString &line)
{
    const QStringList words = QProcess::splitCommand(line);
    return words.isEmpty()
               ? QStringList{QDir(QCoreApplication::applicationDirPath()).filePath("pipescope-cli"), "serve"}
               : words;
}

QStringList engineCommand(const QSettings &settings)
{
    return engineCommand(settings.value(EngineCommandKey).toString());
}

} // namespace pipescope::session
