// A schedule of the user's own: a CSV file that the plan names, "@file.csv" (docs/notation.md).
#pragma once

#include "session/document.h"

namespace pipescope::session {

/// A file with more cells, or more bytes, is not checked in the window, which would stand still meanwhile.
inline constexpr qint64 MostCheckedCells = 200'000;
inline constexpr qint64 MostCheckedBytes = 2 << 20;

/// The plan follows the file's schedule from now on, as one step to undo. The file must be a schedule that can run at
/// all; whether it is for as many stages, ranks and microbatches as the plan has, which may be edited yet, is asked
/// when it is run, and of a large file all else as well. Error: the file cannot be read, or the first fault in it with
/// its row and column, counted from 1 as in a spreadsheet; the plan is then as it was. At most 64 MiB.
Status takeScheduleFile(Document &document, const QString &path);
/// Likewise a file on the engine's machine, by its path there: it is not looked for on this one, and checked when it is
/// run. Error: the path is not absolute.
Status takeScheduleFileThere(Document &document, const QString &path);

/// "orders.csv" of "@/plans/orders.csv"; "" for a schedule that is no file.
[[nodiscard]] QString scheduleFileName(const std::string &schedule);

} // namespace pipescope::session
