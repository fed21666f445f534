// The engine's state as a dot and a word, with the memory it holds; its menu starts and stops it.
#pragma once

#include "session/engine_client.h"
#include "style/theme.h"

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
};

} // namespace pipescope::mainwindow
