#include "dtensor/dtensor.h"

#include "dtensor/step.h"
#include "shard/check_redistribution.h"
#include "shard/geometry.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <fmt/format.h>

namespace pipescope::dtensor {

namespace {

using shard::Layout;

shard::Placements replicated(const shard::DeviceMesh &mesh)
{
    return shard::Placements(static_cast<std::size_t>(mesh.ndim()), shard::Replicate{});
}

Result<Layout> layoutOf(const at::Tensor &tensor, const shard::DeviceMesh &mesh, shard::Placements placements)
{
    return Layout::make({mesh,
                         std::move(placements),
                         tensor.sizes().vec(),
                         {},
                         tensor.strides().vec(),
                         tensor::dtypeName(tensor.scalar_type())});
}

Status checkSource(const shard::DeviceMesh &mesh, const std::optional<int> &source)
{
    for (int dim = 0; source && dim < mesh.ndim(); ++dim) {
        if (*source < 0 || *source >= mesh.size(dim))
            return Error{ErrorCode::InvalidArgument,
                         fmt::format("there is no rank {} along mesh dimension {}, which has {}; src_data_rank is "
                                     "counted along each mesh dimension",
                                     *source, dim, mesh.size(dim)),
                         {},
                         {}};
    }
    return Success{};
}

// One mesh dimension after another, the tensor held as `layout` says after each.
class Distribution
{
public:
    Distribution(const RankContext &self, const Layout &to, std::optional<int> source)
        : m_self(self)
        , m_to(to)
        , m_source(source)
        , m_at(*to.mesh().coordinate(self.rank))
    {
    }

    Result<at::Tensor> run(at::Tensor local) const
    {
        shard::Placements done = replicated(m_to.mesh());
        auto before = with(done);
        for (int dim = 0; before && dim < m_to.mesh().ndim(); ++dim) {
            const auto index = static_cast<std::size_t>(dim);
            done[index] = m_to.placements()[index];
            auto after = with(done);
            if (!after)
                return after.error();
            auto result = handOut(dim, *before, *after, local);
            if (!result)
                return result.error();
            local = *std::move(result);
            before = std::move(after);
        }
        if (!before)
            return before.error();
        return local;
    }

private:
    Result<Layout> with(const shard::Placements &placements) const
    {
        return Layout::make({m_to.mesh(), placements, m_to.shape(), {}, m_to.stride(), m_to.dtype()});
    }

    Result<at::Tensor> handOut(int dim, const Layout &before, const Layout &after, const at::Tensor &local) const
    {
        const shard::Placement &placement = after.placements()[static_cast<std::size_t>(dim)];
        const bool cuts = shard::isSharded(placement);
        at::Tensor own = local;
        if (m_source) {
            auto given = give(dim, before, after, local);
            if (!given)
                return given.error();
            own = *std::move(given);
        } else if (cuts) {
            return doStep(m_self, {{dim}, shard::Collective::LocalChunk, before, after, {}, 0}, local);
        }
        if (!shard::isPartial(placement))
            return own;
        return doStep(m_self, {{dim}, shard::Collective::LocalPartial, before, after, {}, 0}, own);
    }

    Result<at::Tensor> give(int dim, const Layout &before, const Layout &after, const at::Tensor &local) const
    {
        const comm::Line line = m_to.mesh().line(m_at, std::vector<int>{dim});
        const RankId root = line[static_cast<std::size_t>(*m_source)];
        const std::vector<std::string> &names = m_to.mesh().names();
        CollectiveRequest request = broadcast(local, root);
        request.meshDims = names.empty() ? std::to_string(dim) : names[static_cast<std::size_t>(dim)];
        if (shard::isSharded(after.placements()[static_cast<std::size_t>(dim)])) {
            request.kind = CollectiveKind::Scatter;
            request.route = routeOf(before, after, line, m_self.rank);
        }
        return m_self.run(line, request);
    }

    const RankContext &m_self;
    const Layout &m_to;
    const std::optional<int> m_source;
    const shard::Coordinate m_at;
};

} // namespace

Result<DTensor> distributeTensor(const RankContext &self, const at::Tensor &tensor, const shard::DeviceMesh &mesh,
                                 shard::Placements placements, std::optional<int> source)
{
    if (!tensor.defined())
        return Error{ErrorCode::InvalidArgument, "there is no tensor to distribute", {}, {}};
    if (tensor.requires_grad() && !tensor.is_leaf())
        return Error{ErrorCode::InvalidArgument,
                     "`distribute_tensor` should be used to distribute leaf tensors! but found non-leaf tensor!",
                     {},
                     {}};
    auto whole = layoutOf(tensor, mesh, replicated(mesh));
    if (!whole)
        return whole.error();
    auto layout = placements.empty() ? whole : layoutOf(tensor, mesh, std::move(placements));
    if (!layout)
        return layout.error();
    if (auto ok = shard::checkRedistribution(*whole, *layout, shard::AskedBy::Operator); !ok)
        return ok.error();
    if (auto ok = checkSource(mesh, source); !ok)
        return ok.error();
    DTensor result{*std::move(layout), {}};
    return tensor::guardTorch(ErrorCode::ModelFailed, {}, [&]() -> Result<DTensor> {
        const at::NoGradGuard noGrad;
        if (!mesh.coordinate(self.rank)) {
            result.local = at::empty({0}, tensor.options());
        } else {
            auto local = Distribution(self, result.layout, source).run(tensor.detach());
            if (!local)
                return local.error();
            result.local = *std::move(local);
        }
        result.local.requires_grad_(tensor.requires_grad());
        return result;
    });
}

} // namespace pipescope::dtensor
