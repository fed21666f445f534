#include "widgets/number_text.h"

#include "base/percent.h"
#include "base/text.h"
#include "widgets/translate.h"

#include <cmath>

namespace pipescope::widgets {

namespace {

constexpr QChar Minus(u'−');
constexpr QChar NarrowBlank(u'\u202f');

/// Of a number as programs write it.
QString withThousandsApart(QString number)
{
    const qsizetype point = number.indexOf('.');
    const qsizetype first = number.startsWith('-') ? 1 : 0;
    for (qsizetype place = (point < 0 ? number.size() : point) - 3; place > first; place -= 3)
        number.insert(place, NarrowBlank);
    return number.replace('-', Minus);
}

} // namespace

QString numberText(double number, int digits)
{
    if (std::isnan(number))
        return tr("not a number");
    if (std::isinf(number))
        return number < 0 ? Minus + tr("infinite") : tr("infinite");
    return QString::number(number, 'g', digits).replace('-', Minus);
}

QString countText(std::int64_t count)
{
    return withThousandsApart(QString::number(count));
}

QString fixedText(double number, int decimals)
{
    return withThousandsApart(QString::number(number, 'f', decimals));
}

QString shareText(double part, double whole)
{
    if (!(whole > 0))
        return tr("unknown");
    const double percent = 100 * part / whole;
    return tr("%1 %").arg(percent >= 10 || percent == 0 ? QString::number(percent, 'f', 0)
                                                        : QString::number(percent, 'g', 2));
}

QString percentText(double share)
{
    return QString::fromStdString(formatPercent(share));
}

QString bytesText(std::int64_t bytes)
{
    return QString::fromStdString(formatBytes(bytes));
}

QString secondsText(double seconds)
{
    return QString::fromStdString(formatSeconds(seconds));
}

QString nanosecondsText(double nanoseconds)
{
    return secondsText(nanoseconds * 1e-9);
}

QString amountText(double amount)
{
    return QString::fromStdString(formatCount(amount));
}

} // namespace pipescope::widgets
