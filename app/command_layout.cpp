#include "command_layout.h"

#include "layout_output.h"
#include "redistribution_output.h"
#include "shard/layout_text.h"
#include "shard/parse_order.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pipescope::app {

namespace {

struct LayoutOptions
{
    std::string shape;
    std::string mesh;
    std::string placements;
    std::vector<std::string> orders;
    std::string dtype = "float32";
    std::string axes;
    bool all = false;
    std::string to;
    std::vector<std::string> toOrders;
    std::string costs;
};

/// The value, or the error with the option that it is about.
template <class T>
Result<T> ofOption(Result<T> result, std::string_view option)
{
    if (result)
        return result;
    Error error = result.error();
    error.where = option;
    return error;
}

Result<shard::ShardOrder> readOrder(const std::vector<std::string> &texts, const shard::DeviceMesh &mesh,
                                    std::string_view option)
{
    shard::ShardOrder order;
    for (const std::string &text : texts) {
        const auto entries = ofOption(shard::parseShardOrder(text, mesh), option);
        if (!entries)
            return entries.error();
        order.insert(order.end(), entries->begin(), entries->end());
    }
    return order;
}

Result<shard::Layout> readLayout(const LayoutOptions &options)
{
    auto shape = ofOption(shard::parseShape(options.shape), "SHAPE");
    if (!shape)
        return shape.error();
    auto mesh = ofOption(shard::parseMesh(options.mesh), "--mesh");
    if (!mesh)
        return mesh.error();
    auto placements = ofOption(shard::parsePlacements(options.placements), "--place");
    if (!placements)
        return placements.error();
    auto order = readOrder(options.orders, *mesh, "--order");
    if (!order)
        return order.error();
    return shard::Layout::make(
        {*std::move(mesh), *std::move(placements), *std::move(shape), *std::move(order), {}, options.dtype});
}

/// The same tensor as --to places it.
Result<shard::Layout> readTarget(const LayoutOptions &options, const shard::Layout &from)
{
    auto placements = ofOption(shard::parsePlacements(options.to), "--to");
    if (!placements)
        return placements.error();
    auto order = readOrder(options.toOrders, from.mesh(), "--to-order");
    if (!order)
        return order.error();
    return ofOption(shard::Layout::make({from.mesh(), *std::move(placements), from.shape(), *std::move(order),
                                         from.stride(), from.dtype()}),
                    "--to");
}

/// nullopt where no target was given.
Result<std::optional<Redistributions>> redistributions(const LayoutOptions &options, const shard::Layout &from)
{
    if (options.to.empty())
        return std::optional<Redistributions>();
    const Result<shard::Layout> to = readTarget(options, from);
    if (!to)
        return to.error();
    const auto costs = ofOption(parseCosts(options.costs), "--costs");
    if (!costs)
        return costs.error();
    auto plans = ofOption(planBoth(from, *to, *costs), "--to");
    if (!plans)
        return plans.error();
    return std::optional(*std::move(plans));
}

int layout(const LayoutOptions &options, Session &session)
{
    const Result<shard::Layout> made = readLayout(options);
    if (!made)
        return session.fail(made.error());
    PictureAxes axes;
    if (!options.axes.empty()) {
        const auto read = ofOption(parseAxes(options.axes, made->ndim()), "--axes");
        if (!read)
            return session.fail(read.error());
        axes = *read;
    }
    const auto plans = redistributions(options, *made);
    if (!plans)
        return session.fail(plans.error());
    const Detail detail = options.all ? Detail::All : Detail::Short;
    if (session.json()) {
        nlohmann::json object = toJson(*made, detail);
        if (*plans)
            addRedistribution(object, **plans);
        return session.printJson(object);
    }
    std::string text = layoutText(*made, axes, detail, session.terminal());
    if (*plans)
        text += '\n' + redistributionText(**plans, session.terminal());
    return session.printText(text);
}

void addTargetOptions(CLI::App &command, LayoutOptions &options)
{
    CLI::Option *to = command.add_option("--to", options.to, "Also show the steps to another layout: R,S0");
    to->type_name("LIST");
    command.add_option("--to-order", options.toOrders, "Of --to, as --order")
        ->type_name("DIM:LIST")
        ->allow_extra_args(false)
        ->needs(to);
    command
        .add_option("--costs", options.costs,
                    "Constants of the cost model in place of PyTorch's: bandwidth=25,devices-per-host=8")
        ->type_name("LIST")
        ->needs(to);
}

} // namespace

void addLayoutCommand(CLI::App &app, Session &session)
{
    CLI::App &command = *app.add_subcommand("layout", "Show which rank holds what of a sharded tensor");
    const auto options = std::make_shared<LayoutOptions>();
    command.add_option("SHAPE", options->shape, "The tensor's sizes, like 8,4")->required();
    command.add_option("--mesh", options->mesh, "The ranks: 2,4, or with names dp=2,tp=4")
        ->type_name("SIZES")
        ->required();
    command
        .add_option("--place", options->placements,
                    "One placement for each mesh dimension: R, S0, S-1, P, P(avg), SS(0,2)")
        ->type_name("LIST")
        ->required();
    command
        .add_option("--order", options->orders,
                    "The mesh dimensions that cut a tensor dimension, the first cut first, where that is not from the "
                    "left: 0:1,0 or 0:tp,dp; repeated")
        ->type_name("DIM:LIST")
        ->allow_extra_args(false);
    command.add_option("--dtype", options->dtype, "Of the elements (float32)")->type_name("NAME");
    command.add_option("--axes", options->axes, "One or two dimensions to draw, the others at index 0: 0,2")
        ->type_name("DIMS");
    command.add_flag("--all", options->all, "List all ranks, and draw more of a large tensor");
    addTargetOptions(command, *options);
    session.addOptions(command);
    command.callback(
        [options, &session] { session.choose([options, &session] { return layout(*options, session); }); });
}

} // namespace pipescope::app
