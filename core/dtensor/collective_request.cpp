#include "dtensor/collective_request.h"

#include "shard/dim_cut.h"
#include "tensor/ivalue_tree.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pipescope::dtensor {

namespace {

using shard::ReduceOp;

Error refuse(const CollectiveRequest &request, const std::string &why, ErrorCode code = ErrorCode::InvalidArgument)
{
    return {code, fmt::format("{}: {}", kindName(request.kind), why), {}, {}};
}

CollectiveRequest make(CollectiveKind kind, at::Tensor tensor)
{
    CollectiveRequest request;
    request.kind = kind;
    request.tensor = std::move(tensor);
    return request;
}

Status checkTensor(const CollectiveRequest &request)
{
    const at::Tensor &tensor = request.tensor;
    if (!tensor.defined())
        return refuse(request, "there is no tensor; give one on every rank");
    if (tensor.layout() != at::kStrided || tensor.is_quantized() || tensor.is_nested())
        return refuse(request, "the tensor is not dense; convert it before, with to_dense() or dequantize()",
                      ErrorCode::Unsupported);
    if (!tensor.is_cpu() && !tensor.is_meta())
        return refuse(
            request,
            fmt::format("the tensor is on {}; only tensors on the CPU are exchanged here", tensor.device().str()),
            ErrorCode::Unsupported);
    return Success{};
}

Status checkOp(const CollectiveRequest &request)
{
    if (!request.op)
        return Success{};
    const at::ScalarType type = request.tensor.scalar_type();
    const std::string dtype = tensor::dtypeName(type);
    if (*request.op == ReduceOp::Avg && !at::isFloatingType(type) && !at::isComplexType(type))
        return refuse(request,
                      fmt::format("the average of {} tensors need not be of that type; reduce with sum and divide, or "
                                  "convert the tensor to a floating type before",
                                  dtype),
                      ErrorCode::Unsupported);
    if ((*request.op == ReduceOp::Max || *request.op == ReduceOp::Min) && at::isComplexType(type))
        return refuse(request,
                      fmt::format("{} tensors have no {}: complex numbers have no order; reduce the real part, the "
                                  "imaginary part or the magnitude",
                                  dtype, shard::reduceOpName(*request.op)),
                      ErrorCode::Unsupported);
    return Success{};
}

// In upstream's words.
Result<std::optional<int>> wrapDim(const CollectiveRequest &request, const std::optional<std::int64_t> &dim)
{
    if (!dim)
        return std::optional<int>();
    const std::int64_t ndim = request.tensor.dim();
    if (ndim == 0)
        return refuse(request, "a tensor of no dimensions cannot be cut or joined along one");
    if (*dim < -ndim || *dim >= ndim)
        return refuse(request, fmt::format("Dimension out of range (expected to be in range of [{}, {}], but got {})",
                                           -ndim, ndim - 1, *dim));
    return std::optional(static_cast<int>(*dim < 0 ? *dim + ndim : *dim));
}

Result<shard::Sizes> piecesOf(const CollectiveRequest &request, std::int64_t size, std::size_t ranks)
{
    if (!request.pieces)
        return chunkSizes(size, ranks);
    const shard::Sizes &pieces = *request.pieces;
    if (pieces.size() != ranks)
        return refuse(request, fmt::format("{} pieces for {} ranks; give one size per rank", pieces.size(), ranks));
    std::int64_t left = size;
    for (const std::int64_t piece : pieces) {
        if (piece < 0 || piece > left)
            return refuse(request,
                          fmt::format("pieces of {} do not make up {} elements", fmt::join(pieces, ", "), size));
        left -= piece;
    }
    if (left != 0)
        return refuse(request, fmt::format("pieces of {} do not make up {} elements; {} are left over",
                                           fmt::join(pieces, ", "), size, left));
    return pieces;
}

Status fillDims(const CollectiveRequest &request, const comm::Line &line, CollectiveCall &call)
{
    if (request.route) {
        if (request.route->from.size() != line.size())
            return refuse(
                request, fmt::format("a route from {} ranks on a line of {}", request.route->from.size(), line.size()));
        call.route = request.route->text;
        return Success{};
    }
    const auto cut = wrapDim(request, request.cutDim);
    if (!cut)
        return cut.error();
    const auto join = wrapDim(request, request.joinDim);
    if (!join)
        return join.error();
    call.cutDim = *cut;
    call.joinDim = *join;
    if (call.cutDim && call.cutDim == call.joinDim)
        return refuse(request, fmt::format("both dimensions are dimension {}; give two", *call.cutDim));
    if (!call.cutDim)
        return Success{};
    auto pieces = piecesOf(request, call.sizes[static_cast<std::size_t>(*call.cutDim)], line.size());
    if (!pieces)
        return pieces.error();
    call.pieces = *std::move(pieces);
    return Success{};
}

} // namespace

