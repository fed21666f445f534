// Who holds what, seen from the whole tensor.
#include "base/error.h"
#include "shard/geometry.h"
#include "shard/remaining_cuts.h"

#include <algorithm>

namespace pipescope::shard {

namespace {

/// Sets owner[meshDim] for the mesh dimensions that cut, and returns how many indices from `index` on have this owner.
std::int64_t ownerFrom(const RemainingCuts &remaining, std::int64_t index, std::span<int> owner)
{
    if (!remaining.any())
        return remaining.length() - index;
    const DimCut cut = remaining.next();
    const PartPosition held = cut.part(index);
    owner[static_cast<std::size_t>(remaining.meshDim())] = held.part;
    return std::min(cut.runFrom(held.part, held.position),
                    ownerFrom(remaining.within(cut.size(held.part)), held.position, owner));
}

/// The mesh dimensions with several ranks that cut the tensor dimension.
std::vector<int> severalRanks(const Layout &layout, int tensorDim)
{
    std::vector<int> meshDims;
    for (const Cut &cut : layout.cuts(tensorDim)) {
        if (layout.mesh().size(cut.meshDim) > 1)
            meshDims.push_back(cut.meshDim);
    }
    std::sort(meshDims.begin(), meshDims.end());
    return meshDims;
}

/// Band by band. One of the two has plain cuts only, and with them no more bands than there are ranks; where the other
/// has more, the owners differ soon.
bool haveSameBands(const RemainingCuts &a, const RemainingCuts &b, std::size_t meshDims)
{
    std::vector<int> ownerInA(meshDims, 0);
    std::vector<int> ownerInB(meshDims, 0);
    for (std::int64_t index = 0; index < a.length();) {
        const std::int64_t inA = ownerFrom(a, index, ownerInA);
        const std::int64_t inB = ownerFrom(b, index, ownerInB);
        if (ownerInA != ownerInB)
            return false;
        index += std::min(inA, inB);
    }
    return true;
}

RemainingCuts withoutSingleRanks(RemainingCuts remaining)
{
    while (remaining.any() && remaining.parts() == 1)
        remaining = remaining.within(remaining.length());
    return remaining;
}

/// Of two that cut the same length with the same mesh dimensions.
bool haveSameOwners(RemainingCuts a, RemainingCuts b, std::size_t meshDims)
{
    a = withoutSingleRanks(a);
    b = withoutSingleRanks(b);
    if (a.length() == 0 || !a.any())
        return true;
    if (a.meshDim() != b.meshDim())
        return haveSameBands(a, b, meshDims); // an order: split factors keep to the left
    const DimCut cut = a.next();
    if (cut != b.next())
        return false; // of several parts, two different cuts never give every rank the same
    std::int64_t last = -1;
    for (int part = 0; part < a.parts(); ++part) {
        const std::int64_t size = cut.size(part);
        if (size != last && !haveSameOwners(a.within(size), b.within(size), meshDims))
            return false;
        last = size;
    }
    return true;
}

bool sameAlong(const Layout &a, const Layout &b, int tensorDim)
{
    const RemainingCuts cutsOfA(a, tensorDim);
    if (cutsOfA.length() == 0 || a.cuts(tensorDim) == b.cuts(tensorDim))
        return true;
    // One that does not cut gives its ranks the same, one that cuts does not.
    return severalRanks(a, tensorDim) == severalRanks(b, tensorDim) &&
           haveSameOwners(cutsOfA, RemainingCuts(b, tensorDim), a.placements().size());
}

} // namespace

std::vector<RankId> holders(const Layout &layout, std::span<const std::int64_t> element)
{
    PIPESCOPE_ASSERT(element.size() == layout.shape().size());
    Coordinate owner(layout.placements().size(), 0);
    for (int dim = 0; dim < layout.ndim(); ++dim)
        ownerFrom(RemainingCuts(layout, dim), element[static_cast<std::size_t>(dim)], owner);
    std::vector<int> others;
    for (int meshDim = 0; meshDim < layout.mesh().ndim(); ++meshDim) {
        if (!isSharded(layout.placements()[static_cast<std::size_t>(meshDim)]))
            others.push_back(meshDim);
    }
    return layout.mesh().line(owner, others);
}

std::vector<Band> bands(const Layout &layout, int tensorDim, std::int64_t from, std::size_t most)
{
    const RemainingCuts cuts(layout, tensorDim);
    std::vector<int> owner(layout.placements().size(), 0);
    std::vector<Band> found;
    while (from < cuts.length() && found.size() < most) {
        const std::int64_t length = ownerFrom(cuts, from, owner);
        Band &band = found.emplace_back();
        band.range = {from, from + length};
        for (const Cut &cut : layout.cuts(tensorDim))
            band.parts.push_back(owner[static_cast<std::size_t>(cut.meshDim)]);
        from += length;
    }
    return found;
}

bool holdTheSame(const Layout &a, const Layout &b)
{
    if (a.mesh() != b.mesh() || a.shape() != b.shape() || a.dtype() != b.dtype())
        return false;
    for (std::size_t meshDim = 0; meshDim < a.placements().size(); ++meshDim) {
        const Placement &inA = a.placements()[meshDim];
        const Placement &inB = b.placements()[meshDim];
        if (a.mesh().shape()[meshDim] > 1 && (isPartial(inA) || isPartial(inB)) && inA != inB)
            return false;
    }
    for (int dim = 0; dim < a.ndim(); ++dim) {
        if (!sameAlong(a, b, dim))
            return false;
    }
    return true;
}

} // namespace pipescope::shard
