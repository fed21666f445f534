// Who holds what of a tensor over a mesh, as text for people and as JSON.
#pragma once

#include "shard/layout.h"
#include "terminal.h"
#include "text_output.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace pipescope::app {

/// How many ranks, and how many bands along a dimension, are shown.
struct LayoutLimits
{
    std::size_t ranks = 0;
    std::size_t rows = 0;
    std::size_t columns = 0;
    std::size_t ranges = 0; ///< of one rank along one dimension
};
[[nodiscard]] LayoutLimits limitsOf(Detail detail);

/// One or two tensor dimensions that the picture has as rows and columns.
using PictureAxes = std::vector<int>;

/// "0,2": one or two dimensions of a tensor of so many, negative ones from the back. Error: InvalidArgument with the
/// column, also for a dimension that there is not.
Result<PictureAxes> parseAxes(std::string_view text, int ndim);

/// The tensor, each mesh dimension in words, a table of ranks, and the picture. Without axes it is of all dimensions
/// where these are one or two, else it is left out.
[[nodiscard]] std::string layoutText(const shard::Layout &layout, const PictureAxes &axes, Detail detail,
                                     const Terminal &terminal);

/// What one mesh dimension does: "dp: 2 ranks share dimension 0".
[[nodiscard]] std::string meshDimText(const shard::Layout &layout, int meshDim);

/// Rows and columns of indices, each cell with the ranks that hold it: copies as "0,1", partial values as "0 + 1".
/// Other dimensions are at index 0.
[[nodiscard]] std::string layoutPicture(const shard::Layout &layout, const PictureAxes &axes,
                                        const LayoutLimits &limits);

[[nodiscard]] nlohmann::json toJson(const shard::Layout &layout, Detail detail);

} // namespace pipescope::app
