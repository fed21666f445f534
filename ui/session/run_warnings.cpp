#include "session/run_warnings.h"

#include "session/translate.h"

#include <QStringList>
#include <string>

namespace pipescope::session {

namespace {

constexpr qsizetype MostLines = 4;
constexpr qsizetype LongestLine = 500; // a model's names are of any length

} // namespace

QString warningsText(const report::RunReport &run)
{
    QStringList lines;
    for (const std::string &warning : run.warnings) {
        if (lines.size() == MostLines) {
            lines << tr("More of them are in the log.");
            break;
        }
        const QString text = QString::fromStdString(warning);
        lines << tr("Warning: %1").arg(text.size() > LongestLine ? text.left(LongestLine) + QChar(0x2026) : text);
    }
    return lines.join('\n');
}

} // namespace pipescope::session
