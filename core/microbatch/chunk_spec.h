// How inputs are cut into microbatches and outputs put together again, as plain values. Semantics are
// torch.distributed.pipelining.microbatch's (2.15), except that kwargs specs match by name, and that a list may be cut
// between its items: split_args_kwargs_into_chunks takes a TensorChunkSpec for each tensor only, and so cuts each item.
// tensor/chunks.h applies them.
#pragma once

#include "base/result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace pipescope::microbatch {

/// Cut (or concatenate) along one dimension; negative counts from the back. Upstream's TensorChunkSpec.
struct TensorChunkSpec
{
    int dim = 0;
    friend bool operator==(const TensorChunkSpec &, const TensorChunkSpec &) = default;
};

/// The same value in every microbatch; when merging, the values must all be equal. Upstream's _Replicate.
struct Replicate
{
    friend bool operator==(const Replicate &, const Replicate &) = default;
};

/// A list cut between its items, which are left whole: the first microbatch gets the first of them. When merging, the
/// microbatches' lists one after another. For batches whose samples differ in size, as images do.
struct ListChunkSpec
{
    friend bool operator==(const ListChunkSpec &, const ListChunkSpec &) = default;
};

/// Merging only: fold over the microbatches. Upstream's _CustomReducer and sum_reducer.
enum class Reducer { Sum, Mean, Max, Min };

/// A tree of specs that mirrors the tree of a value.
struct ChunkSpec
{
    using Children = std::vector<ChunkSpec>;
    struct Entry;
    using Entries = std::vector<Entry>;
    struct Tuple
    {
        Children items;
        friend bool operator==(const Tuple &, const Tuple &) = default;
    };
    struct List
    {
        Children items;
        friend bool operator==(const List &, const List &) = default;
    };
    struct Dict
    {
        Entries entries;
        friend bool operator==(const Dict &, const Dict &);
    };
    std::variant<TensorChunkSpec, Replicate, ListChunkSpec, Reducer, Tuple, List, Dict> node;

    friend bool operator==(const ChunkSpec &, const ChunkSpec &) = default;
};

/// A name and its spec. As a std::pair, which cannot hold a ChunkSpec inside a ChunkSpec: it asks for complete types.
struct ChunkSpec::Entry
{
    std::string first;
    ChunkSpec second;
    friend bool operator==(const Entry &, const Entry &) = default;
};

/// Upstream's TensorChunkSpec.from_tuple: one TensorChunkSpec per position.
[[nodiscard]] ChunkSpec fromTuple(const std::vector<int> &dims);
/// Upstream's TensorChunkSpec.from_dict: one TensorChunkSpec per name.
[[nodiscard]] ChunkSpec fromDict(const std::vector<std::pair<std::string, int>> &dims);

/// Whether a list is cut between its items somewhere in it.
[[nodiscard]] bool cutsList(const ChunkSpec &spec);

/// Text form: "0", "-1", "replicate", "list", "sum", "mean", "max", "min", "(0, replicate)", "(0,)", "[0, 0]",
/// "{mask: 0, ids: replicate}"; keys that are no dotted words are quoted.
[[nodiscard]] std::string toText(const ChunkSpec &spec);
/// Reads it back; "(0)" is a tuple of one too. At most 64 KiB of text and 64 levels; no key twice.
/// Error: InvalidArgument with the column, what was expected and what was found.
Result<ChunkSpec> parseChunkSpec(std::string_view text);

/// Row counts of torch.tensor_split: the first (rows mod chunks) get one more; 10 in 4 give 3,3,2,2. Needs rows >= 0
/// and chunks >= 1; fewer rows than chunks leave empty chunks at the end.
[[nodiscard]] std::vector<std::int64_t> chunkSizes(std::int64_t rows, std::int64_t chunks);

} // namespace pipescope::microbatch
