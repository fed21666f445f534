// How well one colour is seen on another.
#pragma once

#include <QColor>
#include <algorithm>
#include <cmath>

namespace pipescope::tests {

/// Of WCAG 2: from 0 to 1.
inline double luminance(const QColor &colour)
{
    const auto linear = [](double part) {
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

/// Of WCAG 2: from 1 to 21.
inline double contrast(const QColor &a, const QColor &b)
{
    const double first = luminance(a) + 0.05;
    const double second = luminance(b) + 0.05;
    return std::max(first, second) / std::min(first, second);
}

} // namespace pipescope::tests
