// What a run is called: the same words in the list of runs and in every view that shows what came out of one.
#pragma once

#include "session/run_controller.h"

#include <QString>

namespace pipescope::session {

struct RunName
{
    QString name;   ///< "Run 3"
    QString detail; ///< "Forward only ×8"; "forwards of GPipe ×8" where backwards were left out

    /// "Run 3 forwards of GPipe ×8"; empty for no run.
    [[nodiscard]] QString whole() const;
};

/// Of one of the controller's runs; empty for nullptr and any other.
[[nodiscard]] RunName runName(const RunController &controller, const report::TracedRun *run);

} // namespace pipescope::session
