#include "session/trust.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>

namespace pipescope::session {

namespace {

constexpr auto HashesKey = "trust/hashes";
constexpr auto FoldersKey = "trust/folders";

void addOnce(QSettings &settings, const char *key, const QStringList &added)
{
    settings.sync(); // another window may have added or removed some
    QStringList entries = settings.value(key).toStringList();
    const qsizetype before = entries.size();
    for (const QString &entry : added)
        if (!entry.isEmpty() && !entries.contains(entry))
            entries << entry;
    if (entries.size() != before)
        settings.setValue(key, entries);
}

} // namespace

bool Trust::isTrusted(const QString &sha256, const QString &path) const
{
    m_settings.sync(); // what another window no longer trusts is not trusted here
    if (!sha256.isEmpty() && m_settings.value(HashesKey).toStringList().contains(sha256))
        return true;
    // The canonical path: "trusted/../elsewhere" is elsewhere.
    const QString file = QFileInfo(path).canonicalFilePath();
    const QStringList folders = m_settings.value(FoldersKey).toStringList();
    return !file.isEmpty() && std::any_of(folders.begin(), folders.end(), [&](const QString &folder) {
        // An empty entry, as a file edited by hand may have, would be the beginning of every path.
        return !folder.isEmpty() && file.startsWith(folder.endsWith('/') ? folder : folder + '/');
    });
}

void Trust::trust(const QString &sha256)
{
    trust(QStringList{sha256});
}

void Trust::trust(const QStringList &sha256s)
{
    addOnce(m_settings, HashesKey, sha256s);
}

void Trust::trustFolder(const QString &folder)
{
    addOnce(m_settings, FoldersKey, {QDir(folder).canonicalPath()});
}

void Trust::distrustFolder(const QString &folder)
{
    m_settings.sync();
    QStringList left = folders();
    left.removeAll(folder);
    m_settings.setValue(FoldersKey, left);
}

QStringList Trust::folders() const
{
    return m_settings.value(FoldersKey).toStringList();
}

} // namespace pipescope::session
