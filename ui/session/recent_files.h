// The files that were opened last, newest first, as the settings keep them.
#pragma once

#include <QSettings>
#include <QString>
#include <vector>

namespace pipescope::session {

struct RecentFile
{
    QString path;
    QString name;   ///< without the folder
    QString folder; ///< with "~" for the user's own
    QString whyNot; ///< why it cannot be opened now, as a sentence; "" where it can

    friend bool operator==(const RecentFile &, const RecentFile &) = default;
};

class RecentFiles
{
public:
    static constexpr int Most = 10;

    /// The settings must outlive this.
    explicit RecentFiles(QSettings &settings)
        : m_settings(settings)
    {
    }

    /// Puts an absolute path first.
    void add(const QString &path);
    void remove(const QString &path);
    /// Looks at the disk: a file may have gone since. With an engine elsewhere (EngineClient::elsewhere) one that is
    /// not here may be there.
    [[nodiscard]] std::vector<RecentFile> files(const QString &elsewhere = {}) const;

private:
    QSettings &m_settings;
};

} // namespace pipescope::session
