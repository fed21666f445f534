#include "stageview/unused_text.h"

#include "stageview/translate.h"
#include "widgets/number_text.h"

#include <QStringList>

namespace pipescope::stageview {

UnusedText unusedText(const partition::UnusedTensors &unused)
{
    constexpr qsizetype MostNames = 20;
    if (unused.names.empty())
        return {};
    const QString bytes = widgets::bytesText(unused.bytes);
    const QString line = unused.tensors == 1
                             ? tr("in no stage: %1, %2").arg(QString::fromStdString(unused.names.front()), bytes)
                             : tr("in no stage: %1 tensors, %2").arg(unused.tensors).arg(bytes);
    QStringList lines{tr("The method does not use them, so that saved stages are without them:")};
    for (const std::string &name : unused.names) {
        if (lines.size() > MostNames)
            break;
        lines << QString::fromStdString(name);
    }
    if (const qsizetype left = std::ssize(unused.names) + 1 - lines.size(); left > 0)
        lines << tr("and %1 more").arg(left);
    return {line, lines.join('\n')};
}

} // namespace pipescope::stageview
