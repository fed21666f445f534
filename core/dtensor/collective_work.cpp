#include "dtensor/collective_work.h"

#include "tensor/torch_guard.h"

#include <ATen/Functions.h>
#include <ATen/core/grad_mode.h>
#include <algorithm>
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>
#include <numeric>

namespace pipescope::dtensor {

namespace {

using Parts = std::vector<CollectivePart>;

// So long pieces of an all-reduce are reduced and copied at once: they stay in a core's own cache meanwhile.
constexpr std::int64_t BlockBytes = 128 << 10;
// A slice of fewer elements is not worth another thread.
constexpr std::int64_t SmallestSlice = 4096;

// Tensors are made and written on threads of other ranks, too, which may be in other modes.
struct PlainMode
{
    c10::InferenceMode normal{false};
    at::NoGradGuard noGrad;
};

at::Tensor emptyLike(const at::Tensor &tensor, at::IntArrayRef sizes)
{
    return at::empty(sizes, tensor.options());
}

void reduceInto(at::Tensor &to, const std::vector<at::Tensor> &from, shard::ReduceOp op)
{
    using shard::ReduceOp;
    if (from.size() == 1) {
        to.copy_(from.front());
        return;
    }
    for (std::size_t i = 1; i < from.size(); ++i) {
        const at::Tensor &left = i == 1 ? from.front() : to;
        if (op == ReduceOp::Max)
            at::maximum_out(to, left, from[i]);
        else if (op == ReduceOp::Min)
            at::minimum_out(to, left, from[i]);
        else if (op == ReduceOp::Product)
            at::mul_out(to, left, from[i]);
        else
            at::add_out(to, left, from[i]);
    }
    if (op == ReduceOp::Avg)
        to.div_(static_cast<std::int64_t>(from.size()));
}

// The piece of a rank's input that goes to the rank at `place`.
at::Tensor pieceFor(const CollectiveCall &call, const at::Tensor &input, std::size_t place)
{
    if (!call.cutDim)
        return input;
    const auto offset =
        std::accumulate(call.pieces.begin(), call.pieces.begin() + static_cast<std::ptrdiff_t>(place), std::int64_t{0});
    return input.narrow(*call.cutDim, offset, call.pieces[place]);
}

// All-gather and all-to-all: each rank's piece for this one, side by side.
at::Tensor joined(const CollectiveCall &call, const Parts &parts, std::size_t place)
{
    const int dim = *call.joinDim;
    std::vector<at::Tensor> pieces;
    std::int64_t size = 0;
    for (const CollectivePart &part : parts) {
        pieces.push_back(pieceFor(call, part.input, place));
        size += pieces.back().size(dim);
    }
    std::vector<std::int64_t> sizes = pieces.front().sizes().vec();
    sizes[static_cast<std::size_t>(dim)] = size;
    at::Tensor output = emptyLike(pieces.front(), sizes);
    std::int64_t offset = 0;
    for (const at::Tensor &piece : pieces) {
        copyInto(output.narrow(dim, offset, piece.size(dim)), piece);
        offset += piece.size(dim);
    }
    return output;
}

at::Tensor reducedPiece(const CollectiveCall &call, const Parts &parts, std::size_t place)
{
    std::vector<at::Tensor> pieces;
    for (const CollectivePart &part : parts)
        pieces.push_back(pieceFor(call, part.input, place));
    at::Tensor output = emptyLike(pieces.front(), pieces.front().sizes());
    reduceInto(output, pieces, *call.op);
    return output;
}

at::Tensor pieceOfRoot(const CollectiveCall &call, const Parts &parts, std::size_t place)
{
    const at::Tensor piece = pieceFor(call, parts[call.rootPlace].input, place);
    at::Tensor output = emptyLike(piece, piece.sizes());
    copyInto(output, piece);
    return output;
}

at::Tensor routed(const CollectiveCall &call, const Parts &parts, std::size_t place)
{
    const Route &route = *parts[place].route;
    at::Tensor output = emptyLike(parts[place].input, route.sizes);
    std::vector<at::Tensor> pieces;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!route.from[i] || (call.root.valid() && i != call.rootPlace))
            continue;
        if (call.op)
            pieces.push_back(takeBlock(parts[i].input, *route.from[i], route.sizes));
        else
            copyBlock(output, parts[i].input, *route.from[i]);
    }
    if (call.op)
        reduceInto(output, pieces, *call.op);
    return output;
}

// Of an all-reduce, in the outputs of all ranks.
void reduceSlice(const CollectiveCall &call, Parts &parts, std::size_t place)
{
    const at::Tensor &own = parts[place].output;
    const std::int64_t numel = own.numel();
    const auto ranks = static_cast<std::int64_t>(parts.size());
    const std::int64_t slice = std::max((numel + ranks - 1) / ranks, SmallestSlice);
    const std::int64_t begin = std::min(static_cast<std::int64_t>(place) * slice, numel);
    const std::int64_t end = std::min(begin + slice, numel);
    const std::int64_t step = std::max<std::int64_t>(BlockBytes / own.element_size(), 1);
    std::vector<at::Tensor> inputs;
    std::vector<at::Tensor> outputs;
    for (const CollectivePart &part : parts) {
        inputs.push_back(part.input.view(-1));
        outputs.push_back(part.output.view(-1));
    }
    std::vector<at::Tensor> block(inputs.size());
    for (std::int64_t from = begin; from < end && !own.is_meta(); from += step) {
        const std::int64_t size = std::min(step, end - from);
        for (std::size_t i = 0; i < inputs.size(); ++i)
            block[i] = inputs[i].narrow(0, from, size);
        at::Tensor reduced = outputs[place].narrow(0, from, size);
        reduceInto(reduced, block, *call.op);
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            if (i != place)
                copyInto(outputs[i].narrow(0, from, size), reduced);
        }
    }
}

void share(const CollectiveCall &call, Parts &parts, std::size_t place)
{
    if (parts[place].route) {
        parts[place].output = routed(call, parts, place);
        return;
    }
    switch (call.kind) {
    case CollectiveKind::AllGather:
    case CollectiveKind::AllToAll:
        parts[place].output = joined(call, parts, place);
        break;
    case CollectiveKind::AllReduce:
        reduceSlice(call, parts, place);
        break;
    case CollectiveKind::ReduceScatter:
        parts[place].output = reducedPiece(call, parts, place);
        break;
    case CollectiveKind::Broadcast:
    case CollectiveKind::Scatter:
        parts[place].output = pieceOfRoot(call, parts, place);
        break;
    case CollectiveKind::Barrier:
        break;
    }
}

} // namespace

CollectivePart makePart(const CollectiveCall &call, const CollectiveRequest &request)
{
    if (call.kind == CollectiveKind::Barrier)
        return {};
    const PlainMode mode;
    CollectivePart part;
    part.input = request.tensor.detach().resolve_conj().resolve_neg();
    part.route = request.route;
    part.meshDims = request.meshDims;
    if (call.kind == CollectiveKind::AllReduce) {
        part.input = part.input.contiguous();
        part.output = emptyLike(part.input, part.input.sizes());
    }
    return part;
}

Status doShare(const CollectiveCall &call, Parts &parts, std::size_t place)
{
    auto done = tensor::guardTorch(ErrorCode::ModelFailed, {}, [&] {
        const PlainMode mode;
        share(call, parts, place);
    });
    if (done)
        return done;
    Error error = done.error();
    error.message = fmt::format("{}: {}", text(call), error.message);
    return error;
}

} // namespace pipescope::dtensor
