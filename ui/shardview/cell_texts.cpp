// What is written in a cell of the picture.
#include "shardview/shard_facts.h"
#include "shardview/shard_painter.h"
#include "shardview/shard_words.h"
#include "shardview/translate.h"

#include <algorithm>
#include <vector>

namespace pipescope::shardview {

namespace {

constexpr int MostNamed = 64; ///< sheets whose ranks are written out

/// "ranks 0 and 4".
QString holdersText(const ShardScene &scene, const AxisBand &row, const AxisBand &column, RankId rank)
{
    if (scene.sheets() == 1)
        return ranksText({rank});
    if (scene.sheets() > MostNamed)
        return tr("rank %1 and %2 more").arg(rank.value).arg(scene.sheets() - 1);
    std::vector<RankId> ranks = scene.ranksAt(row.part, column.part);
    std::sort(ranks.begin(), ranks.end());
    return ranksText(ranks);
}

/// "rows 24 to 31", "row 9"; "" where both sides are cut, or none.
QString indicesText(const ShardScene &scene, const AxisBand &row, const AxisBand &column)
{
    const bool hasRows = scene.rows().parts() > 1;
    const bool hasColumns = scene.columns().parts() > 1;
    if (hasRows == hasColumns)
        return {};
    const shard::IndexRange &held = hasRows ? row.indices : column.indices;
    const bool isLine = scene.view().rowDim < 0;
    if (held.end - held.begin == 1)
        return (hasRows ? tr("row %1") : isLine ? tr("element %1") : tr("column %1")).arg(held.begin);
    return (hasRows  ? tr("rows %1 to %2")
            : isLine ? tr("elements %1 to %2")
                     : tr("columns %1 to %2"))
        .arg(held.begin)
        .arg(held.end - 1);
}

} // namespace

QStringList cellTexts(const ShardScene &scene, const AxisBand &row, const AxisBand &column, int sheet)
{
    const RankId rank = scene.rankAt({sheet, row.part, column.part});
    const QString holders = holdersText(scene, row, column, rank);
    const QString indices = indicesText(scene, row, column);
    QStringList texts;
    if (!indices.isEmpty())
        texts << tr("%1: %2").arg(holders, indices);
    else if (scene.rows().parts() == 1 && scene.columns().parts() == 1 && scene.sheets() > 1)
        texts << senseText(scene);
    texts << holders << ranksText({rank}) << QString::number(rank.value);
    return texts;
}

} // namespace pipescope::shardview
