#include "session/schedule_file.h"

#include "base/file.h"
#include "schedule/schedule_csv.h"
#include "schedule/validate_schedule.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>

namespace pipescope::session {

namespace {

constexpr qint64 LargestFile = 64 << 20;

struct ScheduleFile
{
    Q_DECLARE_TR_FUNCTIONS(ScheduleFile)
};

/// A rank is a row of the file and a step a column, both counted from 0.
QString inTheFile(const QString &fault)
{
    static const QRegularExpression form(QStringLiteral("^[Rr]ank (\\d+), step (\\d+): "));
    const QRegularExpressionMatch match = form.match(fault);
    return !match.hasMatch() ? fault
                             : ScheduleFile::tr("row %1, column %2 (rank %3, step %4): %5")
                                   .arg(match.captured(1).toLongLong() + 1)
                                   .arg(match.captured(2).toLongLong() + 1)
                                   .arg(match.captured(1), match.captured(2), fault.mid(match.capturedEnd()));
}

/// More than the window can check at once, but not too large for a schedule: the engine says what is wrong with it.
bool isLeftToEngine(qint64 bytes)
{
    return bytes > MostCheckedBytes && bytes <= LargestFile;
}

qint64 cellsAtMost(const std::string &text)
{
    return std::count_if(text.begin(), text.end(), [](char c) { return c == ',' || c == '\n'; }) + 1;
}

Status checkFile(const QString &path)
{
    if (isLeftToEngine(QFileInfo(path).size()))
        return checkReadable(path.toStdString());
    const Result<std::string> text = readFile(path.toStdString(), LargestFile);
    if (!text)
        return text.error();
    if (cellsAtMost(*text) > MostCheckedCells)
        return Success{};
    const Result<schedule::Schedule> read = schedule::parseCsv(*text, path.toStdString());
    const Status valid = read ? schedule::validateSchedule(*read, {.needsBackward = false}) : Status(read.error());
    if (valid)
        return Success{};
    Error error = valid.error();
    error.message = ScheduleFile::tr("'%1' cannot be used as a schedule: %2")
                        .arg(QFileInfo(path).fileName(), inTheFile(QString::fromStdString(error.message)))
                        .toStdString();
    return error;
}

} // namespace

Status takeScheduleFile(Document &document, const QString &path)
{
    const QString file = QFileInfo(path).absoluteFilePath();
    if (Status good = checkFile(file); !good)
        return good;
    document.edit(ScheduleFile::tr("Schedule"), [&](plan::Plan &plan) { plan.schedule = "@" + file.toStdString(); });
    return Success{};
}

Status takeScheduleFileThere(Document &document, const QString &path)
{
    if (!path.startsWith('/'))
        return Error{ErrorCode::InvalidArgument,
                     ScheduleFile::tr("'%1' is not an absolute path: give the schedule's path on the engine's machine "
                                      "from '/' on.")
                         .arg(path)
                         .toStdString(),
                     {},
                     {}};
    document.edit(ScheduleFile::tr("Schedule"), [&](plan::Plan &plan) { plan.schedule = "@" + path.toStdString(); });
    return Success{};
}

QString scheduleFileName(const std::string &schedule)
{
    return schedule.starts_with('@') ? QFileInfo(QString::fromStdString(schedule.substr(1))).fileName() : QString();
}

} // namespace pipescope::session
