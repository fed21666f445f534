#include "session/settings_copy.h"

#include "base/file.h"

#include <QFileInfo>
#include <cstdint>
#include <string>

namespace pipescope::session {

namespace {

constexpr std::uintmax_t MostBytes = 16U << 20;

void copy(const QString &from, const QString &to)
{
    if (const Result<std::string> bytes = readFile(from.toStdString(), MostBytes))
        static_cast<void>(writeFile(to.toStdString(), *bytes)); // the settings work without it
}

} // namespace

void keepCopyOfSettings(const QString &file)
{
    const QString kept = file + ".copy";
    if (!QFileInfo(file).isFile()) // the user may have taken it away
        return;
    if (QFileInfo(file).size() > 0)
        copy(file, kept);
    else if (QFileInfo(kept).isFile())
        copy(kept, file);
}

} // namespace pipescope::session
