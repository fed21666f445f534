// What of a plan is a line of text in the run's form: how it is written, and read back.
#pragma once

#include "plan/plan.h"

#include <QString>
#include <string>

namespace pipescope::runview {

/// One such line.
struct PlanLine
{
    /// "" for what the plan leaves open.
    QString (*text)(const plan::Plan &);
    /// Sets it, with no blanks around what was typed; the text reads back to the same. Error: InvalidArgument or
    /// Unsupported, with what was found and what would do; the plan is as it was.
    Status (*take)(plan::Plan &, const std::string &typed);
};

/// As the command line has them (plan/devices.h).
[[nodiscard]] PlanLine devicesLine();
/// "1e-5, 1e-8": relative, absolute.
[[nodiscard]] PlanLine tolerancesLine();
/// A chunk spec (microbatch/chunk_spec.h).
[[nodiscard]] PlanLine outputChunksLine();
[[nodiscard]] PlanLine seedLine();

} // namespace pipescope::runview
