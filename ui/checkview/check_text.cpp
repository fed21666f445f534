#include "checkview/check_text.h"

#include "checkview/translate.h"
#include "widgets/number_text.h"

#include <QStringList>
#include <cmath>

namespace pipescope::checkview {

namespace {

/// Which output and column it is, where there are several.
QString placeText(const report::Separability &separability)
{
    QStringList places;
    if (!separability.holds && separability.output != "output")
        places << QString::fromStdString(separability.output);
    if (!separability.holds)
        places << QString::fromStdString(separability.part);
    places.removeAll(QString());
    return places.isEmpty() ? QString() : tr(" (%1)").arg(places.join(tr(", ")));
}

} // namespace

QString errorText(double error)
{
    return std::isfinite(error) ? widgets::numberText(error) : tr("infinite");
}

QString equalText(const report::Difference &difference)
{
    if (difference.bitwise)
        return tr("bitwise");
    return difference.equal ? tr("within tolerance") : tr("no");
}

QString toleranceText(const report::OutputEquivalence &output)
{
    const double relative = output.rtol.value_or(0);
    const double absolute = output.atol.value_or(0);
    if (relative == 0 && absolute == 0)
        return tr("exact");
    return QStringLiteral("%1, %2").arg(errorText(relative), errorText(absolute));
}

QString outputsTitle(const report::Equivalence &equivalence)
{
    if (equivalence.moreOutputs == 0)
        return tr("By output");
    return tr("By output; %1 more are not listed").arg(equivalence.moreOutputs);
}

QString timesText(const report::RunReport &run)
{
    const double pipeline = run.stats.makespanSeconds;
    if (!(pipeline > 0))
        return {};
    if (!run.unsplitSeconds)
        return tr("The pipeline took %1.").arg(widgets::secondsText(pipeline));
    const double times = *run.unsplitSeconds / pipeline;
    return tr("The unsplit model took %1, the pipeline %2: %3 times as fast.")
        .arg(widgets::secondsText(*run.unsplitSeconds), widgets::secondsText(pipeline), QString::number(times, 'f', 2));
}

QString basisText(const report::RunReport &run)
{
    if (!run.equivalence)
        return {};
    const QString tolerance =
        run.plan.rtol && run.plan.atol
            ? tr("Tolerance: relative %1, absolute %2.").arg(errorText(*run.plan.rtol), errorText(*run.plan.atol))
            : tr("Tolerance: none, every bit counts.");
    const QString reference = QString::fromStdString(run.equivalence->reference);
    return reference.isEmpty() ? tolerance : tr("Compared with %1. %2").arg(reference, tolerance);
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

Answer asSaved(const plan::StageFiles &files)
{
    using Found = plan::StageFiles::Answer;
    if (files.answer == Found::AsWritten)
        return {Verdict::Good,
                files.files.size() == 1 ? tr("yes (1 file)") : tr("yes (%1 files)").arg(files.files.size()),
                {}};
    const QString why = QString::fromStdString(files.explanation);
    return files.answer == Found::Changed ? Answer{Verdict::Bad, tr("no"), why}
                                          : Answer{Verdict::Unknown, tr("not looked at"), why};
}

Answer separable(const report::RunReport &run)
{
    if (!run.separability)
        return {Verdict::Unknown, run.separabilityUnknown.empty() ? tr("not asked") : tr("not known"),
                QString::fromStdString(run.separabilityUnknown)};
    const report::Separability &separability = *run.separability;
    const QString explanation = QString::fromStdString(separability.explanation);
    // Outputs that cannot be joined differ by no number.
    if (!separability.holds && !std::isfinite(separability.maxAbsError))
        return {Verdict::Bad, tr("no"), explanation + placeText(separability) + '.'};
    if (separability.holds && separability.bitwise)
        return {Verdict::Good, tr("yes (bitwise)"), {}};
    const QString sizes = tr("Largest difference from the whole batch %1%2, in relative L2 %3; noise alone makes %4.")
                              .arg(errorText(separability.maxAbsError), placeText(separability),
                                   errorText(separability.relL2), errorText(separability.noiseFloor));
    if (separability.holds)
        return {Verdict::Good, tr("yes"), sizes};
    return {Verdict::Bad, tr("no"), explanation + ". " + sizes};
}

} // namespace pipescope::checkview
