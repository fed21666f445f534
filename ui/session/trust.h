// Whose files may run: a TorchScript file is code, and loading it can already run some of it. The answer is kept by the
// file's hash, so that a file that changes is asked about again.
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

    [[nodiscard]] bool isTrusted(const QString &sha256, const QString &path) const;
    void trust(const QString &sha256);
    /// Several at once.
    void trust(const QStringList &sha256s);
    /// Files below it, links followed, need no question.
    void trustFolder(const QString &folder);
    void distrustFolder(const QString &folder);
    [[nodiscard]] QStringList folders() const;

private:
    QSettings &m_settings;
};

} // namespace pipescope::session
