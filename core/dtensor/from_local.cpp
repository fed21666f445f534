#include "dtensor/dtensor.h"

#include "shard/geometry.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <ATen/Functions.h>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <limits>

namespace pipescope::dtensor {

namespace {

using shard::Layout;
using shard::Sizes;

// What a rank tells the others of its part.
struct Told
{
    std::int64_t dtype = 0;
    Sizes sizes;
    std::optional<Sizes> shape; // as it was given
};

constexpr std::size_t TellSizesAt =
    3; // after dtype, number of dimensions and number of those of the shape, -1 for none
constexpr std::size_t TellShapeAt = TellSizesAt + Layout::MaxDims;
constexpr std::size_t TellLength = TellShapeAt + Layout::MaxDims;

Error inconsistent(const std::string &what)
{
    return {ErrorCode::InvalidArgument,
            "Inconsistent tensor metadata (including shape and stride) across ranks. " + what,
            {},
            {}};
}

Result<std::vector<Told>> askAll(const RankContext &self, const shard::DeviceMesh &mesh, const Told &own)
{
    at::Tensor told = at::zeros({static_cast<std::int64_t>(TellLength)}, at::TensorOptions(at::kLong));
    auto *const numbers = told.mutable_data_ptr<std::int64_t>();
    numbers[0] = own.dtype;
    numbers[1] = static_cast<std::int64_t>(own.sizes.size());
    numbers[2] = own.shape ? static_cast<std::int64_t>(own.shape->size()) : -1;
    std::copy(own.sizes.begin(), own.sizes.end(), numbers + TellSizesAt);
    if (own.shape)
        std::copy(own.shape->begin(), own.shape->end(), numbers + TellShapeAt);
    const auto all = self.run(mesh.ranks(), allGather(told, 0));
    if (!all)
        return all.error();
    std::vector<Told> result;
    const auto *heard = all->const_data_ptr<std::int64_t>();
    for (int i = 0; i < mesh.size(); ++i, heard += TellLength) {
        Told one{heard[0], Sizes(heard + TellSizesAt, heard + TellSizesAt + heard[1]), {}};
        if (heard[2] >= 0)
            one.shape = Sizes(heard + TellShapeAt, heard + TellShapeAt + heard[2]);
        result.push_back(std::move(one));
    }
    return result;
}

Status checkAlike(const std::vector<Told> &told, const shard::DeviceMesh &mesh)
{
    const Told &first = told.front();
    for (std::size_t i = 1; i < told.size(); ++i) {
        const std::string ranks = fmt::format("ranks {} and {}", mesh.ranks()[0].value, mesh.ranks()[i].value);
        if (told[i].dtype != first.dtype)
            return inconsistent(fmt::format("The dtypes of {} differ.", ranks));
        if (told[i].sizes.size() != first.sizes.size())
            return inconsistent(fmt::format("The tensors of {} have {} and {} dimensions.", ranks, first.sizes.size(),
                                            told[i].sizes.size()));
        if (told[i].shape != first.shape)
            return inconsistent(fmt::format("The shapes that {} give differ.", ranks));
    }
    return Success{};
}

// Along the tensor dimension, the sizes that the ranks along its cuts have, where all other coordinates are 0.
Result<std::int64_t> madeUp(const std::vector<Told> &told, const shard::DeviceMesh &mesh,
                            const shard::Placements &placements, std::size_t dim)
{
    std::int64_t sum = 0;
    for (int i = 0; i < mesh.size(); ++i) {
        const shard::Coordinate here = mesh.coordinateAt(i);
        const auto counts = [&] {
            for (std::size_t meshDim = 0; meshDim < here.size(); ++meshDim) {
                const int *const cut = shard::shardDim(placements[meshDim]);
                if (here[meshDim] != 0 && (cut == nullptr || *cut != static_cast<int>(dim)))
                    return false;
            }
            return true;
        };
        if (!counts())
            continue;
        const std::int64_t size = told[static_cast<std::size_t>(i)].sizes[dim];
        if (size > std::numeric_limits<std::int64_t>::max() - sum)
            return Error{
                ErrorCode::InvalidArgument, "the local tensors make up more elements than can be counted", {}, {}};
        sum += size;
    }
    return sum;
}

// Whether each rank has what it must have of the shape.
Status checkParts(const std::vector<Told> &told, const Layout &layout)
{
    const std::vector<shard::LocalShard> shards = shard::localShards(layout);
    for (std::size_t dim = 0; dim < layout.shape().size(); ++dim) {
        Sizes expected;
        Sizes got;
        for (std::size_t i = 0; i < told.size(); ++i) {
            expected.push_back(shards[i].sizes[dim]);
            got.push_back(told[i].sizes[dim]);
        }
        if (expected == got)
            continue;
        const bool alike = std::equal(got.begin() + 1, got.end(), got.begin());
        return Error{
            ErrorCode::InvalidArgument,
            fmt::format("{}the local tensors do not make up a tensor of shape [{}] with placements {}: expected "
                        "{} on dim {}, got {}",
                        layout.cuts(static_cast<int>(dim)).empty() && !alike
                            ? "Non-sharded dimensions should have identical size across ranks. "
                            : "",
                        fmt::join(layout.shape(), ", "), shard::shortText(layout.placements()),
                        fmt::join(expected, ","), dim, fmt::join(got, ",")),
            {},
            {}};
    }
    return Success{};
}

Result<Layout> inferred(const RankContext &self, const Told &own, const Layout &rough)
{
    const shard::DeviceMesh &mesh = rough.mesh();
    const auto told = askAll(self, mesh, own);
    if (!told)
        return told.error();
    if (auto ok = checkAlike(*told, mesh); !ok)
        return ok.error();
    Sizes shape = own.shape.value_or(Sizes{});
    for (std::size_t dim = 0; !own.shape && dim < own.sizes.size(); ++dim) {
        const auto size = madeUp(*told, mesh, rough.placements(), dim);
        if (!size)
            return size.error();
        shape.push_back(*size);
    }
    auto layout = Layout::make({mesh, rough.placements(), std::move(shape), {}, {}, rough.dtype()});
    if (!layout)
        return layout.error();
    if (layout->shape().size() != own.sizes.size())
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("the local tensors have {} dimensions, the shape that is given has {}",
                                 own.sizes.size(), layout->shape().size()),
                     {},
                     {}};
    if (auto ok = checkParts(*told, *layout); !ok)
        return ok.error();
    return layout;
}

// As upstream does it: by the rank's own sizes, as if all were alike.
Result<Layout> guessed(const Told &own, const Layout &rough)
{
    Sizes shape = own.shape.value_or(own.sizes);
    return Layout::make({rough.mesh(), rough.placements(), std::move(shape), {}, {}, rough.dtype()});
}

} // namespace

