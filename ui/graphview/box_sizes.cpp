#include "graphview/box_sizes.h"

#include "base/text.h"

#include <algorithm>
#include <cmath>

namespace pipescope::graphview {

double estimatedWidth(std::string_view text, TextRole role)
{
    const double each = role == TextRole::Title ? 7.2 : role == TextRole::Detail ? 6.8 : 6.7;
    return each * static_cast<double>(displayWidth(text));
}

QSizeF closedSize(const Box &box, const TextWidth &width)
{
    const double title = width(box.title, TextRole::Title);
    const double detail = box.detail.empty() ? 0 : width(box.detail, TextRole::Detail);
    const double around = measure::Strip + 2 * measure::Gap;
    const bool twoLines = box.canOpen;
    const double texts = twoLines ? std::max(title + measure::Gap + measure::Measured, detail)
                                  : title + (detail > 0 ? 2 * measure::Gap + detail : 0);
    // Even numbers keep the middle, where edges end, on whole pixels.
    return {2 * std::ceil(std::clamp(around + texts, 64.0, measure::Widest) / 2),
            twoLines ? measure::TwoLines : measure::Header};
}

double headerWidth(const Box &box, const TextWidth &width)
{
    const double texts =
        width(box.title, TextRole::Title) + measure::Gap + width(box.detail, TextRole::Detail) + measure::Measured;
    return 2 * std::ceil(std::min(measure::Strip + measure::SpanRoom + 3 * measure::Gap + texts, measure::Widest) / 2);
}

} // namespace pipescope::graphview
