#include "checkview/check_text.h"

#include <QCoreApplication>
#include <cmath>

namespace pipescope::checkview {

namespace {

QString tr(const char *text)
{
    return QCoreApplication::translate("pipescope::checkview", text);
}

} // namespace

QString errorText(double error)
{
    return std::isfinite(error) ? QString::number(error, 'g', 3) : tr("infinite");
}

Answer equivalent(const report::RunReport &run)
{
    if (!run.equivalence)
        return {Verdict::Unknown, tr("not asked"), {}};
    const report::Difference &overall = run.equivalence->overall;
    if (overall.bitwise)
        return {Verdict::Good, tr("yes (bitwise)"), {}};
    const QString sizes =
        tr("Largest difference %1, relative %2.").arg(errorText(overall.maxAbsError), errorText(overall.maxRelError));
    if (overall.equal)
        return {Verdict::Good, tr("yes (within tolerance)"), sizes};
    return {Verdict::Bad, tr("no"), sizes + ' ' + QString::fromStdString(run.equivalence->explanation)};
}

Answer separable(const report::RunReport &run)
{
    if (!run.separability)
        return {Verdict::Unknown, run.separabilityUnknown.empty() ? tr("not asked") : tr("not known"),
                QString::fromStdString(run.separabilityUnknown)};
    const report::Separability &separability = *run.separability;
    const QString sizes = tr("Largest difference from the whole batch %1; noise alone makes up to %2.")
                              .arg(errorText(separability.maxAbsError), errorText(separability.noiseFloor));
    if (separability.holds)
        return {Verdict::Good, tr("yes"), sizes};
    return {Verdict::Bad, tr("no"), QString::fromStdString(separability.explanation) + ". " + sizes};
}

} // namespace pipescope::checkview
