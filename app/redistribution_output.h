// How a tensor gets from one layout to another, planned in both ways, as text for people and as JSON.
#pragma once

#include "base/result.h"
#include "shard/redistribution.h"
#include "terminal.h"

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace pipescope::app {

struct Redistributions
{
    shard::Layout from;
    shard::Layout to;
    shard::Redistribution upstream;
    shard::Redistribution cheapest;
};

/// Errors as shard::planRedistribution.
Result<Redistributions> planBoth(const shard::Layout &from, const shard::Layout &to, const shard::CostModel &costs);

/// "bandwidth=25, devices-per-host=8": the constants of the cost model that are not upstream's; "" for none. Error:
/// InvalidArgument with the column, for an unknown name or a number that cannot be one.
Result<shard::CostModel> parseCosts(std::string_view text);

/// Both plans with a table of steps each; only one where they are the same.
[[nodiscard]] std::string redistributionText(const Redistributions &plans, const Terminal &terminal);

/// `to` and `plans`.
void addRedistribution(nlohmann::json &object, const Redistributions &plans);

} // namespace pipescope::app