CollectiveRequest allGather(at::Tensor tensor, std::int64_t dim)
{
    CollectiveRequest request = make(CollectiveKind::AllGather, std::move(tensor));
    request.joinDim = dim;
    return request;
}

CollectiveRequest allReduce(at::Tensor tensor, ReduceOp op)
{
    CollectiveRequest request = make(CollectiveKind::AllReduce, std::move(tensor));
    request.op = op;
    return request;
}

CollectiveRequest reduceScatter(at::Tensor tensor, std::int64_t dim, ReduceOp op, std::optional<shard::Sizes> pieces)
{
    CollectiveRequest request = make(CollectiveKind::ReduceScatter, std::move(tensor));
    request.op = op;
    request.cutDim = dim;
    request.pieces = std::move(pieces);
    return request;
}

CollectiveRequest allToAll(at::Tensor tensor, std::int64_t joinDim, std::int64_t cutDim,
                           std::optional<shard::Sizes> pieces)
{
    CollectiveRequest request = make(CollectiveKind::AllToAll, std::move(tensor));
    request.joinDim = joinDim;
    request.cutDim = cutDim;
    request.pieces = std::move(pieces);
    return request;
}

CollectiveRequest broadcast(at::Tensor tensor, RankId root)
{
    CollectiveRequest request = make(CollectiveKind::Broadcast, std::move(tensor));
    request.root = root;
    return request;
}

CollectiveRequest scatter(at::Tensor tensor, std::int64_t dim, RankId root, std::optional<shard::Sizes> pieces)
{
    CollectiveRequest request = make(CollectiveKind::Scatter, std::move(tensor));
    request.cutDim = dim;
    request.root = root;
    request.pieces = std::move(pieces);
    return request;
}

CollectiveRequest barrier()
{
    return make(CollectiveKind::Barrier, {});
}

shard::Sizes chunkSizes(std::int64_t size, std::size_t ranks)
{
    const shard::DimCut cut(size, static_cast<int>(ranks));
    shard::Sizes sizes;
    for (int part = 0; part < static_cast<int>(ranks); ++part)
        sizes.push_back(cut.size(part));
    return sizes;
}

Result<CollectiveCall> checkRequest(const CollectiveRequest &request, const comm::Line &line)
{
    CollectiveCall call;
    call.kind = request.kind;
    if (request.kind == CollectiveKind::Barrier)
        return call;
    if (auto ok = checkTensor(request); !ok)
        return ok.error();
    if (auto ok = checkOp(request); !ok)
        return ok.error();
    call.op = request.op;
    call.dtype = tensor::dtypeName(request.tensor.scalar_type());
    call.device = request.tensor.is_meta() ? "meta" : "cpu";
    call.sizes = request.tensor.sizes().vec();
    if (auto ok = fillDims(request, line, call); !ok)
        return ok.error();
    if (request.kind != CollectiveKind::Broadcast && request.kind != CollectiveKind::Scatter)
        return call;
    const auto root = std::find(line.begin(), line.end(), request.root);
    if (root == line.end())
        return refuse(request, fmt::format("rank {} shall give the values and is not among {}", request.root.value,
                                           comm::ranksText(line)));
    call.root = request.root;
    call.rootPlace = static_cast<std::size_t>(root - line.begin());
    return call;
}

} // namespace pipescope::dtensor