Result<DTensor> fromLocal(const RankContext &self, const at::Tensor &local, const shard::DeviceMesh &mesh,
                          shard::Placements placements, std::optional<Sizes> shape)
{
    if (!local.defined())
        return Error{ErrorCode::InvalidArgument, "there is no local tensor", {}, {}};
    if (shape && shape->size() > Layout::MaxDims)
        return Error{ErrorCode::InvalidArgument,
                     fmt::format("a shape of {} dimensions; a tensor has at most {}", shape->size(), Layout::MaxDims),
                     {},
                     {}};
    if (placements.empty())
        placements.assign(static_cast<std::size_t>(mesh.ndim()), shard::Replicate{});
    // Of the local tensor's own sizes: checks the placements, and makes their dimensions positive.
    auto rough = Layout::make(
        {mesh, std::move(placements), local.sizes().vec(), {}, {}, tensor::dtypeName(local.scalar_type())});
    if (!rough)
        return rough.error();
    const Told own{static_cast<std::int64_t>(local.scalar_type()), local.sizes().vec(), std::move(shape)};
    auto layout = mesh.coordinate(self.rank) ? inferred(self, own, *rough) : guessed(own, *rough);
    if (!layout)
        return layout.error();
    return DTensor{*std::move(layout), mesh.coordinate(self.rank) ? local : at::empty({0}, local.options())};
}

} // namespace pipescope::dtensor
