#include "base/text.h"
#include "redistribution_output.h"
#include "text_output.h"
#include "text_table.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pipescope::app {

namespace {

using Align = TextTable::Align;

constexpr double SecondsInMicrosecond = 1e-6;

std::string timeText(double microseconds)
{
    return formatSeconds(microseconds * SecondsInMicrosecond);
}

/// "dp, tp", or by number where the mesh has no names.
std::string meshDimsText(const shard::DeviceMesh &mesh, const std::vector<int> &meshDims)
{
    std::vector<std::string> texts;
    texts.reserve(meshDims.size());
    for (const int meshDim : meshDims)
        texts.push_back(mesh.names().empty() ? std::to_string(meshDim)
                                             : mesh.names()[static_cast<std::size_t>(meshDim)]);
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string stepsTable(const shard::Redistribution &plan)
{
    TextTable table({{"step", Align::Right},
                     {"collective"},
                     {"over"},
                     {"from"},
                     {"to"},
                     {"gives", Align::Right},
                     {"has then", Align::Right},
                     {"padded", Align::Right},
                     {"time", Align::Right}});
    for (std::size_t i = 0; i < plan.steps.size(); ++i) {
        const shard::Step &step = plan.steps[i];
        const bool moving = moves(step.collective);
        const bool isPadded = step.bytes.paddedIn != step.bytes.in || step.bytes.paddedOut != step.bytes.out;
        const auto bytes = [moving](std::int64_t count) { return moving ? formatBytes(count) : std::string(); };
        table.addRow(
            {std::to_string(i + 1), std::string(collectiveName(step.collective)),
             meshDimsText(step.before.mesh(), step.meshDims), step.before.text(), step.after.text(),
             bytes(step.bytes.in), bytes(step.bytes.out),
             moving && isPadded ? fmt::format("{} > {}", bytes(step.bytes.paddedIn), bytes(step.bytes.paddedOut)) : "",
             step.microseconds > 0 ? timeText(step.microseconds) : ""});
    }
    return table.toText();
}

std::string planText(const shard::Layout &from, const shard::Redistribution &plan)
{
    if (plan.steps.empty())
        return "nothing changes: every rank holds what it is to hold\n";
    const auto moving = std::count_if(plan.steps.begin(), plan.steps.end(),
                                      [](const shard::Step &step) { return moves(step.collective); });
    std::string text = traceText(from, plan) + '\n' + stepsTable(plan);
    text += fmt::format("total: {}, {}\n", counted(static_cast<std::size_t>(moving), "collective"),
                        timeText(plan.microseconds));
    if (!plan.note.empty())
        text += fmt::format("note: {}\n", plan.note);
    for (const std::string &warning : plan.warnings)
        text += fmt::format("PyTorch warns: {}\n", warning);
    return text;
}

} // namespace

Result<Redistributions> planBoth(const shard::Layout &from, const shard::Layout &to, const shard::CostModel &costs)
{
    auto upstream = shard::planRedistribution(from, to, shard::Planner::Upstream, costs);
    if (!upstream)
        return upstream.error();
    auto cheapest = shard::planRedistribution(from, to, shard::Planner::Cheapest, costs);
    if (!cheapest)
        return cheapest.error();
    return Redistributions{from, to, *std::move(upstream), *std::move(cheapest)};
}

std::string redistributionText(const Redistributions &plans, const Terminal &terminal)
{
    std::string text = bold(terminal, "to " + plans.to.specText()) + "\n\nas PyTorch plans: ";
    text += planText(plans.from, plans.upstream) + '\n';
    if (plans.upstream.steps == plans.cheapest.steps)
        return text + "the cheapest plan is the same\n";
    return text + "the cheapest plan: " + planText(plans.from, plans.cheapest);
}

} // namespace pipescope::app
