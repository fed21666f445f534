// A schedule of the user's own: a CSV file that the plan names, "@file.csv" (docs/notation.md).
#pragma once

#include "session/document.h"

namespace pipescope::session {

/// The plan follows the file's schedule from now on, as one step to undo. The file must be a schedule that can run at
/// all; whether it is for as many stages, ranks and microbatches as the plan has, which may be edited yet, is asked
/// when it is run. Error: the file cannot be read, or the first fault in it with its row and column, counted from 1 as
/// in a spreadsheet; the plan is then as it was. At most 64 MiB.
Status takeScheduleFile(Document &document, const QString &path);

/// "orders.csv" of "@/plans/orders.csv"; "" for a schedule that is no file.
[[nodiscard]] QString scheduleFileName(const std::string &schedule);

} // namespace pipescope::session
