// A layout and where it is to go as words, as they stand in the fields of the page, and what is made of them.
#pragma once

#include "shard/layout.h"

#include <QString>
#include <array>
#include <cstddef>
#include <optional>

namespace pipescope::shardview {

/// What is asked for, one word each.
enum class LayoutField { Shape, Dtype, Mesh, Placements, Target };
inline constexpr std::size_t LayoutFieldCount = 5;

using LayoutWords = std::array<QString, LayoutFieldCount>;

[[nodiscard]] inline QString &wordOf(LayoutWords &words, LayoutField field)
{
    return words[static_cast<std::size_t>(field)];
}
[[nodiscard]] inline const QString &wordOf(const LayoutWords &words, LayoutField field)
{
    return words[static_cast<std::size_t>(field)];
}

/// An example: Partial over one mesh dimension, which a reduce-scatter ends.
[[nodiscard]] LayoutWords exampleWords();

struct ReadLayouts
{
    std::optional<shard::Layout> from; ///< nullopt where any word but the target's cannot be used
    std::optional<shard::Layout> to;   ///< nullopt likewise, and where no target is given
    LayoutWords problems;              ///< by field, as core says them; "" where there is none
};

[[nodiscard]] ReadLayouts readLayouts(const LayoutWords &words);

} // namespace pipescope::shardview
