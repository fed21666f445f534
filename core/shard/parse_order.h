// The text that users write for an order of cuts. Meshes and shapes are read by layout_text.h, placements by
// placement.h.
#pragma once

#include "base/result.h"
#include "shard/device_mesh.h"
#include "shard/layout.h"

#include <string_view>

namespace pipescope::shard {

/// For each tensor dimension the mesh dimensions that cut it, the first cut first: "0:1,0", or by the names of the mesh
/// "0:tp,dp; 1:pp". Errors: InvalidArgument with the column, what was expected and what was found; a mesh dimension
/// that there is not.
Result<ShardOrder> parseShardOrder(std::string_view text, const DeviceMesh &mesh);

} // namespace pipescope::shard
