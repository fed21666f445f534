// Where docks stand, kept in the settings: one layout for each perspective, and those the user named. Layouts of
// another version of the window are forgotten, since docks come and go.
#pragma once

#include <QByteArray>
#include <QSettings>
#include <QString>
#include <QStringList>

namespace pipescope::session {

/// A layout by a name of the user's own.
struct NamedLayout
{
    QString perspective;
    QByteArray state; ///< QMainWindow::saveState

    friend bool operator==(const NamedLayout &, const NamedLayout &) = default;
};

class LayoutStore
{
public:
    /// Raise it where the table of docks changes.
    static constexpr int Version = 3;

    /// The settings must outlive this.
    explicit LayoutStore(QSettings &settings)
        : m_settings(settings)
    {
    }

    /// Empty where none was kept.
    [[nodiscard]] QByteArray perspective(const QString &name) const;
    void keepPerspective(const QString &name, const QByteArray &state);
    void forgetPerspective(const QString &name);

    /// In the order of their names.
    [[nodiscard]] QStringList names() const;
    /// Empty where there is none of that name.
    [[nodiscard]] NamedLayout named(const QString &name) const;
    /// Takes the place of one of the same name. Any text but blanks only is a name.
    void keepNamed(const QString &name, const NamedLayout &layout);
    void forgetNamed(const QString &name);

private:
    QSettings &m_settings;
};

} // namespace pipescope::session
