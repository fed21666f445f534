// splitArgsKwargsIntoChunks of chunks.h.
#include "tensor/chunks.h"

#include "tensor/chunking/chunk_input.h"
#include "tensor/ivalue_tree.h"
#include "tensor/torch_guard.h"

#include <ATen/Functions.h>
#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <string_view>

namespace pipescope::tensor {

namespace {

using microbatch::ChunkSpec;

/// The first cut leaf with the fewest rows, or list with the fewest items; null when nothing is cut.
const ChunkLeaf *scarcest(const std::vector<ChunkInput> &inputs)
{
    const ChunkLeaf *least = nullptr;
    for (const ChunkInput &input : inputs)
        for (const ChunkLeaf &leaf : input.leaves)
            if (leaf.isCut() && (least == nullptr || leaf.rows < least->rows))
                least = &leaf;
    return least;
}

std::string loweredText(int asked, const ChunkLeaf &leaf)
{
    if (leaf.isList)
        return fmt::format("{} microbatches were asked for and {} made: {} has {} item{}", asked, leaf.rows, leaf.path,
                           leaf.rows, leaf.rows == 1 ? "" : "s");
    std::string text = fmt::format("{} microbatches were asked for and {} made: {} has {} row{} along dimension {}",
                                   asked, leaf.rows, leaf.path, leaf.rows, leaf.rows == 1 ? "" : "s", *leaf.dim);
    if (leaf.rows == 1)
        text += "; if it is one value for the whole batch, give it the chunk spec 'replicate'";
    return text;
}

Error noChunks(int asked, const ChunkLeaf *least)
{
    constexpr std::string_view words = "number of sections must be larger than 0, got";
    if (asked <= 0)
        return {ErrorCode::InvalidArgument, fmt::format("{} {}", words, asked), "microbatches", {}};
    if (least->isList)
        return {ErrorCode::InvalidArgument,
                fmt::format("the list has no items, so that there is nothing to cut ({} 0); give it at least one for "
                            "each microbatch, or leave it whole with the chunk spec 'replicate'",
                            words),
                least->path,
                {}};
    return {
        ErrorCode::InvalidArgument,
        fmt::format("it has no rows along dimension {}, so that there is nothing to cut ({} 0); give it at least one "
                    "row for each microbatch, or leave it whole with the chunk spec 'replicate'",
                    *least->dim, words),
        least->path,
        {}};
}

std::vector<at::Tensor> masked(const at::Tensor &whole, const std::vector<at::Tensor> &slices, std::int64_t dim)
{
    std::vector<at::Tensor> result;
    std::int64_t start = 0;
    for (const at::Tensor &slice : slices) {
        at::Tensor full = at::zeros_like(whole);
        full.narrow(dim, start, slice.size(dim)).copy_(slice);
        start += slice.size(dim);
        result.push_back(std::move(full));
    }
    return result;
}

std::vector<at::Tensor> cutTensor(const at::Tensor &tensor, std::int64_t dim, std::int64_t chunks, SliceMode mode)
{
    std::vector<at::Tensor> slices = at::tensor_split(tensor, chunks, dim);
    if (tensor.requires_grad() && tensor.is_leaf()) {
        // Views of a leaf do not keep their gradient by themselves, and a stage's input gradient is read from them.
        for (const at::Tensor &slice : slices)
            if (slice.requires_grad())
                slice.retain_grad();
    }
    return mode == SliceMode::Views ? slices : masked(tensor, slices, dim);
}

/// The items of a list, by microbatch.
std::vector<c10::IValue> cutList(const c10::IValue &list, std::int64_t chunks)
{
    const c10::List<c10::IValue> items = list.toList();
    std::vector<c10::IValue> result;
    std::size_t next = 0;
    for (const std::int64_t size : microbatch::chunkSizes(static_cast<std::int64_t>(items.size()), chunks)) {
        c10::impl::GenericList part(items.elementType());
        for (std::int64_t i = 0; i < size; ++i)
            part.push_back(items.get(next++));
        result.emplace_back(std::move(part));
    }
    return result;
}

/// By microbatch; nothing where all get the same.
std::vector<c10::IValue> cutLeaf(const ChunkLeaf &leaf, std::int64_t chunks, SliceMode mode)
{
    if (leaf.isList)
        return cutList(leaf.value, chunks);
    if (!leaf.dim)
        return {};
    const std::vector<at::Tensor> tensors = cutTensor(leaf.value.toTensor(), *leaf.dim, chunks, mode);
    return {tensors.begin(), tensors.end()};
}

/// `input` by microbatch.
std::vector<c10::IValue> cutInput(const ChunkInput &input, std::int64_t chunks, SliceMode mode)
{
    std::vector<std::vector<c10::IValue>> pieces;
    for (const ChunkLeaf &leaf : input.leaves)
        pieces.push_back(cutLeaf(leaf, chunks, mode));
    std::vector<c10::IValue> result;
    for (std::size_t chunk = 0; chunk < static_cast<std::size_t>(chunks); ++chunk) {
        std::size_t next = 0;
        result.push_back(mapParts(input.value, input.lists, [&](const c10::IValue &leaf) {
            const std::vector<c10::IValue> &leafPieces = pieces[next++];
            return leafPieces.empty() ? leaf : leafPieces[chunk];
        }));
    }
    return result;
}

std::vector<std::int64_t> rowsPerChunk(const std::vector<ChunkInput> &args, const std::vector<ChunkInput> &kwargs,
                                       std::int64_t chunks)
{
    for (const std::vector<ChunkInput> *inputs : {&args, &kwargs})
        for (const ChunkInput &input : *inputs)
            for (const ChunkLeaf &leaf : input.leaves)
                if (leaf.isCut())
                    return microbatch::chunkSizes(leaf.rows, chunks);
    return std::vector<std::int64_t>(static_cast<std::size_t>(chunks), 0);
}

ChunkedArguments cutAll(const std::vector<ChunkInput> &args, const std::vector<ChunkInput> &kwargs, const Kwargs &names,
                        std::int64_t chunks, SliceMode mode)
{
    ChunkedArguments result;
    result.args.resize(static_cast<std::size_t>(chunks));
    result.kwargs.resize(static_cast<std::size_t>(chunks));
    for (const ChunkInput &input : args) {
        std::vector<c10::IValue> pieces = cutInput(input, chunks, mode);
        for (std::size_t i = 0; i < pieces.size(); ++i)
            result.args[i].push_back(std::move(pieces[i]));
    }
    for (std::size_t k = 0; k < kwargs.size(); ++k) {
        std::vector<c10::IValue> pieces = cutInput(kwargs[k], chunks, mode);
        for (std::size_t i = 0; i < pieces.size(); ++i)
            result.kwargs[i].emplace_back(names[k].first, std::move(pieces[i]));
    }
    result.rows = rowsPerChunk(args, kwargs, chunks);
    return result;
}

} // namespace

Result<ChunkedArguments> splitArgsKwargsIntoChunks(const std::vector<c10::IValue> &args, const Kwargs &kwargs,
                                                   int chunks, const std::optional<std::vector<ChunkSpec>> &argsSpec,
                                                   const std::optional<ChunkSpec::Entries> &kwargsSpec, SliceMode mode)
{
    auto argInputs = describeArgs(args, argsSpec);
    if (!argInputs)
        return argInputs.error();
    auto kwargInputs = describeKwargs(kwargs, kwargsSpec);
    if (!kwargInputs)
        return kwargInputs.error();
    const ChunkLeaf *least = scarcest(*argInputs);
    const ChunkLeaf *leastNamed = scarcest(*kwargInputs);
    if (least == nullptr || (leastNamed != nullptr && leastNamed->rows < least->rows))
        least = leastNamed;
    const std::int64_t made = least == nullptr ? chunks : std::min<std::int64_t>(chunks, least->rows);
    if (made <= 0)
        return noChunks(chunks, least);
    auto result = guardTorch(ErrorCode::InvalidArgument, "splitting into microbatches",
                             [&] { return cutAll(*argInputs, *kwargInputs, kwargs, made, mode); });
    if (result && made < chunks)
        result->lowered = loweredText(chunks, *least);
    return result;
}

} // namespace pipescope::tensor
