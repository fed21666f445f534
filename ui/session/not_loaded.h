// What a model that was only read cannot do, and why, in the words that every view says it with.
#pragma once

#include "partition/split_point.h"
#include "report/inspection.h"

#include <QString>
#include <memory>
#include <vector>

namespace pipescope::session {

/// "nolib::mix, nolib::add and 3 more"; empty where all are known.
[[nodiscard]] QString unknownOperators(const report::Inspection &model);

/// Whether PyTorch's own operators are among those: then another version of it wrote the file, and no library helps.
[[nodiscard]] bool needsOtherTorch(const report::Inspection &model);

/// Whether it was made for phones (ops/mobile.h): no library helps either.
[[nodiscard]] bool isForMobile(const report::Inspection &model);

/// Why it cannot be run, as a sentence that says what to do; empty for one that is loaded.
[[nodiscard]] QString whyNotRun(const report::Inspection &model);

/// Likewise why it cannot be split.
[[nodiscard]] QString whyNotSplit(const report::Inspection &model);

/// The places to split a model, as SplitTable takes them. Of one that was only read each is refused, with
/// whyNotSplit(). They live as long as what is given back.
[[nodiscard]] std::shared_ptr<const std::vector<partition::SplitPoint>>
splitPointsOf(const std::shared_ptr<const report::Inspection> &model);

} // namespace pipescope::session
