// How the engine is started: any command, `ssh host pipescope-cli serve` as well.
#pragma once

#include <QSettings>
#include <QString>
#include <QStringList>

namespace pipescope::session {

inline constexpr auto EngineCommandKey = "engine/command";

/// Whether the user has set one: the engine, and the files it reads, may then be on another machine.
[[nodiscard]] bool hasEngineCommand(const QSettings &settings);
/// A program and its arguments from one line, as a shell would read its quotes; the program beside this one where the
/// line is blank.
[[nodiscard]] QStringList engineCommand(const QString &line);
/// Of the line the user has set.
[[nodiscard]] QStringList engineCommand(const QSettings &settings);

} // namespace pipescope::session
