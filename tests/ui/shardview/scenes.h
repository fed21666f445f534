// Pictures of layouts as their words say them.
#pragma once

#include "shardview/shard_scene.h"
#include "support/layouts.h"

#include <memory>
#include <string_view>

namespace pipescope::tests {

/// In the usual view of the shape: sceneOf("2,2", "S0,R", {8, 4}).
inline std::shared_ptr<const shardview::ShardScene> sceneOf(std::string_view mesh, std::string_view placements,
                                                            const shard::Sizes &shape)
{
    return std::make_shared<const shardview::ShardScene>(layoutOf(mesh, placements, shape),
                                                         shardview::usualView(shape));
}

} // namespace pipescope::tests
