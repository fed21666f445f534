#include "session/engine_command.h"

#include "session/process_link.h"

#include <QCoreApplication>
#include <QDir>
#include <QProcess>

namespace pipescope::session {

QStringList engineCommand(const QString &line)
{
    const QStringList words = QProcess::splitCommand(line);
    return words.isEmpty()
               ? QStringList{QDir(QCoreApplication::applicationDirPath()).filePath("pipescope-cli"), "serve"}
               : words;
}

std::unique_ptr<EngineLink> makeEngineLink(const QSettings &settings)
{
    using Files = ProcessLink::Files;
    const QString line = settings.value(EngineCommandKey).toString();
    return std::make_unique<ProcessLink>(engineCommand(line),
                                         line.trimmed().isEmpty() ? Files::Here : Files::PerhapsElsewhere);
}

} // namespace pipescope::session
