// A copy of the settings' file, for what Qt makes of that on a full disk: an empty one, and with it are gone whom the
// user trusts, layouts and all else.
#pragma once

#include <QString>

namespace pipescope::session {

/// At the program's start, before the settings are opened: where `file` is empty its copy takes its place, else the
/// copy ("<file>.copy") becomes as it is. Where that cannot be written nothing happens.
void keepCopyOfSettings(const QString &file);

} // namespace pipescope::session
