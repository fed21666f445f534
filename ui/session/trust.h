// Whose files may run: a TorchScript file is code, and loading it can already run some of it. The answer is kept by the
// file's hash, so that a file that changes is asked about again. What is `elsewhere` is EngineClient::elsewhere: the
// hash of a file that may be on another machine is that engine's word, and believed of files there only.
#pragma once

#include <QSettings>
#include <QString>
#include <QStringList>

namespace pipescope::session {

class Trust
{
public:
    /// The settings must outlive this.
    explicit Trust(QSettings &settings)
        : m_settings(settings)
    {
    }

    /// So many hashes are kept; of more, those that were trusted longest ago are asked about again.
    static constexpr qsizetype MostHashes = 1000;

    /// Trusted folders are those of this machine: elsewhere their paths mean nothing.
    [[nodiscard]] bool isTrusted(const QString &sha256, const QString &path, const QString &elsewhere = {}) const;
    void trust(const QString &sha256, const QString &elsewhere = {});
    /// Several at once, of this machine.
    void trust(const QStringList &sha256s);
    /// As long as this lives.
    void trustForNow(const QStringList &sha256s);
    /// Files below it, links followed, need no question.
    void trustFolder(const QString &folder);
    void distrustFolder(const QString &folder);
    [[nodiscard]] QStringList folders() const;

private:
    QSettings &m_settings;
    QStringList m_forNow; ///< hashes
};

} // namespace pipescope::session
