// A copy of the settings' file, for what Qt makes of that on a full disk: an empty one, and with it are gone whom the
// user trusts, layouts and all else.
#pragma once

#include <QString>
#include <QStringList>

namespace pipescope::session {

/// At the program's start, before the settings are opened: where `file` is empty its copy takes its place, else the
/// copy ("<file>.copy") becomes as it is. Where that cannot be written nothing happens.
void keepCopyOfSettings(const QString &file);

/// Where the settings of this user lie, those of the program and of all of its makers: what Qt reads when it opens
/// them.
[[nodiscard]] QStringList settingsFiles();

/// The first of `files` that is there and no regular file, as a pipe, which Qt would read for ever; "" where none is.
[[nodiscard]] QString notAFile(const QStringList &files);

} // namespace pipescope::session
