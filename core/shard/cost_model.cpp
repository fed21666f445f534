#include "shard/cost_model.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace pipescope::shard {

namespace {

constexpr double MicrosecondsPerSecond = 1e6;

} // namespace

std::string_view collectiveName(Collective collective)
{
    switch (collective) {
    case Collective::None:
        return "none";
    case Collective::LocalChunk:
        return "local_chunk";
    case Collective::LocalPartial:
        return "local_partial";
    case Collective::AllGather:
        return "all_gather";
    case Collective::AllReduce:
        return "all_reduce";
    case Collective::ReduceScatter:
        return "reduce_scatter";
    case Collective::AllToAll:
        return "all_to_all";
    case Collective::Broadcast:
        return "broadcast";
    case Collective::Scatter:
        return "scatter";
    }
    return "none";
}

bool moves(Collective collective)
{
    return collective != Collective::None && collective != Collective::LocalChunk &&
           collective != Collective::LocalPartial;
}

Status checkCosts(const CostModel &costs)
{
    struct Constant
    {
        const char *name;
        double value;
        double least;
    };
    // A bandwidth divides: nothing smaller than this is one.
    constexpr double LeastBandwidth = 1e-9;
    const Constant constants[] = {
        {"the bandwidth", costs.bandwidth, LeastBandwidth},
        {"the inter-host factor", costs.interHostFactor, LeastBandwidth},
        {"a hop", costs.hopMicroseconds, 0},
        {"a hop between hosts", costs.interHostHop, 0},
        {"the base", costs.baseMicroseconds, 0},
        {"the all-to-all penalty", costs.allToAllPenalty, 0},
        {"filling with zeros", costs.zeroFillMicroseconds, 0},
        {"the number of devices per host", static_cast<double>(costs.devicesPerHost), 1},
    };
    for (const Constant &constant : constants)
        if (!std::isfinite(constant.value) || constant.value < constant.least)
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("{} of the cost model is {}; give a finite number of at least {}", constant.name,
                                     constant.value, constant.least),
                         {},
                         {}};
    return Success{};
}

LinkCosts::LinkCosts(const DeviceMesh &mesh, const CostModel &model)
    : m_model(model)
    , m_links(static_cast<std::size_t>(mesh.ndim()))
{
    std::int64_t inner = 1;
    for (int dim = mesh.ndim() - 1; dim >= 0; --dim) {
        inner *= mesh.size(dim);
        const bool leaves = inner > model.devicesPerHost;
        m_links[static_cast<std::size_t>(dim)] = {mesh.size(dim),
                                                  leaves ? model.bandwidth * model.interHostFactor : model.bandwidth,
                                                  leaves ? model.interHostHop : model.hopMicroseconds};
        if (const Link &link = m_links[static_cast<std::size_t>(dim)]; link.ranks > 1) {
            const double least = model.baseMicroseconds + (link.ranks - 1) * link.hop;
            m_least = m_least == 0 ? least : std::min(m_least, least);
        }
    }
}

LinkCosts::Link LinkCosts::link(DimSet dims) const
{
    Link result = m_links[static_cast<std::size_t>(std::countr_zero(dims))];
    for (dims &= dims - 1; dims != 0; dims &= dims - 1) {
        const Link &other = m_links[static_cast<std::size_t>(std::countr_zero(dims))];
        result.ranks *= other.ranks;
        result.bandwidth = std::min(result.bandwidth, other.bandwidth);
        result.hop = std::max(result.hop, other.hop);
    }
    return result;
}

int LinkCosts::ranks(DimSet dims) const
{
    return dims == 0 ? 1 : link(dims).ranks;
}

double LinkCosts::leastPerGib() const
{
    double fastest = 0;
    for (const Link &link : m_links)
        fastest = std::max(fastest, link.bandwidth);
    return MicrosecondsPerSecond / fastest;
}

double LinkCosts::microseconds(Collective collective, DimSet dims, double gib) const
{
    if (!moves(collective) || dims == 0)
        return 0;
    const Link line = link(dims);
    const double hops = (collective == Collective::AllReduce ? 2 : 1) * (line.ranks - 1);
    // An all-gather is priced by what it gives, the others by what they take.
    const double moved = collective == Collective::AllGather ? gib * line.ranks : gib;
    const double latency = m_model.baseMicroseconds + hops * line.hop;
    const double transfer = moved * hops / line.ranks / line.bandwidth * MicrosecondsPerSecond;
    return latency + transfer + (collective == Collective::AllToAll ? m_model.allToAllPenalty : 0);
}

} // namespace pipescope::shard
