#include "dtensor/collective_call.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pipescope::dtensor {

std::string_view kindName(CollectiveKind kind)
{
    switch (kind) {
    case CollectiveKind::AllGather:
        return "all_gather";
    case CollectiveKind::AllReduce:
        return "all_reduce";
    case CollectiveKind::ReduceScatter:
        return "reduce_scatter";
    case CollectiveKind::AllToAll:
        return "all_to_all";
    case CollectiveKind::Broadcast:
        return "broadcast";
    case CollectiveKind::Scatter:
        return "scatter";
    case CollectiveKind::Barrier:
        return "barrier";
    }
    return "collective";
}

bool operator==(const CollectiveCall &a, const CollectiveCall &b)
{
    if (a.kind != b.kind || a.op != b.op || a.dtype != b.dtype || a.device != b.device || a.cutDim != b.cutDim ||
        a.joinDim != b.joinDim || a.pieces != b.pieces || a.root != b.root || a.sizes.size() != b.sizes.size() ||
        a.route != b.route)
        return false;
    for (std::size_t i = 0; i < a.sizes.size(); ++i) {
        if (a.sizes[i] != b.sizes[i] && a.route.empty() && a.joinDim != static_cast<int>(i))
            return false;
    }
    return true;
}

std::string text(const CollectiveCall &call)
{
    std::string text(kindName(call.kind));
    if (call.op)
        text += fmt::format("({})", shard::reduceOpName(*call.op));
    if (call.kind == CollectiveKind::Barrier)
        return text;
    text += fmt::format(" of {}[{}]", call.dtype, fmt::join(call.sizes, ", "));
    if (call.device != "cpu")
        text += fmt::format(" on {}", call.device);
    if (call.joinDim && call.cutDim)
        text += fmt::format(" from dimension {} to dimension {}", *call.joinDim, *call.cutDim);
    else if (call.joinDim || call.cutDim)
        text += fmt::format(" along dimension {}", call.joinDim ? *call.joinDim : *call.cutDim);
    if (call.cutDim)
        text += fmt::format(" in pieces of {}", fmt::join(call.pieces, ", "));
    if (!call.route.empty())
        text += fmt::format(", {}", call.route);
    if (call.root.valid())
        text += fmt::format(" from rank {}", call.root.value);
    return text;
}

} // namespace pipescope::dtensor
