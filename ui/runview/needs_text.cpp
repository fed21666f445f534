#include "runview/needs_text.h"

#include "runview/translate.h"
#include "widgets/number_text.h"

#include <QStringList>
#include <string>

namespace pipescope::runview {

namespace {

constexpr std::size_t MostStages = 16;

QString sentenceOf(const std::string &clause)
{
    QString text = QString::fromStdString(clause);
    text[0] = text[0].toUpper();
    return text + '.';
}

QString stagesText(const report::RunNeeds &needs)
{
    QStringList stages;
    for (std::size_t i = 0; i < needs.stageWeights.size() && i < MostStages; ++i)
        stages << tr("stage %1: %2").arg(i).arg(widgets::bytesText(needs.stageWeights[i]));
    if (needs.stageWeights.size() > MostStages)
        stages << tr("%1 more").arg(needs.stageWeights.size() - MostStages);
    return stages.join(QStringLiteral(", "));
}

} // namespace

QString needsLabel(const report::RunNeeds &needs)
{
    if (const std::string warning = report::memoryWarning(needs); !warning.empty())
        return tr("Warning: %1").arg(QString::fromStdString(warning) + '.');
    return sentenceOf(report::needsText(needs));
}

QString needsToolTip(const report::RunNeeds &needs)
{
    QStringList lines{
        tr("Weights are the model's parameters and buffers, each once. Activations are the inputs and all "
           "values of the microbatches under way. The comparison keeps the unsplit model's values too.")};
    if (needs.stageWeights.size() > 1)
        lines << tr("Weights of the stages: %1.").arg(stagesText(needs));
    if (needs.inFlight > 0)
        lines << (needs.inFlight == 1 ? tr("1 microbatch is under way at once.")
                                      : tr("%1 microbatches are under way at once.").arg(needs.inFlight));
    if (needs.machine.memory)
        lines << tr("What is free is read from %1 of the engine's machine.")
                     .arg(QString::fromStdString(needs.machine.memory->source));
    if (const std::string warning = report::threadsWarning(needs); !warning.empty())
        lines << sentenceOf(warning);
    return lines.join('\n');
}

} // namespace pipescope::runview
