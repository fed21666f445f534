// How the engine is started: any command, `ssh host pipescope-cli serve` as well.
#pragma once

#include "session/engine_link.h"

#include <QSettings>
#include <QString>
#include <QStringList>
#include <memory>

namespace pipescope::session {

inline constexpr auto EngineCommandKey = "engine/command";

/// A program and its arguments from one line, as a shell would read its quotes; the program beside this one where the
/// line is blank.
[[nodiscard]] QStringList engineCommand(const QString &line);
/// To an engine started by the line the user has set, if any: its files may then be on another machine. What the
/// settings become later is for links to come.
[[nodiscard]] std::unique_ptr<EngineLink> makeEngineLink(const QSettings &settings);

} // namespace pipescope::session
