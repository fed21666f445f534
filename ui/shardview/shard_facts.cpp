#include "shardview/shard_facts.h"

#include "shardview/shard_words.h"
#include "shardview/translate.h"
#include "widgets/number_text.h"

#include <algorithm>
#include <cstddef>

namespace pipescope::shardview {

namespace {

using shard::ReduceOp;

constexpr int MostListed = 4096; ///< sheets whose ranks are looked up while a pointer moves

QString termOf(ReduceOp op)
{
    switch (op) {
    case ReduceOp::Sum:
        return tr("a summand");
    case ReduceOp::Avg:
        return tr("a value for the average");
    case ReduceOp::Max:
        return tr("a value for the maximum");
    case ReduceOp::Min:
        return tr("a value for the minimum");
    case ReduceOp::Product:
        return tr("a factor");
    }
    return {};
}

/// A layout has one kind of them, but for sums with averages.
QString termOf(const shard::Layout &layout)
{
    for (const shard::Placement &placement : layout.placements()) {
        if (const auto *partial = std::get_if<shard::Partial>(&placement))
            return termOf(partial->op);
        if (std::holds_alternative<shard::NormPartial>(placement))
            return tr("the norm of a part");
    }
    return {};
}

/// "Ranks 5 to 7 ...".
QString asBegin(QString text)
{
    text[0] = text[0].toUpper();
    return text;
}

bool isStrided(const shard::Layout &layout, int tensorDim)
{
    if (tensorDim < 0)
        return false;
    const std::vector<shard::Cut> &cuts = layout.cuts(tensorDim);
    return std::any_of(cuts.begin(), cuts.end(), [](const shard::Cut &cut) { return cut.splitFactor > 1; });
}

/// The index of the tensor that a spot is at.
shard::Sizes elementAt(const ShardScene &scene, const ShardSpot &spot)
{
    shard::Sizes element = scene.view().at;
    if (scene.view().rowDim >= 0)
        element[static_cast<std::size_t>(scene.view().rowDim)] = *spot.row.index;
    if (scene.view().columnDim >= 0)
        element[static_cast<std::size_t>(scene.view().columnDim)] = *spot.column.index;
    return element;
}

} // namespace

QString senseText(const ShardScene &scene)
{
    if (scene.terms() > 1 && scene.copies() > 1)
        return tr("each of %1 ranks holds %2, and there are %3 of each")
            .arg(scene.terms())
            .arg(termOf(scene.layout()))
            .arg(scene.copies());
    if (scene.terms() > 1)
        return tr("each of %1 ranks holds %2").arg(scene.terms()).arg(termOf(scene.layout()));
    return scene.copies() > 1 ? tr("each of %1 ranks holds the same").arg(scene.copies()) : QString();
}

QStringList rankFacts(const ShardScene &scene, RankId rank)
{
    const shard::Layout &layout = scene.layout();
    const std::optional<shard::Coordinate> place = layout.mesh().coordinate(rank);
    if (!place)
        return {};
    const shard::LocalShard local = localShard(layout, *place);
    QStringList facts{
        tr("rank %1 (%2)").arg(rank.value).arg(coordinateText(layout.mesh(), *place)),
        tr("holds %1").arg(heldText(layout, *place)),
        tr("local shape %1, %2").arg(sizesText(local.sizes), sizeText(bytesOf(local.sizes, layout.itemSize()))),
        tr("offset %1").arg(sizesText(local.offsets))};
    if (local.sizes != scene.largest())
        facts << tr("collectives of equal sizes pad it to %1").arg(sizesText(scene.largest()));
    if (const QString sense = senseText(scene); !sense.isEmpty())
        facts << sense;
    return facts;
}

QStringList spotFacts(const ShardScene &scene, const ShardSpot &spot, int sheet)
{
    const RankId rank = scene.rankAt({sheet, spot.row.part, spot.column.part});
    QStringList facts = rankFacts(scene, rank);
    facts.insert(1, spot.isPadding() ? tr("here is padding, and no element")
                                     : tr("here is element %1").arg(sizesText(elementAt(scene, spot))));
    if (scene.sheets() > MostListed) {
        facts << tr("also here: %1 more ranks").arg(widgets::countText(scene.sheets() - 1));
    } else if (scene.sheets() > 1) {
        std::vector<RankId> others = scene.ranksAt(spot.row.part, spot.column.part);
        std::erase(others, rank);
        std::sort(others.begin(), others.end());
        facts << tr("also here: %1").arg(ranksText(others));
    }
    return facts;
}

QStringList notesOf(const ShardScene &scene)
{
    QStringList notes;
    if (scene.isEmpty())
        return {tr("The tensor has no elements: its shape is %1.").arg(sizesText(scene.layout().shape()))};
    if (const QString sense = senseText(scene); !sense.isEmpty())
        notes << tr("Sheets one behind another: %1.").arg(sense);
    if (!scene.emptyRanks().empty())
        notes << (scene.emptyRanks().size() == 1 ? tr("%1 holds nothing.") : tr("%1 hold nothing."))
                     .arg(asBegin(ranksText(scene.emptyRanks())));
    if (!scene.ranksElsewhere().empty())
        notes << (scene.ranksElsewhere().size() == 1 ? tr("%1 holds other indices than these.")
                                                     : tr("%1 hold other indices than these."))
                     .arg(asBegin(ranksText(scene.ranksElsewhere())));
    if (scene.rows().hasPadding() || scene.columns().hasPadding())
        notes << tr("Dotted: padding, by which a shard is smaller than the largest one.");
    if (isStrided(scene.layout(), scene.view().rowDim) || isStrided(scene.layout(), scene.view().columnDim))
        notes << tr(
            "Strided: a rank holds bands; where they are thinner than a pixel, stripes have the colours of all.");
    return notes;
}

QString viewText(const ShardScene &scene)
{
    const ShardView &view = scene.view();
    QStringList parts;
    if (view.rowDim >= 0)
        parts << tr("rows: dimension %1").arg(view.rowDim);
    if (view.columnDim >= 0)
        parts << tr("columns: dimension %1").arg(view.columnDim);
    for (int dim = 0; dim < scene.layout().ndim(); ++dim)
        if (dim != view.rowDim && dim != view.columnDim)
            parts << tr("dimension %1 at %2 of %3")
                         .arg(dim)
                         .arg(view.at[static_cast<std::size_t>(dim)])
                         .arg(widgets::countText(scene.layout().shape()[static_cast<std::size_t>(dim)]));
    return parts.isEmpty() ? tr("no dimensions") : parts.join(QStringLiteral(", "));
}

} // namespace pipescope::shardview
