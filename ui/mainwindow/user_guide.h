// Where the user guide lies on this machine.
#pragma once

#include <QString>

namespace pipescope::mainwindow {

/// Of its first page, installed or in the project's own folder; "" where there is none.
[[nodiscard]] QString userGuidePath();

} // namespace pipescope::mainwindow
