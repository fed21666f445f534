// How ranks, meshes, placements and what a rank holds are written.
#pragma once

#include "shard/geometry.h"

#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

namespace pipescope::shardview {

/// "rank 4", "ranks 0 to 3, 6 and 9"; after some groups "and 120 more". Of ascending ranks, not of none.
[[nodiscard]] QString ranksText(const std::vector<RankId> &ranks);
/// "dp 1, tp 2"; "1, 2" in a mesh without names.
[[nodiscard]] QString coordinateText(const shard::DeviceMesh &mesh, const shard::Coordinate &place);
/// "tp", "dp and tp"; "mesh dimension 1" in a mesh without names.
[[nodiscard]] QString meshDimsText(const shard::DeviceMesh &mesh, const std::vector<int> &dims);
/// "S(0) over dp, R over tp"; in a mesh without names the layout's own text, "S(0)R".
[[nodiscard]] QString placementsText(const shard::Layout &layout);
/// "[3, 256]".
[[nodiscard]] QString sizesText(const shard::Sizes &sizes);

/// What the rank at a place holds, as Python slices: "[64:96, :]"; of a strided shard the first bands of it, "[0:2 +
/// 8:10 + …, :]"; "nothing" of an empty one.
[[nodiscard]] QString heldText(const shard::Layout &layout, const shard::Coordinate &place);
/// Bytes of a tensor of these sizes; nullopt where no int64 counts them.
[[nodiscard]] std::optional<std::int64_t> bytesOf(const shard::Sizes &sizes, int itemSize);
/// "1.5 KiB"; "unknown" without a number.
[[nodiscard]] QString sizeText(std::optional<std::int64_t> bytes);

} // namespace pipescope::shardview
