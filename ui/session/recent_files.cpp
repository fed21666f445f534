#include "session/recent_files.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QStringList>

namespace pipescope::session {

namespace {

constexpr auto RecentKey = "files/recent";

QString shortFolder(const QString &folder)
{
    const QString home = QDir::homePath();
    return folder == home || folder.startsWith(home + '/') ? '~' + folder.mid(home.size()) : folder;
}

QString whyNot(const QFileInfo &file, const QString &elsewhere)
{
    if (!file.exists())
        return !elsewhere.isEmpty() ? QString() : QCoreApplication::translate("RecentFiles", "It is no longer there.");
    if (!file.isFile())
        return QCoreApplication::translate("RecentFiles", "It is no file.");
    return file.isReadable() ? QString() : QCoreApplication::translate("RecentFiles", "It may not be read.");
}

} // namespace

void RecentFiles::add(const QString &path)
{
    m_settings.sync(); // those of another window too
    QStringList recent = m_settings.value(RecentKey).toStringList();
    recent.removeAll(path);
    recent.prepend(path);
    m_settings.setValue(RecentKey, QStringList(recent.mid(0, Most)));
}

void RecentFiles::remove(const QString &path)
{
    m_settings.sync();
    QStringList recent = m_settings.value(RecentKey).toStringList();
    recent.removeAll(path);
    m_settings.setValue(RecentKey, recent);
}

std::vector<RecentFile> RecentFiles::files(const QString &elsewhere) const
{
    std::vector<RecentFile> files;
    const QStringList paths = m_settings.value(RecentKey).toStringList().mid(0, Most); // settings can be edited
    for (const QString &path : paths) {
        const QFileInfo file(path);
        files.push_back({path, file.fileName(), shortFolder(file.path()), whyNot(file, elsewhere)});
    }
    return files;
}

} // namespace pipescope::session
