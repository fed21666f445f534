// The engine's state as a dot and a word, with its memory where it runs on this machine; its menu starts and stops it.
#pragma once

#include "session/engine_client.h"
#include "style/theme.h"

#include <QTimer>
#include <QToolButton>

namespace pipescope::mainwindow {

class EnginePill : public QToolButton
{
    Q_OBJECT

public:
    /// The client must outlive this.
    explicit EnginePill(const session::EngineClient &engine, QWidget *parent = nullptr);

    void setTheme(const style::Theme &theme);

private:
    void refresh();

    const session::EngineClient &m_engine;
    const style::Theme *m_theme = &style::Theme::dark();
    QTimer m_timer;
};

/// Bytes of memory a process of this machine has in use; -1 where that cannot be told.
[[nodiscard]] std::int64_t residentBytes(std::int64_t processId);

} // namespace pipescope::mainwindow
