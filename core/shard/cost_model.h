// The collectives that redistributions are made of, and what they cost: upstream's model of rings of equal links
// (torch.distributed.tensor._collective_utils, 2.15). It ranks plans; it does not predict times.
#pragma once

#include "base/result.h"
#include "shard/device_mesh.h"
#include "shard/dim_set.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace pipescope::shard {

enum class Collective {
    None,         ///< nothing moves and nothing is copied
    LocalChunk,   ///< every rank keeps its chunk of what it holds
    LocalPartial, ///< every rank makes its share of a Partial of what it holds
    AllGather,
    AllReduce,
    ReduceScatter,
    AllToAll,
    Broadcast,
    Scatter,
};

/// "all_gather", "all_reduce", ... : the names that CommDebugMode users know; "local_chunk", "local_partial", "none".
[[nodiscard]] std::string_view collectiveName(Collective collective);
/// Whether ranks exchange data in it.
[[nodiscard]] bool moves(Collective collective);

/// What a link costs; upstream's constants where none are given.
struct CostModel
{
    double bandwidth = 87.7;           ///< GiB/s along a mesh dimension within a host
    double interHostFactor = 0.22;     ///< of the bandwidth, along one that leaves the host
    double hopMicroseconds = 0.6;      ///< a hop within a host
    double interHostHop = 2.7;         ///< a hop between hosts, microseconds
    double baseMicroseconds = 6.6;     ///< before a collective moves anything
    double allToAllPenalty = 1.0;      ///< microseconds
    double zeroFillMicroseconds = 1.0; ///< to lay a shard in zeros of the full size; upstream gives none for it
    int devicesPerHost = 1;            ///< 1 for meshes of CPUs, as upstream has it

    friend bool operator==(const CostModel &, const CostModel &) = default;
};

/// InvalidArgument with the constant that is not finite, below 0, or 0 where it divides.
[[nodiscard]] Status checkCosts(const CostModel &costs);

/// The links of one mesh. A mesh dimension leaves the host where it and the dimensions to its right have more ranks
/// than a host has devices.
class LinkCosts
{
public:
    LinkCosts(const DeviceMesh &mesh, const CostModel &model);

    /// Ranks of a line along these dimensions.
    [[nodiscard]] int ranks(DimSet dims) const;
    /// Microseconds of one collective over lines along `dims`. `gib` is what one rank holds before, in GiB. A line over
    /// several dimensions is as slow as the slowest of them. 0 for what moves nothing, LocalPartial included.
    [[nodiscard]] double microseconds(Collective collective, DimSet dims, double gib) const;
    /// No collective takes less to hand a rank one GiB more.
    [[nodiscard]] double leastPerGib() const;
    /// No collective over any line of more than one rank takes less.
    [[nodiscard]] double least() const { return m_least; }

private:
    struct Link
    {
        int ranks = 1;
        double bandwidth = 0;
        double hop = 0;
    };
    [[nodiscard]] Link link(DimSet dims) const;

    CostModel m_model;
    std::vector<Link> m_links; ///< by mesh dimension
    double m_least = 0;
};

} // namespace pipescope::shard
