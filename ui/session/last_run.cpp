#include "session/last_run.h"

#include "session/staging.h"

namespace pipescope::session {

namespace {

bool cutAlike(const plan::Plan &one, const plan::Plan &other, const report::Inspection *model)
{
    if (one.splits == other.splits)
        return true;
    if (model == nullptr)
        return false;
    const Staging first = stagingOf(one, *model);
    const Staging second = stagingOf(other, *model);
    return !first.problem && !second.problem && first.partition.cuts == second.partition.cuts;
}

} // namespace

Run lastRun(const RunController &controller, const Document &document)
{
    const auto model = document.model();
    for (auto run = controller.runs().rbegin(); run != controller.runs().rend(); ++run)
        if ((*run)->plan.model == document.plan().model && cutAlike((*run)->plan, document.plan(), model.get()))
            return *run;
    return nullptr;
}

} // namespace pipescope::session
