#include "stageview/ties_text.h"

#include "stageview/translate.h"
#include "widgets/number_text.h"

#include <QStringList>
#include <algorithm>
#include <cstdint>

namespace pipescope::stageview {

namespace {

constexpr qsizetype MostLines = 20;

std::int64_t bytesOf(const graph::ModelGraph &graph, const partition::Tie &tie)
{
    const auto parameter = std::find_if(graph.parameters.begin(), graph.parameters.end(),
                                        [&](const graph::Parameter &one) { return one.fqn == tie.fqn; });
    return parameter == graph.parameters.end() ? 0 : parameter->tensor.bytes;
}

/// "0, 1 and 3".
QString stagesOf(const partition::Tie &tie)
{
    QStringList stages;
    for (const StageId stage : tie.stages)
        stages << QString::number(stage.value);
    const QString last = stages.takeLast();
    return tr("%1 and %2").arg(stages.join(QStringLiteral(", ")), last);
}

QString lineOf(const graph::ModelGraph &graph, const partition::Tie &tie)
{
    return tr("%1 is used in stages %2; each keeps a copy of %3")
        .arg(QString::fromStdString(tie.fqn), stagesOf(tie), widgets::bytesText(bytesOf(graph, tie)));
}

} // namespace

TiesText tiesText(const graph::ModelGraph &graph, const partition::Partition &partition)
{
    if (partition.ties.empty())
        return {};
    QStringList lines;
    std::int64_t more = 0;
    for (const partition::Tie &tie : partition.ties) {
        more += bytesOf(graph, tie) * (std::ssize(tie.stages) - 1);
        if (lines.size() < MostLines)
            lines << lineOf(graph, tie);
    }
    const qsizetype count = std::ssize(partition.ties);
    const QString line =
        count == 1 ? tr("tied: %1 in stages %2")
                         .arg(QString::fromStdString(partition.ties.front().fqn), stagesOf(partition.ties.front()))
                   : tr("tied: %1 parameters in several stages, %2 more in all")
                         .arg(QString::number(count), widgets::bytesText(more));
    if (count > MostLines)
        lines << tr("and %1 more").arg(count - MostLines);
    lines << tr("Together the stages hold %1 more than the model.").arg(widgets::bytesText(more));
    return {line, lines.join('\n')};
}

} // namespace pipescope::stageview
