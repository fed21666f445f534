#include "plan/plan.h"

#include <cmath>
#include <fmt/format.h>
#include <set>

namespace pipescope::plan {

namespace {

constexpr int MostMicrobatches = 1'000'000;
constexpr int MostThreads = 4096;

Error refuse(const std::string &key, const std::string &why)
{
    return {ErrorCode::InvalidArgument, fmt::format("{}: {}", key, why), key, {}};
}

Status checkCount(const std::string &key, int value, int low, int high)
{
    if (value < low || value > high)
        return refuse(key, fmt::format("must be {} to {}, and is {}", low, high, value));
    return Success{};
}

Status checkTolerances(const Plan &plan)
{
    if (plan.rtol.has_value() != plan.atol.has_value())
        return refuse(plan.rtol ? "atol" : "rtol", "give rtol and atol both, or neither");
    for (const auto &[key, value] : {std::pair("rtol", plan.rtol), std::pair("atol", plan.atol)})
        if (value && (!std::isfinite(*value) || *value < 0))
            return refuse(key, "must be a number that is not negative");
    return Success{};
}

} // namespace

Status validatePlan(const Plan &plan)
{
    if (plan.model.empty())
        return refuse("model", "no model is named");
    if (plan.method.empty())
        return refuse("method", "no method is named");
    for (const auto &[key, value, low, high] :
         {std::tuple("microbatches", plan.microbatches, 1, MostMicrobatches),
          std::tuple("threadsPerRank", plan.threadsPerRank, 1, MostThreads),
          std::tuple("maxInFlight", plan.maxInFlight, 0, MostMicrobatches)})
        if (auto ok = checkCount(key, value, low, high); !ok)
            return ok;
    if (plan.devices.empty())
        return refuse("devices", "at least one device is needed");
    std::set<std::string> names;
    for (const auto &[name, spec] : plan.inputChunks)
        if (!names.insert(name).second)
            return refuse("inputChunks", fmt::format("'{}' is given twice", name));
    std::set<std::string> inputs;
    for (const InputSpec &input : plan.inputs)
        if (!input.name.empty() && !inputs.insert(input.name).second)
            return refuse("inputs", fmt::format("'{}' is given twice", input.name));
    return checkTolerances(plan);
}

} // namespace pipescope::plan
