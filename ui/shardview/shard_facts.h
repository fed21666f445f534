// What the picture of a layout says in words: what a rank holds, what is under the pointer, and what cannot be drawn.
#pragma once

#include "shardview/shard_scene.h"

#include <QString>
#include <QStringList>

namespace pipescope::shardview {

/// "each of 4 ranks holds a summand", "each of 2 ranks holds the same": how several ranks have one element. "" where
/// one rank has it.
[[nodiscard]] QString senseText(const ShardScene &scene);

/// Of a rank, for its card and for screen readers: a line each, the first one is the title.
[[nodiscard]] QStringList rankFacts(const ShardScene &scene, RankId rank);
/// Of what is under a point: the facts of the rank on that sheet, the element, and who else holds it.
[[nodiscard]] QStringList spotFacts(const ShardScene &scene, const ShardSpot &spot, int sheet);

/// Who holds nothing, who is elsewhere, what sheets, dots and stripes mean: a sentence each.
[[nodiscard]] QStringList notesOf(const ShardScene &scene);
/// "rows: dimension 0, columns: dimension 2, dimension 1 at 3 of 8".
[[nodiscard]] QString viewText(const ShardScene &scene);

} // namespace pipescope::shardview
