#include "session/trust.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <limits>

namespace pipescope::session {

namespace {

constexpr auto HashesKey = "trust/hashes";
constexpr auto FoldersKey = "trust/folders";
constexpr qsizetype MostFolders = std::numeric_limits<qsizetype>::max(); // each is the user's, who sees them

/// The newest last, each once.
void add(QSettings &settings, const char *key, const QStringList &added, qsizetype most)
{
    settings.sync(); // another window may have added or removed some
    const QStringList before = settings.value(key).toStringList();
    QStringList entries = before;
    for (const QString &entry : added) {
        if (entry.isEmpty())
            continue;
        entries.removeAll(entry);
        entries << entry;
    }
    if (entries != before)
        settings.setValue(key, QStringList(entries.mid(std::max<qsizetype>(0, entries.size() - most))));
}

/// What is kept of a hash: that of another machine's file is none that any file here has.
QString entryFor(const QString &sha256, const QString &elsewhere)
{
    return sha256.isEmpty() || elsewhere.isEmpty() ? sha256 : sha256 + QLatin1Char(' ') + elsewhere;
}

} // namespace

bool Trust::isTrusted(const QString &sha256, const QString &path, const QString &elsewhere) const
{
    m_settings.sync(); // what another window no longer trusts is not trusted here
    if (!sha256.isEmpty()) {
        // What is trusted here may run there: an engine that lies about its files could run them without a lie.
        const QStringList hashes = m_settings.value(HashesKey).toStringList();
        if (m_forNow.contains(sha256) || hashes.contains(sha256) || hashes.contains(entryFor(sha256, elsewhere)))
            return true;
    }
    if (!elsewhere.isEmpty())
        return false;
    // The canonical path: "trusted/../elsewhere" is elsewhere.
    const QString file = QFileInfo(path).canonicalFilePath();
    const QStringList folders = m_settings.value(FoldersKey).toStringList();
    return !file.isEmpty() && std::any_of(folders.begin(), folders.end(), [&](const QString &folder) {
        // An empty entry, as a file edited by hand may have, would be the beginning of every path.
        return !folder.isEmpty() && file.startsWith(folder.endsWith('/') ? folder : folder + '/');
    });
}

void Trust::trust(const QString &sha256, const QString &elsewhere)
{
    add(m_settings, HashesKey, {entryFor(sha256, elsewhere)}, MostHashes);
}

void Trust::trust(const QStringList &sha256s)
{
    add(m_settings, HashesKey, sha256s, MostHashes);
}

void Trust::trustForNow(const QStringList &sha256s)
{
    m_forNow << sha256s;
}

void Trust::trustFolder(const QString &folder)
{
    add(m_settings, FoldersKey, {QDir(folder).canonicalPath()}, MostFolders);
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
