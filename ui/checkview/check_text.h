// The answers to the two questions, in words.
#pragma once

#include "plan/stage_files.h"
#include "report/run_report.h"

#include <QString>

namespace pipescope::checkview {

/// How an answer is to be shown: its word gets the colour.
enum class Verdict { Unknown, Good, Bad };

struct Answer
{
    Verdict verdict = Verdict::Unknown;
    QString word;        ///< "yes (bitwise)", "no", "not asked"
    QString explanation; ///< a sentence or two; "" where the word says it all

    friend bool operator==(const Answer &, const Answer &) = default;
};

/// Is the split model the unsplit one?
[[nodiscard]] Answer equivalent(const report::RunReport &run);
/// May this batch be cut at all?
[[nodiscard]] Answer separable(const report::RunReport &run);

/// Are the stage files beside the plan as they were saved?
[[nodiscard]] Answer asSaved(const plan::StageFiles &files);

/// "unsplit 48.2 ms, pipeline 14.1 ms: 3.4 times as fast"; what is known of it, "" where nothing is.
[[nodiscard]] QString timesText(const report::RunReport &run);
/// "compared with the unsplit model on the same microbatches; tolerance rtol 1e-05, atol 1e-08"; "" without a check.
[[nodiscard]] QString basisText(const report::RunReport &run);

/// "bitwise", "within tolerance", "no".
[[nodiscard]] QString equalText(const report::Difference &difference);
/// "1.3e-06, 1e-05", the relative and the absolute one; "exact" where there is none, or both are 0.
[[nodiscard]] QString toleranceText(const report::OutputEquivalence &output);
/// "By output", and how many there are besides those in the table.
[[nodiscard]] QString outputsTitle(const report::Equivalence &equivalence);

/// "3.2e-05", with three significant digits; "infinite" where values cannot be compared.
[[nodiscard]] QString errorText(double error);

} // namespace pipescope::checkview
