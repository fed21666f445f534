#include "session/last_run.h"

#include "partition/split_point.h"
#include "session/staging.h"

#include <string>
#include <vector>

namespace pipescope::session {

namespace {

bool isCutAlike(const plan::Plan &run, const Document &document)
{
    if (run.splits == document.plan().splits)
        return true;
    const auto model = document.model();
    if (!model)
        return false;
    if (model->structureOnly)
        return true; // where splits are in it cannot be told
    std::vector<std::string> dropped;
    const Result<std::vector<int>> cuts = partition::resolveSplits(model->graph, run.splits, &dropped);
    const auto staging = document.staging();
    return cuts && !staging->problem && *cuts == staging->partition.cuts;
}

} // namespace

Run lastRun(const RunController &controller, const Document &document)
{
    for (auto run = controller.runs().rbegin(); run != controller.runs().rend(); ++run)
        if ((*run)->plan.model == document.plan().model && isCutAlike((*run)->plan, document))
            return *run;
    return nullptr;
}

} // namespace pipescope::session
