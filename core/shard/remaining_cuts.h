// A walk along the cuts of a tensor dimension, from the first on: each cuts what the part of the one before it left.
// Private to shard/.
#pragma once

#include "shard/dim_cut.h"
#include "shard/layout.h"

#include <cstdint>
#include <span>

namespace pipescope::shard {

class RemainingCuts
{
public:
    RemainingCuts(const Layout &layout, int tensorDim)
        : m_mesh(&layout.mesh())
        , m_cuts(layout.cuts(tensorDim))
        , m_length(layout.shape()[static_cast<std::size_t>(tensorDim)])
    {
    }

    [[nodiscard]] bool any() const { return !m_cuts.empty(); }
    /// What is left to cut.
    [[nodiscard]] std::int64_t length() const { return m_length; }

    /// Of the next cut.
    [[nodiscard]] int meshDim() const { return m_cuts.front().meshDim; }
    [[nodiscard]] int parts() const { return m_mesh->size(meshDim()); }
    [[nodiscard]] int partAt(std::span<const int> coordinate) const
    {
        return coordinate[static_cast<std::size_t>(meshDim())];
    }
    [[nodiscard]] DimCut next() const { return {m_length, parts(), m_cuts.front().splitFactor}; }
    /// What remains after the next cut, of a part that has this size.
    [[nodiscard]] RemainingCuts within(std::int64_t size) const
    {
        RemainingCuts rest = *this;
        rest.m_cuts = m_cuts.subspan(1);
        rest.m_length = size;
        return rest;
    }

private:
    const DeviceMesh *m_mesh;
    std::span<const Cut> m_cuts;
    std::int64_t m_length;
};

} // namespace pipescope::shard
