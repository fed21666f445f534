#include "session/last_run.h"

#include "partition/split_point.h"
#include "session/run_model.h"
#include "session/staging.h"

#include <cstddef>
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

/// All of a plan that what is measured depends on, but for the splits, which have several words.
plan::Plan withoutWords(plan::Plan plan)
{
    plan.splits.clear();
    plan.modelSha256.clear(); // of the file that the plan was made for: the one that was run is asked for itself
    plan.rtol.reset();
    plan.atol.reset();
    return plan;
}

} // namespace

Run lastRun(const RunController &controller, const Document &document)
{
    const plan::Plan now = withoutWords(document.plan());
    for (std::size_t i = controller.runs().size(); i-- > 0;) {
        const Run &run = controller.runs()[i];
        const BegunRun &begun = controller.begunRuns()[i]; // what the engine filled in is not in the plan
        const std::string &sha256 = run->plan.modelSha256.empty() ? begun.sha256 : run->plan.modelSha256;
        if (withoutWords(begun.plan) == now && isOfModel(begun.plan, sha256, document) &&
            isCutAlike(run->plan, document))
            return run;
    }
    return nullptr;
}

} // namespace pipescope::session
