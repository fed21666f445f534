#include "json_output.h"
#include "redistribution_output.h"

namespace pipescope::app {

namespace {

nlohmann::json stepJson(const shard::Step &step)
{
    return {{"collective", shard::collectiveName(step.collective)},
            {"mesh_dims", step.meshDims},
            {"from", step.before.text()},
            {"to", step.after.text()},
            {"bytes_in", step.bytes.in},
            {"bytes_out", step.bytes.out},
            {"padded_bytes_in", step.bytes.paddedIn},
            {"padded_bytes_out", step.bytes.paddedOut},
            {"microseconds", number(step.microseconds)}};
}

nlohmann::json planJson(const shard::Layout &from, const shard::Redistribution &plan, std::string_view planner)
{
    nlohmann::json steps = nlohmann::json::array();
    for (const shard::Step &step : plan.steps)
        steps.push_back(stepJson(step));
    return {{"planner", planner},
            {"trace", traceText(from, plan)},
            {"steps", std::move(steps)},
            {"microseconds", number(plan.microseconds)},
            {"note", textOrNull(plan.note)},
            {"warnings", plan.warnings}};
}

} // namespace

void addRedistribution(nlohmann::json &object, const Redistributions &plans)
{
    object["to"] = plans.to.text();
    object["plans"] = nlohmann::json::array(
        {planJson(plans.from, plans.upstream, "upstream"), planJson(plans.from, plans.cheapest, "cheapest")});
}

} // namespace pipescope::app
