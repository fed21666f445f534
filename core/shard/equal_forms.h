// Other ways to write a layout: strided shards as an order of plain cuts, and back. Upstream's
// DTensorSpec._maybe_convert_StridedShard_to_shard_order and _convert_shard_order_to_StridedShard (2.15).
#pragma once

#include "shard/layout.h"

#include <optional>
#include <vector>

namespace pipescope::shard {

/// The layout with plain shards and the order that its split factors stand for: [SS(0,2), S(0)] on 2x2 is S(0) twice,
/// the right mesh dimension first. A layout without StridedShard is itself. nullopt where a split factor is no product
/// of the sizes of mesh dimensions that cut earlier. Whether both hold the same elements is not asked: uneven sizes may
/// part them (holdTheSame).
[[nodiscard]] std::optional<Layout> asOrder(const Layout &layout);

/// The layout itself, then all others that are the same cuts written as strided shards or as an order, tensor dimension
/// by tensor dimension, and hold the same elements on every rank.
[[nodiscard]] std::vector<Layout> equalForms(const Layout &layout);

} // namespace pipescope::shard
