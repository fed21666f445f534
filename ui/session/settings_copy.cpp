#include "session/settings_copy.h"

#include "base/file.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStandardPaths>
#include <algorithm>
#include <cstdint>
#include <string>

namespace pipescope::session {

namespace {

constexpr std::uintmax_t MostSettingsBytes = 16U << 20;

void copy(const QString &from, const QString &to)
{
    if (const Result<std::string> bytes = readFile(from.toStdString(), MostSettingsBytes))
        static_cast<void>(writeFile(to.toStdString(), *bytes)); // the settings work without it
}

} // namespace

void keepCopyOfSettings(const QString &file)
{
    const QString kept = file + ".copy";
    if (!QFileInfo(file).isFile()) // the user may have taken it away
        return;
    if (QFileInfo(file).size() > 0)
        copy(file, kept);
    else if (QFileInfo(kept).isFile())
        copy(kept, file);
}

QStringList settingsFiles()
{
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation);
    const QString organization = QCoreApplication::organizationName();
    return {QStringLiteral("%1/%2/%3.conf").arg(folder, organization, QCoreApplication::applicationName()),
            QStringLiteral("%1/%2.conf").arg(folder, organization)};
}

QString notAFile(const QStringList &files)
{
    const auto found = std::find_if(files.begin(), files.end(), [](const QString &file) {
        const QFileInfo info(file);
        return info.exists() && !info.isFile();
    });
    return found == files.end() ? QString() : *found;
}

} // namespace pipescope::session
