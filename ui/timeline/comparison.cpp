#include "timeline/comparison.h"

#include "timeline/translate.h"
#include "widgets/number_text.h"

#include <cmath>

namespace pipescope::timeline {

QString figuresText(const trace::Stats &stats)
{
    return tr("bubble %1 · makespan %2 · bound %3")
        .arg(widgets::percentText(stats.bubbleShare), widgets::secondsText(stats.makespanSeconds),
             widgets::secondsText(stats.boundSeconds));
}

QString comparisonText(const NamedStats &first, const NamedStats &second)
{
    const double one = first.stats.makespanSeconds;
    const double other = second.stats.makespanSeconds;
    const double difference = one - other;
    // Less than what three digits tell apart.
    const bool isSame = std::abs(difference) <= 0.0005 * std::max(one, other);
    QString time = tr("%1 takes as long as %2, %3.").arg(first.name, second.name, widgets::secondsText(one));
    if (!isSame)
        time =
            (difference < 0 ? tr("%1 takes %2 (%3) less than %4.") : tr("%1 takes %2 (%3) more than %4."))
                .arg(first.name, widgets::secondsText(std::abs(difference)),
                     other > 0 ? widgets::percentText(std::abs(difference) / other) : tr("from nothing"), second.name);
    const double points = 100 * (first.stats.bubbleShare - second.stats.bubbleShare);
    if (std::abs(points) < 0.05)
        return time + ' ' +
               tr("Bubbles are %1 of the time in both.").arg(widgets::percentText(first.stats.bubbleShare));
    return time + ' ' +
           (points < 0 ? tr("Its bubbles are %1 of the time, %2 points fewer than %3.")
                       : tr("Its bubbles are %1 of the time, %2 points more than %3."))
               .arg(widgets::percentText(first.stats.bubbleShare), QString::number(std::abs(points), 'f', 1),
                    widgets::percentText(second.stats.bubbleShare));
}

} // namespace pipescope::timeline
