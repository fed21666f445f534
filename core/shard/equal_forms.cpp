#include "shard/equal_forms.h"

#include "shard/geometry.h"

#include <algorithm>
#include <utility>

namespace pipescope::shard {

namespace {

// Layouts of more tensor dimensions with two forms each keep the rest as they are.
constexpr std::size_t MostForms = 8;

LayoutRequest requestOf(const Layout &layout)
{
    return {layout.mesh(), layout.placements(), layout.shape(), layout.order(), layout.stride(), layout.dtype()};
}

Placement &placementAt(LayoutRequest &request, int meshDim)
{
    return request.placements[static_cast<std::size_t>(meshDim)];
}

void dropOrder(LayoutRequest &request, int tensorDim)
{
    std::erase_if(request.order, [&](const ShardOrderEntry &entry) { return entry.tensorDim == tensorDim; });
}

bool hasStrides(const std::vector<Cut> &cuts, const Layout &layout)
{
    return std::any_of(cuts.begin(), cuts.end(), [&](const Cut &cut) {
        return std::holds_alternative<StridedShard>(layout.placements()[static_cast<std::size_t>(cut.meshDim)]);
    });
}

// A strided cut comes after those whose sizes multiply to its split factor. From the right, so that these are known.
std::optional<std::vector<int>> orderOf(const std::vector<Cut> &cuts, const DeviceMesh &mesh)
{
    std::vector<int> order;
    for (std::size_t i = cuts.size(); i > 0; --i) {
        const Cut &cut = cuts[i - 1];
        std::int64_t before = 1;
        std::size_t place = 0;
        while (before != cut.splitFactor && place < order.size())
            before *= mesh.size(order[place++]);
        if (before != cut.splitFactor)
            return std::nullopt;
        order.insert(order.begin() + static_cast<std::ptrdiff_t>(place), cut.meshDim);
    }
    return order;
}

// Whether the request could be changed to say the cuts of the tensor dimension as plain ones in an order.
bool sayAsOrder(LayoutRequest &request, const Layout &layout, int tensorDim)
{
    std::optional<std::vector<int>> order = orderOf(layout.cuts(tensorDim), layout.mesh());
    if (!order)
        return false;
    for (const int meshDim : *order)
        placementAt(request, meshDim) = Shard{tensorDim};
    dropOrder(request, tensorDim);
    request.order.push_back({tensorDim, std::move(*order)});
    return true;
}

// A cut's split factor counts the parts made before it by mesh dimensions to its right.
void sayAsStrided(LayoutRequest &request, const Layout &layout, int tensorDim)
{
    const std::vector<Cut> &cuts = layout.cuts(tensorDim);
    for (std::size_t i = 0; i < cuts.size(); ++i) {
        std::int64_t factor = 1;
        for (std::size_t before = 0; before < i; ++before)
            if (cuts[before].meshDim > cuts[i].meshDim)
                factor *= layout.mesh().size(cuts[before].meshDim);
        if (factor > 1)
            placementAt(request, cuts[i].meshDim) = StridedShard{tensorDim, factor};
    }
    dropOrder(request, tensorDim);
}

bool hasOrder(const Layout &layout, int tensorDim)
{
    return std::any_of(layout.order().begin(), layout.order().end(),
                       [&](const ShardOrderEntry &entry) { return entry.tensorDim == tensorDim; });
}

// Where every cut is even, the forms hold the same.
bool dividesEvenly(const Layout &layout, int tensorDim)
{
    std::int64_t parts = 1; // no more than the mesh has ranks
    for (const Cut &cut : layout.cuts(tensorDim))
        parts *= layout.mesh().size(cut.meshDim);
    return layout.shape()[static_cast<std::size_t>(tensorDim)] % parts == 0;
}

// The layout with one tensor dimension written the other way, where there is one and it holds the same.
std::optional<Layout> otherForm(const Layout &layout, int tensorDim)
{
    LayoutRequest request = requestOf(layout);
    if (hasStrides(layout.cuts(tensorDim), layout)) {
        if (!sayAsOrder(request, layout, tensorDim))
            return std::nullopt;
    } else if (hasOrder(layout, tensorDim)) {
        sayAsStrided(request, layout, tensorDim);
    } else {
        return std::nullopt;
    }
    Result<Layout> other = Layout::make(std::move(request));
    if (!other || !(dividesEvenly(layout, tensorDim) || holdTheSame(layout, *other)))
        return std::nullopt;
    return *std::move(other);
}

} // namespace

std::optional<Layout> asOrder(const Layout &layout)
{
    LayoutRequest request = requestOf(layout);
    for (int dim = 0; dim < layout.ndim(); ++dim)
        if (hasStrides(layout.cuts(dim), layout) && !sayAsOrder(request, layout, dim))
            return std::nullopt;
    Result<Layout> made = Layout::make(std::move(request));
    if (!made)
        return std::nullopt;
    return *std::move(made);
}

std::vector<Layout> equalForms(const Layout &layout)
{
    std::vector<Layout> forms{layout};
    for (int dim = 0; dim < layout.ndim(); ++dim) {
        if (layout.cuts(dim).empty())
            continue;
        const std::size_t before = forms.size();
        for (std::size_t i = 0; i < before && forms.size() < MostForms; ++i)
            if (std::optional<Layout> other = otherForm(forms[i], dim))
                forms.push_back(*std::move(other));
    }
    return forms;
}

} // namespace pipescope::shard
