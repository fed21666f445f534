// What the user sets once: the engine's command, with a test; the theme; folders whose models need no question; how
// often a copy of the plan is kept. Everything applies at once.
#pragma once

#include "session/engine_client.h"
#include "session/trust.h"

#include <QDialog>
#include <QSettings>
#include <functional>
#include <memory>

class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
class QSpinBox;

namespace pipescope::mainwindow {

inline constexpr auto ThemeKey = "window/theme"; ///< "desktop", "dark" or "light"
inline constexpr auto AutosaveKey = "files/autosaveSeconds";
inline constexpr int AutosaveSeconds = 5;

class SettingsDialog : public QDialog
{
    Q_OBJECT

public:
    using MakeLinkTo = std::function<std::unique_ptr<session::EngineLink>(const QStringList &command)>;

    /// The settings must outlive this. `link` reaches an engine by a command: a process, but in tests.
    SettingsDialog(QSettings &settings, MakeLinkTo link, QWidget *parent = nullptr);
    ~SettingsDialog() override;
    Q_DISABLE_COPY_MOVE(SettingsDialog)

Q_SIGNALS:
    void themeChanged();
    void autosaveChanged();
    void engineCommandChanged();

private:
    QWidget *makeEngine();
    QWidget *makeFolders();
    void setCommand();
    void testEngine();
    void tell(const QString &text);
    void listFolders();

    QSettings &m_settings;
    const MakeLinkTo m_link;
    session::Trust m_trust;
    std::unique_ptr<session::EngineClient> m_tested;
    QLineEdit *m_command; // not owned, nor are those below: Qt's parent has them
    QPushButton *m_test;
    QLabel *m_answer;
    QComboBox *m_theme;
    QListWidget *m_folders;
    QSpinBox *m_autosave;
};

} // namespace pipescope::mainwindow
